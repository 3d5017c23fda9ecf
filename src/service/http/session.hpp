// One client's connection, from its first request to its last.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "service/http/asio.hpp"
#include "service/http/hub.hpp"
#include "service/http/parsing.hpp"

#include <boost/beast/http/read.hpp>

namespace spineweave::service::http {

inline const auto kAwaitable = asio::use_awaitable;

// `Transport` is a socket, or TLS over one.
template <class Transport>
class Session final : public Connection, public std::enable_shared_from_this<Session<Transport>> {
 public:
  // `transport`: what it is made of.
  template <class... Parts>
  Session(Hub& hub, std::string client, Parts&&... transport)
      : hub_(hub),
        client_(std::move(client)),
        transport_(std::forward<Parts>(transport)...),
        alarm_(hub.context()),
        buffer_(hub.limits().header_bytes) {}

  // Until the client leaves, is too slow or too idle, or the server stops.
  asio::awaitable<void> serve() {
    const Hub::Pass pass(hub_, *this);
    bool goes_on = co_await shake_hands();
    while (goes_on && !hub_.draining()) {
      goes_on = co_await wait_for_request();
      if (goes_on) goes_on = co_await exchange();
    }
    close();
  }

  void on_drain() override {
    if (is_idle_) cancel();
    alarm_.cancel();
  }

 private:
  template <std::size_t N>
  using Pieces = std::array<asio::const_buffer, N>;

  void cancel() override {
    error_code ignored;
    socket().cancel(ignored);
  }

  [[nodiscard]] tcp::socket& socket() {
    if constexpr (kIsPlain) {
      return transport_;
    } else {
      return transport_.next_layer();
    }
  }

  void close() {
    error_code ignored;
    socket().shutdown(tcp::socket::shutdown_both, ignored);
    socket().close(ignored);
  }

  asio::awaitable<bool> shake_hands() {
    error_code error;
    if constexpr (!kIsPlain) {
      set_deadline(SteadyClock::now() + hub_.limits().request);
      co_await transport_.async_handshake(Transport::server, asio::redirect_error(kAwaitable, error));
    }
    co_return !error;
  }

  // Reads the first bytes of a request, unless they are there already.
  asio::awaitable<bool> wait_for_request() {
    constexpr std::size_t kFirstBytes = 4096;
    if (buffer_.size() > 0) co_return true;
    is_idle_ = true;
    set_deadline(SteadyClock::now() + hub_.limits().idle);
    error_code error;
    const auto room = buffer_.prepare(std::min(kFirstBytes, hub_.limits().header_bytes));
    const std::size_t got = co_await transport_.async_read_some(room, asio::redirect_error(kAwaitable, error));
    buffer_.commit(got);
    is_idle_ = false;
    co_return !error;
  }

  // One request and its response; false: the connection ends with it.
  asio::awaitable<bool> exchange() {
    set_deadline(SteadyClock::now() + hub_.limits().request);
    began_ = SteadyClock::now();
    route_ = {};
    head_ = {};
    HeadParser head;
    head.header_limit(static_cast<std::uint32_t>(hub_.limits().header_bytes));
    head.body_limit(std::numeric_limits<std::uint64_t>::max());  // admission knows better what to say
    error_code error;
    co_await beast::http::async_read_header(transport_, buffer_, head, asio::redirect_error(kAwaitable, error));
    if (error) co_return co_await end_with(problem_of_read(error));

    keep_alive_ = head.keep_alive();
    head_ = head_of(head);
    std::optional<Admitted> admitted;
    Reply reply = hub_.guard([&]() -> Reply {
      auto decision = hub_.doorkeeper().admit(head_);
      if (auto* response = std::get_if<Response>(&decision)) return std::move(*response);
      admitted = std::get<Admitted>(std::move(decision));
      return Response{};
    });
    if (!admitted) {
      // Nobody reads the body, so what follows it cannot be found.
      if (!head.is_done()) keep_alive_ = false;
      Response refusal = std::get<Response>(std::move(reply));
      co_return co_await answer(std::move(refusal));
    }

    route_ = admitted->route->path;
    std::optional<Problem> problem = co_await read_body(head, admitted->request);
    if (problem) co_return co_await end_with(std::move(*problem));
    set_deadline(kNever);
    reply = hub_.guard([&]() -> Reply {
      inflate_body(admitted->request, hub_.limits());
      return admitted->route->handler(std::move(admitted->request));
    });
    co_return co_await settle(std::move(reply));
  }

