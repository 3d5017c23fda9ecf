#include "service/http/server.hpp"

#include <fmt/format.h>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/context.hpp>
#include <utility>

#include "service/http/asio.hpp"
#include "service/http/hub.hpp"
#include "service/http/parsing.hpp"
#include "service/http/sessions.hpp"

namespace spineweave::service::http {
namespace {

asio::ip::address parse_address(const std::string& text) {
  error_code error;
  const auto address = asio::ip::make_address(text, error);
  if (error)
    throw Error(ErrorCode::usage,
                fmt::format("'{}' is no IP address; expected one such as 127.0.0.1, 0.0.0.0 or ::1", text));
  return address;
}

// Two services could share a port only if both asked for SO_REUSEPORT, which this one does not.
tcp::acceptor listen(asio::io_context& context, const ServerOptions& options) {
  const tcp::endpoint endpoint(parse_address(options.address), options.port);
  tcp::acceptor acceptor(context);
  error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);  // of connections that linger
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(tcp::acceptor::max_listen_connections, error);
  if (error)
    throw Error(ErrorCode::usage,
                fmt::format("{}:{} cannot be listened on: {}", options.address, options.port, error.message()));
  return acceptor;
}

std::shared_ptr<asio::ssl::context> load_certificate(const TlsFiles& files) {
  auto context = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  context->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv2 |
                       asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
  const auto check = [](const std::string& file, const error_code& error) {
    if (error) throw Error(ErrorCode::bad_input, fmt::format("{}: {}", file, error.message()));
  };
  error_code error;
  context->use_certificate_chain_file(files.certificate, error);
  check(files.certificate, error);
  context->use_private_key_file(files.key, asio::ssl::context::pem, error);
  check(files.key, error);
  return context;
}

}  // namespace

bool is_loopback(const std::string& address) { return parse_address(address).is_loopback(); }

class Server::Implementation {
 public:
  Implementation(const ServerOptions& options, const Router& router, Hooks hooks)
      : options_(options),
        hub_(router, options.limits, std::move(hooks), is_loopback(options.address)),
        acceptor_(listen(hub_.context(), options)),
        port_(acceptor_.local_endpoint().port()) {
    if (options.tls) certificate_ = load_certificate(*options.tls);
  }

  void run() {
    asio::co_spawn(
        hub_.context(), [this] { return accept(); }, hub_.when_session_ends());
    asio::co_spawn(
        hub_.context(), [this] { return hub_.look_after_connections(); }, hub_.when_session_ends());
    hub_.context().run();
    hub_.join_workers();
  }

  void drain() {
    asio::post(hub_.context(), [this] {
      error_code ignored;
      acceptor_.close(ignored);
      hub_.begin_drain();
    });
  }

  void set_token(std::optional<Token> token) {
    asio::post(hub_.context(), [this, token = std::move(token)] { hub_.doorkeeper().set_token(token); });
  }

  void reload_certificate() {
    if (!options_.tls) return;
    asio::post(hub_.context(), [this, fresh = load_certificate(*options_.tls)] { certificate_ = fresh; });
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] Load load() const { return hub_.load(); }

 private:
  asio::awaitable<void> accept() {
    while (acceptor_.is_open()) {
      error_code error;
      tcp::socket socket = co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, error));
      if (!acceptor_.is_open()) break;
      if (!error) {
        start(std::move(socket));
        continue;
      }
      // Out of file descriptors, most likely: the next try would fail as well.
      asio::steady_timer pause(hub_.context(), std::chrono::milliseconds(50));
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
    }
  }

  void start(tcp::socket socket) {
    error_code error;
    const auto remote = socket.remote_endpoint(error);
    if (error) return;  // left already
    socket.set_option(tcp::no_delay(true), error);
    if (hub_.load().connections >= options_.limits.connections) return turn_away(std::move(socket));
    std::string client = remote.address().to_string();
    if (certificate_) return start_tls_session(std::move(socket), std::move(client), hub_, certificate_);
    start_plain_session(std::move(socket), std::move(client), hub_);
  }

  // As far as that works without waiting.
  void turn_away(tcp::socket socket) {
    error_code ignored;
    socket.non_blocking(true, ignored);
    const Response response =
        respond({503,
                 "too-many-connections",
                 fmt::format("there are {} connections already, which is the most", options_.limits.connections),
                 {{"Retry-After", "1"}}});
    const std::string head = head_text(response, hub_.date(), {.keep_alive = false});
    const std::array<asio::const_buffer, 2> pieces = {asio::buffer(head), asio::buffer(*response.body)};
    if (!certificate_) socket.write_some(pieces, ignored);
    // Closing with something unread would take the response back.
    std::array<char, 4096> dropped;
    socket.read_some(asio::buffer(dropped), ignored);
    socket.shutdown(tcp::socket::shutdown_send, ignored);
  }

  const ServerOptions options_;
  Hub hub_;
  tcp::acceptor acceptor_;
  const std::uint16_t port_;
  std::shared_ptr<asio::ssl::context> certificate_;  // null: no TLS
};

Server::Server(const ServerOptions& options, const Router& router, Hooks hooks)
    : implementation_(std::make_unique<Implementation>(options, router, std::move(hooks))) {}
Server::~Server() = default;
void Server::run() { implementation_->run(); }
void Server::drain() { implementation_->drain(); }
void Server::set_token(std::optional<Token> token) { implementation_->set_token(std::move(token)); }
void Server::reload_certificate() { implementation_->reload_certificate(); }
std::uint16_t Server::port() const { return implementation_->port(); }
Load Server::load() const { return implementation_->load(); }

}  // namespace spineweave::service::http
