#include "service/support/client.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace spineweave::service::test {
namespace {

// Long beyond what any test waits for: a test that hangs shall fail.
constexpr timeval kPatience{.tv_sec = 30, .tv_usec = 0};

std::size_t hexadecimal(std::string_view text) {
  std::size_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

Answer parse_head(std::string_view head) {
  Answer answer;
  std::from_chars(head.data() + 9, head.data() + head.size(), answer.status);  // behind "HTTP/1.1 "
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos && at + 2 < head.size();) {
    const std::size_t end = head.find("\r\n", at + 2);
    const std::string_view line = head.substr(at + 2, end - at - 2);
    const std::size_t colon = line.find(": ");
    std::string name(line.substr(0, colon));
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (colon != std::string_view::npos) answer.headers[name] = line.substr(colon + 2);
    at = end;
  }
  return answer;
}

}  // namespace

Client::Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof(kPatience));
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof(kPatience));
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    throw std::runtime_error("the test server cannot be reached");
}

Client::~Client() { close(socket_); }

bool Client::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void Client::finish() { shutdown(socket_, SHUT_WR); }

bool Client::fill() {
  std::array<char, 65536> piece;
  const auto got = recv(socket_, piece.data(), piece.size(), 0);
  if (got <= 0) return false;
  unread_.append(piece.data(), static_cast<std::size_t>(got));
  return true;
}

bool Client::is_closed() {
  while (unread_.empty())
    if (!fill()) return true;
  return false;
}

Answer Client::receive_head() {
  std::size_t end = unread_.find("\r\n\r\n");
  for (; end == std::string::npos; end = unread_.find("\r\n\r\n"))
    if (!fill()) return {};
  Answer answer = parse_head(std::string_view(unread_).substr(0, end + 2));
  unread_.erase(0, end + 4);
  return answer;
}

Answer Client::receive(bool is_head) {
  Answer answer = receive_head();
  if (answer.status == 0 || is_head) return answer;
  if (answer.headers.contains("transfer-encoding")) {
    for (;;) {
      std::size_t line = unread_.find("\r\n");
      for (; line == std::string::npos; line = unread_.find("\r\n"))
        if (!fill()) return {};
      const std::size_t size = hexadecimal(unread_);
      while (unread_.size() < line + size + 4)
        if (!fill()) return {};
      answer.body += unread_.substr(line + 2, size);
      unread_.erase(0, line + size + 4);
      if (size == 0) return answer;
    }
  }
  const auto length = answer.headers.find("content-length");
  const std::size_t size = length == answer.headers.end() ? 0 : std::stoul(length->second);
  while (unread_.size() < size)
    if (!fill()) return {};
  answer.body = unread_.substr(0, size);
  unread_.erase(0, size);
  return answer;
}

std::string Client::receive_until(std::string_view text) {
  while (unread_.find(text) == std::string::npos)
    if (!fill()) break;
  return std::exchange(unread_, {});
}

Answer Client::ask(std::string_view method, std::string_view target, std::string_view body, std::string_view headers) {
  if (!send(request_text(method, target, body, headers))) return {};
  return receive(method == "HEAD");
}

Answer ask(std::uint16_t port, std::string_view method, std::string_view target, std::string_view body,
           std::string_view headers) {
  return Client(port).ask(method, target, body, headers);
}

std::string request_text(std::string_view method, std::string_view target, std::string_view body,
                         std::string_view headers) {
  const std::string length = body.empty() ? "" : fmt::format("Content-Length: {}\r\n", body.size());
  return fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n{}{}\r\n{}", method, target, length, headers, body);
}

std::string gzip(std::string_view text) {
  constexpr int kGzip = 16 + MAX_WBITS;
  constexpr int kMemory = 8;
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace spineweave::service::test
