#include "service/http/session.hpp"
#include "service/http/sessions.hpp"

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

namespace spineweave::service::http {

void start_tls_session(tcp::socket socket, std::string client, Hub& hub, std::shared_ptr<asio::ssl::context> context) {
  using TlsStream = asio::ssl::stream<tcp::socket>;
  const auto session = std::make_shared<Session<TlsStream>>(hub, std::move(client), std::move(socket), *context);
  asio::co_spawn(
      hub.context(), [session, context] { return session->serve(); }, hub.when_session_ends());
}

}  // namespace spineweave::service::http
