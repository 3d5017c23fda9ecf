// Shows the present snapshot to readers, and tells listeners what comes.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "service/control/draft.hpp"

namespace spineweave::service {

class Board {
 public:
  explicit Board(Snapshot first) : present_(std::make_shared<const Snapshot>(std::move(first))) {}

  [[nodiscard]] std::shared_ptr<const Snapshot> present() const { return present_.load(std::memory_order_acquire); }
  // The draft's snapshot becomes the present one. One thread at a time.
  void publish(Draft& draft);
  void tell(const Event& event);
  [[nodiscard]] Subscription subscribe(std::function<void(const Event&)> listener);

 private:
  // Outlives the board as long as a subscription does.
  struct Listeners {
    std::mutex mutex;
    std::map<std::uint64_t, std::function<void(const Event&)>> by_number;
    std::uint64_t next = 0;
  };
  std::atomic<std::shared_ptr<const Snapshot>> present_;
  std::shared_ptr<Listeners> listeners_ = std::make_shared<Listeners>();
};

}  // namespace spineweave::service
