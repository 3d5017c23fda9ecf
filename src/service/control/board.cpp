#include "service/control/board.hpp"

#include <algorithm>
#include <utility>

#include "service/control/hosts.hpp"

namespace spineweave::service {

void Board::publish(Draft& draft) {
  const std::shared_ptr<const Snapshot> before = present();
  Snapshot& next = draft.next;
  if (next.host_states != before->host_states) {
    const auto count = [&](const auto& is) {
      return static_cast<std::uint32_t>(std::ranges::count_if(*next.host_states, is));
    };
    next.health.hosts_behind = count(is_behind);
    next.health.hosts_pinned = count([](const HostState& state) { return state.pinned; });
  }
  if (next.health != before->health) draft.events.push_back({Event::Kind::health, next.revision, {}, {}, nullptr, {}});
  present_.store(std::make_shared<const Snapshot>(std::move(next)), std::memory_order_release);
  for (const Event& event : draft.events) tell(event);
}

void Board::tell(const Event& event) {
  const std::scoped_lock lock(listeners_->mutex);
  for (const auto& [number, listener] : listeners_->by_number) listener(event);
}

Subscription Board::subscribe(std::function<void(const Event&)> listener) {
  const std::scoped_lock lock(listeners_->mutex);
  const std::uint64_t number = listeners_->next++;
  listeners_->by_number.emplace(number, std::move(listener));
  return Subscription([listeners = listeners_, number] {
    const std::scoped_lock end(listeners->mutex);
    listeners->by_number.erase(number);
  });
}

}  // namespace spineweave::service
