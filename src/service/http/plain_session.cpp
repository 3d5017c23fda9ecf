#include "service/http/session.hpp"
#include "service/http/sessions.hpp"

namespace spineweave::service::http {

void start_plain_session(tcp::socket socket, std::string client, Hub& hub) {
  const auto session = std::make_shared<Session<tcp::socket>>(hub, std::move(client), std::move(socket));
  asio::co_spawn(
      hub.context(), [session] { return session->serve(); }, hub.when_session_ends());
}

}  // namespace spineweave::service::http
