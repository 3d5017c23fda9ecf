// What to believe of a link or a switch: what is worse at once, what is better after it has held for a while.
#pragma once

#include <optional>

#include "service/control/options.hpp"
#include "service/control/snapshot.hpp"

namespace spineweave::service {

struct HoldUp {
  Nanoseconds least{0}, most{0};
};
[[nodiscard]] inline HoldUp hold_up_of(const ControllerOptions& options) {
  return {options.hold_up, options.hold_up_most};
}

// All times are wall times. A link that fails again soon is trusted less: each failure within `most` of the one before
// doubles the time that it must hold. (Route flap damping: RFC 2439, with the penalty in the time itself.)
void take_report(PortReport& port, const PortState& state, Nanoseconds observed_at, Nanoseconds now,
                 const HoldUp& hold_up);

// When to believe what is reported; nothing where it is believed already. A wall clock that was set back holds nothing
// longer than `most`.
[[nodiscard]] std::optional<Nanoseconds> held_for(const PortReport& port, Nanoseconds now, const HoldUp& hold_up);

}  // namespace spineweave::service
