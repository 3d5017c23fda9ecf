// A plain client over a real socket, that shows what came and sends what no library would.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace spineweave::service::test {

struct Answer {
  int status = 0;                              // 0: the connection was closed instead
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

class Client {
 public:
  explicit Client(std::uint16_t port);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // False where the connection is broken.
  bool send(std::string_view bytes);
  // Nothing more will be sent.
  void finish();
  // Reads one response to its end; of a HEAD request none has a body.
  [[nodiscard]] Answer receive(bool is_head = false);
  // The head of a response whose body goes on and on.
  [[nodiscard]] Answer receive_head();
  // Of a chunked body: what comes until it holds `text`; all of it.
  [[nodiscard]] std::string receive_until(std::string_view text);
  // True once the other side closes.
  [[nodiscard]] bool is_closed();
  // A request with the fields that any client sends.
  [[nodiscard]] Answer ask(std::string_view method, std::string_view target, std::string_view body = "",
                           std::string_view headers = "");

 private:
  bool fill();

  int socket_;
  std::string unread_;
};

// One request on a connection of its own.
[[nodiscard]] Answer ask(std::uint16_t port, std::string_view method, std::string_view target,
                         std::string_view body = "", std::string_view headers = "");

[[nodiscard]] std::string request_text(std::string_view method, std::string_view target, std::string_view body,
                                       std::string_view headers);
[[nodiscard]] std::string gzip(std::string_view text);

}  // namespace spineweave::service::test