  asio::awaitable<std::optional<Problem>> read_body(HeadParser& head, Request& request) {
    error_code error;
    if (request.header("Expect") && !head.is_done()) {
      static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
      co_await asio::async_write(transport_, asio::buffer(kContinue), asio::redirect_error(kAwaitable, error));
      if (error) co_return problem_of_read(error);
    }
    BodyParser body(std::move(head));
    body.body_limit(hub_.limits().body_bytes);
    co_await beast::http::async_read(transport_, buffer_, body, asio::redirect_error(kAwaitable, error));
    if (error) co_return problem_of_read(error);
    request.body = std::move(body.get().body());
    co_return std::nullopt;
  }

  [[nodiscard]] Problem problem_of_read(const error_code& error) const {
    if (expired())
      return {408, "too-slow", fmt::format("the request was not complete after {} ms", hub_.limits().request.count())};
    return problem_of(error, hub_.limits());
  }

  // Answers, where there is somebody to answer, and gives up on the rest of the request.
  asio::awaitable<bool> end_with(Problem problem) {
    keep_alive_ = false;
    if (problem.status != 0) {
      Response response = respond(std::move(problem));
      co_await answer(std::move(response));
    }
    co_return false;
  }

  // Follows a reply to its response.
  asio::awaitable<bool> settle(Reply reply) {
    while (auto* work = std::get_if<Work>(&reply)) {
      Work next = std::move(*work);
      reply = co_await hub_.run_on_worker(std::move(next));
    }
    if (auto* wait = std::get_if<Wait>(&reply)) {
      Wait patience = std::move(*wait);
      reply = co_await wait_for_news(std::move(patience));
    }
    if (is_gone_) co_return false;
    if (auto* stream = std::get_if<Stream>(&reply)) {
      Stream events = std::move(*stream);
      co_return co_await send_events(std::move(events));
    }
    Response response = std::get<Response>(std::move(reply));
    co_return co_await answer(std::move(response));
  }

  asio::awaitable<Reply> wait_for_news(Wait wait) {
    const auto until = SteadyClock::now() + wait.at_most;
    const auto ticket = wait.news->add(waker());
    watch_for_departure();
    std::optional<Response> response;
    while (!is_gone_) {
      has_news_ = false;
      const bool is_last = hub_.draining() || SteadyClock::now() >= until;
      Reply asked = hub_.guard([&]() -> Reply {
        response = wait.ask(is_last);
        return Response{};
      });
      if (auto* error = std::get_if<Response>(&asked); error->status >= 400) response = std::move(*error);
      if (response) break;
      co_await sleep_until(until);
    }
    cancel();  // the watch
    if (response) co_return std::move(*response);
    co_return Response{};
  }

  asio::awaitable<bool> send_events(Stream stream) {
    Response response{200, "text/event-stream", nullptr, {}};
    if (!head_.speaks_1_1) {
      Problem problem{505, "http-version", "event streams need HTTP/1.1"};
      co_return co_await end_with(std::move(problem));
    }
    keep_alive_ = false;
    if (head_.method == "HEAD") co_return co_await answer(std::move(response));
    const auto ticket = stream.events->news()->add(waker());
    std::string text = head_text(response, hub_.date(), {.keep_alive = false, .is_chunked = true});
    const Pieces<1> opening = {asio::buffer(text)};
    bool goes_on = co_await write(opening);
    watch_for_departure();
    while (goes_on && !is_gone_) {
      has_news_ = false;
      const bool ends = stream.events->closed() || hub_.draining();
      text = joined(stream.events->take());
      if (text.empty() && ends) break;
      if (text.empty()) {
        co_await sleep_until(SteadyClock::now() + hub_.limits().heartbeat);
        if (has_news_ || hub_.draining()) continue;
        text = ":\n\n";  // a comment, to see whether the client is still there
      }
      const std::string size = fmt::format("{:x}\r\n", text.size());
      const Pieces<3> chunk = {asio::buffer(size), asio::buffer(text), asio::buffer(kLineEnd)};
      goes_on = co_await write(chunk);
    }
    const Pieces<1> ending = {asio::buffer(kLastChunk)};
    if (goes_on && !is_gone_) co_await write(ending);
    note(response, 0);
    co_return false;
  }

