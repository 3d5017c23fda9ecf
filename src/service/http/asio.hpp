// The parts of Asio in use. Slow to compile: few units include it.
#pragma once

#include <utility>  // Asio of Boost 1.74 uses std::exchange without it

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace spineweave::service::http {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

}  // namespace spineweave::service::http
