#include "service/control/port_states.hpp"

#include <algorithm>
#include <limits>

namespace spineweave::service {
namespace {

constexpr std::uint32_t kMostDoublings = 20;

std::uint64_t capacity(const PortState& state) {
  switch (state.state) {
    case LinkState::down:
      return 0;
    case LinkState::degraded:
      return state.degraded_bps;
    case LinkState::up:
      return std::numeric_limits<std::uint64_t>::max();
  }
  return 0;
}

}  // namespace

void take_report(PortReport& port, const PortState& state, Nanoseconds observed_at, Nanoseconds now,
                 const HoldUp& hold_up) {
  port.observed_at = observed_at;
  const std::uint64_t was = capacity(port.reported);
  port.reported = state;
  if (capacity(state) < was) {
    const bool again = port.got_worse_at.count() > 0 && now - port.got_worse_at < hold_up.most;
    port.flaps = again ? std::min(port.flaps + 1, kMostDoublings) : 0;
    port.got_worse_at = now;
  }
  if (capacity(state) <= capacity(port.believed)) {
    port.believed = state;
    port.held_until = Nanoseconds(0);
  } else if (port.held_until.count() == 0) {
    port.held_until = now + std::min(hold_up.most, hold_up.least * (std::int64_t{1} << port.flaps));
  }
}

std::optional<Nanoseconds> held_for(const PortReport& port, Nanoseconds now, const HoldUp& hold_up) {
  if (port.held_until.count() == 0) return std::nullopt;
  const Nanoseconds left = port.held_until - now;
  return left > hold_up.most ? Nanoseconds(0) : std::max(Nanoseconds(0), left);
}

}  // namespace spineweave::service
