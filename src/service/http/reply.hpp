// What a handler answers: at once, from a worker, after a wait, or as a stream of events.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <variant>

#include "service/http/event_queue.hpp"
#include "service/http/limits.hpp"
#include "service/http/message.hpp"
#include "service/http/notifier.hpp"

namespace spineweave::service::http {

struct Work;
struct Wait;
struct Stream;
using Reply = std::variant<Response, Work, Wait, Stream>;

// Handlers run on the thread that serves all connections. What takes long or waits for the disk goes to a
// worker thread.
struct Work {
  std::function<Reply()> run;
};

// Asked at first, after every notification and at the end, until there is a response. A client that waits
// takes no thread.
struct Wait {
  std::shared_ptr<Notifier> news;
  SteadyClock::duration at_most{};
  std::function<std::optional<Response>(bool is_last)> ask;  // the last time it must answer
};

// Server-sent events, until the queue is closed or the client leaves.
struct Stream {
  std::shared_ptr<EventQueue> events;
};

using Handler = std::function<Reply(Request)>;

// A handler for a worker.
[[nodiscard]] inline Handler on_worker(Handler handler) {
  return [handler = std::move(handler)](Request request) -> Reply {
    return Work{[handler, request = std::move(request)]() mutable { return handler(std::move(request)); }};
  };
}

}  // namespace spineweave::service::http
