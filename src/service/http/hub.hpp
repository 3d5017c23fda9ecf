// What all connections of a server share. Touched on the server's thread only, but where it says otherwise.
#pragma once

#include <atomic>
#include <list>
#include <string>

#include "service/http/admission.hpp"
#include "service/http/asio.hpp"
#include "service/http/server.hpp"

namespace spineweave::service::http {

// One client, as far as the server looks after it. Whatever waits for the client ends at the deadline.
class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  [[nodiscard]] SteadyClock::time_point deadline() const { return deadline_; }
  // Ends what waits for the client; `expired` tells the reason from others.
  void expire() {
    expired_ = true;
    cancel();
  }
  // The server is about to stop: ends waits that no request depends on.
  virtual void on_drain() = 0;

 protected:
  static constexpr SteadyClock::time_point kNever = SteadyClock::time_point::max();

  virtual void cancel() = 0;
  void set_deadline(SteadyClock::time_point deadline) {
    deadline_ = deadline;
    expired_ = false;
  }
  [[nodiscard]] bool expired() const { return expired_; }

 private:
  SteadyClock::time_point deadline_ = kNever;
  bool expired_ = false;
};

class Hub {
 public:
  Hub(const Router& router, const Limits& limits, Hooks hooks, bool is_loopback);

  [[nodiscard]] asio::io_context& context() { return context_; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  [[nodiscard]] const Hooks& hooks() const { return hooks_; }
  [[nodiscard]] Doorkeeper& doorkeeper() { return doorkeeper_; }
  [[nodiscard]] const std::string& date() const { return date_; }  // of the Date header

  // A connection is looked after while its pass lives.
  class Pass {
   public:
    Pass(Hub& hub, Connection& connection) : hub_(hub) {
      place_ = hub_.connections_.insert(hub_.connections_.end(), &connection);
      ++hub_.num_connections_;
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    ~Pass() {
      hub_.connections_.erase(place_);
      --hub_.num_connections_;
      if (hub_.draining_) hub_.look_.cancel();  // it may have been the last
    }

   private:
    Hub& hub_;
    std::list<Connection*>::iterator place_;
  };

  // Runs the handler and turns what it throws into a response. From any thread.
  template <class Handle>
  [[nodiscard]] Reply guard(Handle&& handle) const {
    try {
      return std::forward<Handle>(handle)();
    } catch (const ProblemError& error) {
      return respond(error.problem());
    } catch (...) {
      return respond(hooks_.explain(std::current_exception()));
    }
  }

  // What becomes of a session that ends by an exception: the others go on.
  [[nodiscard]] auto when_session_ends() const {
    return [this](const std::exception_ptr& error) {
      if (error) (void)hooks_.explain(error);
    };
  }

  // Runs the work on a worker; the caller goes on with its reply on the server's thread.
  [[nodiscard]] asio::awaitable<Reply> run_on_worker(Work work);

  void begin_drain();
  [[nodiscard]] bool draining() const { return draining_; }  // from any thread
  [[nodiscard]] Load load() const;                           // from any thread

  // Cancels what is past its deadline, again and again, until the last connection of a draining server ended.
  [[nodiscard]] asio::awaitable<void> look_after_connections();
  // Ends the workers; what they were asked for is done first.
  void join_workers() { workers_.join(); }

 private:
  void enqueue(const std::function<void()>& work);

  const Limits limits_;
  const Hooks hooks_;
  Doorkeeper doorkeeper_;
  asio::io_context context_{1};
  asio::steady_timer look_{context_};  // the next look after connections
  asio::thread_pool workers_;
  std::list<Connection*> connections_;
  std::string date_;
  SteadyClock::time_point drain_deadline_ = SteadyClock::time_point::max();
  std::atomic<std::uint32_t> num_connections_ = 0, queued_ = 0;
  std::atomic<bool> draining_ = false;
};

}  // namespace spineweave::service::http