  [[nodiscard]] static std::string joined(const std::vector<EventQueue::Text>& events) {
    std::string text;
    for (const EventQueue::Text& event : events) text += *event;
    return text;
  }

  asio::awaitable<bool> answer(Response response) {
    keep_alive_ = keep_alive_ && !hub_.draining();
    std::string head = head_text(response, hub_.date(), {.keep_alive = keep_alive_});
    const bool has_body = response.body && head_.method != "HEAD";
    const std::string_view body = has_body ? std::string_view(*response.body) : std::string_view();
    const Pieces<2> pieces = {asio::buffer(head), asio::buffer(body)};
    const bool is_written = co_await write(pieces);
    note(response, body.size());
    if (is_written && !keep_alive_) co_await linger();
    co_return is_written&& keep_alive_;
  }

  template <std::size_t N>
  asio::awaitable<bool> write(Pieces<N> pieces) {
    const auto bytes = static_cast<std::int64_t>(asio::buffer_size(pieces));
    set_deadline(SteadyClock::now() + hub_.limits().response + std::chrono::seconds(bytes / kSlowestBytesPerSecond));
    error_code error;
    co_await asio::async_write(transport_, pieces, asio::redirect_error(kAwaitable, error));
    set_deadline(kNever);
    co_return !error;
  }

  // What arrives after the socket was closed makes the other side drop the response unread: so reads on a
  // little while.
  asio::awaitable<void> linger() {
    constexpr std::chrono::seconds kPatience{1};
    constexpr std::size_t kMostBytes = std::size_t{1} << 20U;
    error_code error;
    if constexpr (kIsPlain) transport_.shutdown(tcp::socket::shutdown_send, error);
    set_deadline(SteadyClock::now() + kPatience);
    std::array<char, 4096> dropped;
    for (std::size_t total = 0; !error && total < kMostBytes && !hub_.draining();)
      total += co_await transport_.async_read_some(asio::buffer(dropped), asio::redirect_error(kAwaitable, error));
  }

  // Until there is news, the client is gone, the server drains, or then.
  asio::awaitable<void> sleep_until(SteadyClock::time_point then) {
    error_code ignored;
    alarm_.expires_at(then);
    co_await alarm_.async_wait(asio::redirect_error(kAwaitable, ignored));
  }

  // From any thread. The news is brought on the server's thread, where the session then sleeps or has not
  // looked yet.
  [[nodiscard]] Notifier::Waker waker() {
    return [this, weak = this->weak_from_this()] {
      asio::post(hub_.context(), [this, weak] {
        if (const auto alive = weak.lock()) {
          has_news_ = true;
          alarm_.cancel();
        }
      });
    };
  }

  // While nothing is read: to see that the client closes the connection.
  void watch_for_departure() {
    socket().async_wait(tcp::socket::wait_read, [self = this->shared_from_this()](const error_code& error) {
      if (error) return;
      char byte = 0;
      error_code state;
      const auto peeked = self->socket().receive(asio::buffer(&byte, 1), tcp::socket::message_peek, state);
      if (state == asio::error::would_block || peeked > 0) return;  // it has more to say, later
      self->is_gone_ = true;
      self->alarm_.cancel();
    });
  }

  void note(const Response& response, std::size_t bytes) const {
    hub_.hooks().on_exchange(
        {head_.method, head_.target, route_, client_, response.status, bytes, SteadyClock::now() - began_});
  }

  static constexpr bool kIsPlain = std::is_same_v<Transport, tcp::socket>;
  static constexpr std::int64_t kSlowestBytesPerSecond = std::int64_t{256} << 10;  // of a client that reads at all
  static constexpr std::string_view kLineEnd = "\r\n";
  static constexpr std::string_view kLastChunk = "0\r\n\r\n";

  Hub& hub_;
  const std::string client_;
  Transport transport_;
  asio::steady_timer alarm_;
  beast::flat_buffer buffer_;

  // Of the present request.
  Head head_;
  std::string_view route_;
  SteadyClock::time_point began_;
  bool keep_alive_ = true;

  bool is_idle_ = false;
  bool is_gone_ = false;   // seen while waiting
  bool has_news_ = false;  // since the last look
};

}  // namespace spineweave::service::http
