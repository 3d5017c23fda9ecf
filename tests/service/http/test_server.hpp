// A server on a free port, with routes for tests.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "service/http/server.hpp"

namespace spineweave::service::http::test {

// What a handler threw, as the service explains it.
inline Problem explain(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    return problem_of(known);
  } catch (const std::exception& unknown) {
    return {500, "internal", unknown.what()};
  }
}

class TestServer {
 public:
  explicit TestServer(ServerOptions options = {}, std::vector<Route> more = {}) {
    options.port = 0;
    router_.add({Method::get, "/hello", [](const Request&) -> Reply { return respond(200, "\"hello\""); }, {}});
    router_.add({Method::put,
                 "/things/{id}",
                 [](const Request& r) -> Reply { return respond(201, r.parameters[0] + "=" + r.body); },
                 {}});
    router_.add(
        {Method::get, "/things/{id}", [](const Request& r) -> Reply { return respond(200, r.parameters[0]); }, {}});
    router_.add({Method::get, "/open", [](const Request&) -> Reply { return respond(200, "open"); }, Access::open});
    for (Route& route : more) router_.add(std::move(route));
    server_ = std::make_unique<Server>(options, router_, Hooks{explain, [this](const Exchange& exchange) {
                                                                 const std::scoped_lock lock(mutex_);
                                                                 seen_.emplace_back(exchange.route);
                                                               }});
    thread_ = std::thread([this] { server_->run(); });
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;
  ~TestServer() {
    server_->drain();
    join();
  }

  void join() {
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  [[nodiscard]] Server& server() { return *server_; }
  [[nodiscard]] std::vector<std::string> seen() {
    const std::scoped_lock lock(mutex_);
    return seen_;
  }

 private:
  Router router_;
  std::mutex mutex_;
  std::vector<std::string> seen_;  // routes of exchanges
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

}  // namespace spineweave::service::http::test
