// The HTTP/1.1 server: one thread for all connections, a few workers for what takes long.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "service/http/limits.hpp"
#include "service/http/message.hpp"
#include "service/http/problem.hpp"
#include "service/http/router.hpp"
#include "service/http/token.hpp"

namespace spineweave::service::http {

struct TlsFiles {
  std::string certificate;  // PEM, the chain
  std::string key;          // PEM
};

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;  // 0: any that is free
  Limits limits;
  std::optional<TlsFiles> tls;
};

// Throws Error{usage} for what is no IP address.
[[nodiscard]] bool is_loopback(const std::string& address);

// One request with its response, for logs and metrics.
struct Exchange {
  std::string_view method;  // as sent
  std::string_view target;
  std::string_view route;   // its template; empty: none
  std::string_view client;  // its address
  std::uint16_t status = 0;
  std::size_t bytes = 0;  // of the response's body
  SteadyClock::duration duration{};
};

struct Hooks {
  // What a handler threw, as a problem; called on the thread that it threw on. It may log it, too.
  std::function<Problem(std::exception_ptr)> explain;
  std::function<void(const Exchange&)> on_exchange = [](const Exchange&) {};
};

// Where the server stands; from any thread.
struct Load {
  std::uint32_t connections = 0;
  std::uint32_t queued = 0;  // requests that wait for a worker or are with one
  bool draining = false;
};

class Server {
 public:
  // Listens from here on. Throws Error{usage}: an address that cannot be bound, because it is taken or not
  // this machine's; Error{bad_input}: certificate or key files that do not go together.
  Server(const ServerOptions& options, const Router& router, Hooks hooks);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Serves on the calling thread until it is drained.
  void run();

  // The rest may be called from any thread.
  // No new connections; requests under way are answered within Limits::drain.
  void drain();
  void set_token(std::optional<Token> token);
  // Reads certificate and key anew, for connections to come. Throws as the constructor does.
  void reload_certificate();
  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] Load load() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace spineweave::service::http
