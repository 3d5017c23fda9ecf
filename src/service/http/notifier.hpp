// Waking those who wait for something, from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace spineweave::service::http {

class Notifier : public std::enable_shared_from_this<Notifier> {
 public:
  using Waker = std::function<void()>;

  // Wakes until it is destroyed.
  class Ticket {
   public:
    Ticket(std::shared_ptr<Notifier> owner, std::uint64_t number) : owner_(std::move(owner)), number_(number) {}
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;
    ~Ticket() {
      const std::scoped_lock lock(owner_->mutex_);
      owner_->wakers_.erase(number_);
    }

   private:
    std::shared_ptr<Notifier> owner_;
    std::uint64_t number_;
  };

  // The waker is called under the notifier's lock: it must only hand the news on.
  [[nodiscard]] Ticket add(Waker waker) {
    const std::scoped_lock lock(mutex_);
    wakers_.emplace(++last_, std::move(waker));
    return {shared_from_this(), last_};
  }

  void notify() {
    const std::scoped_lock lock(mutex_);
    for (const auto& [number, wake] : wakers_) wake();
  }

 private:
  std::mutex mutex_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Waker> wakers_;
};

}  // namespace spineweave::service::http
