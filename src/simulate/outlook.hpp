// What a controller knows of the flows that it routes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "simulate/traffic.hpp"
#include "simulate/turn_phases.hpp"
#include "simulate/units.hpp"

namespace spineweave {

struct Outlook {
  std::function<bool(FlowId)> under_way;         // that it changes its route is a move
  std::function<Volume(CollectiveId)> left;      // that its slowest flow has to send, until the horizon
  std::function<std::uint64_t(TurnId)> left_ns;  // of its communication, where nothing but access links binds
  std::vector<TurnPhase> phases;                 // empty: all at once
};

}  // namespace spineweave
