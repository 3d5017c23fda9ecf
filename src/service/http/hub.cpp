#include "service/http/hub.hpp"

#include <fmt/chrono.h>

#include <ctime>
#include <functional>
#include <utility>

namespace spineweave::service::http {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};

// "Mon, 30 Nov 2026 19:05:26 GMT"
std::string date_now() { return fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(std::time(nullptr))); }

}  // namespace

Hub::Hub(const Router& router, const Limits& limits, Hooks hooks, bool is_loopback)
    : limits_(limits),
      hooks_(std::move(hooks)),
      doorkeeper_(router, limits_, is_loopback),
      workers_(limits.workers),
      date_(date_now()) {}

asio::awaitable<void> Hub::look_after_connections() {
  error_code ignored;
  while (!draining_ || !connections_.empty()) {
    look_.expires_after(kBetweenLooks);
    co_await look_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    date_ = date_now();
    const auto now = SteadyClock::now();
    // Ending one only cancels what it waits for: it leaves the list later.
    for (Connection* connection : connections_)
      if (connection->deadline() <= now || drain_deadline_ <= now) connection->expire();
  }
}

void Hub::begin_drain() {
  if (draining_.exchange(true)) return;
  drain_deadline_ = SteadyClock::now() + limits_.drain;
  for (Connection* connection : connections_) connection->on_drain();
  look_.cancel();
}

Load Hub::load() const { return {num_connections_, queued_, draining_}; }

asio::awaitable<Reply> Hub::run_on_worker(Work work) {
  if (queued_ >= limits_.queued)
    co_return respond({503,
                       "queue-full",
                       fmt::format("{} requests wait for a worker already", limits_.queued),
                       {{"Retry-After", "1"}}});
  Reply reply;
  const auto initiate = [&](auto handler) {
    // Not copyable, which std::function insists on.
    auto resume = std::make_shared<decltype(handler)>(std::move(handler));
    enqueue([&, resume] {
      reply = guard(work.run);
      asio::post(context_, [resume] { (*resume)(); });
    });
  };
  co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(initiate, asio::use_awaitable);
  co_return reply;
}

void Hub::enqueue(const std::function<void()>& work) {
  ++queued_;
  asio::post(workers_, [this, work] {
    work();
    --queued_;
  });
}

}  // namespace spineweave::service::http
