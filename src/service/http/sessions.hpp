// Starting a session on a socket that was accepted.
#pragma once

#include <memory>
#include <string>

#include "service/http/asio.hpp"
#include "service/http/hub.hpp"

namespace boost::asio::ssl {
class context;
}

namespace spineweave::service::http {

void start_plain_session(tcp::socket socket, std::string client, Hub& hub);
void start_tls_session(tcp::socket socket, std::string client, Hub& hub, std::shared_ptr<asio::ssl::context> context);

}  // namespace spineweave::service::http
