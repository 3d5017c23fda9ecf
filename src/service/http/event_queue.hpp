// What one event stream still has to send. Filled from any thread, emptied by its connection.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "service/http/notifier.hpp"

namespace spineweave::service::http {

class EventQueue {
 public:
  using Text = std::shared_ptr<const std::string>;  // of one event, shared by all streams

  // A client that lets more pile up is cut off: it will come back and ask for the present state.
  static constexpr std::size_t kMost = 1024;

  void push(Text event) {
    {
      const std::scoped_lock lock(mutex_);
      if (closed_) return;
      if (waiting_.size() == kMost) {
        closed_ = true;
        waiting_.clear();
      } else {
        waiting_.push_back(std::move(event));
      }
    }
    news_->notify();
  }

  void close() {
    {
      const std::scoped_lock lock(mutex_);
      closed_ = true;
    }
    news_->notify();
  }

  // Everything that waits, in order.
  [[nodiscard]] std::vector<Text> take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(waiting_, {});
  }
  // Nothing will come any more.
  [[nodiscard]] bool closed() const {
    const std::scoped_lock lock(mutex_);
    return closed_;
  }
  [[nodiscard]] const std::shared_ptr<Notifier>& news() const { return news_; }

 private:
  mutable std::mutex mutex_;
  std::vector<Text> waiting_;
  bool closed_ = false;
  std::shared_ptr<Notifier> news_ = std::make_shared<Notifier>();
};

}  // namespace spineweave::service::http
