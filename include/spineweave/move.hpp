// Moves of single flows to other paths.
#pragma once

#include <cstdint>

#include "spineweave/types.hpp"

namespace spineweave {

struct Move {
  FlowId flow = kNone;
  PathIndex from = kNone;
  PathIndex to = kNone;
};

// The best candidate of a flow against frozen loads, the flow's own load taken out first. Candidates
// are ordered by (largest congestion over their links and active phases, pressure change, index);
// a flow stays (to == its path, pressure_change == 0) unless a candidate beats its own path in the
// first two.
struct BestMove {
  FlowId flow = kNone;
  PathIndex to = kNone;
  std::uint64_t congestion = 0;
  std::int64_t pressure_change = 0;  // of the whole move
};

inline constexpr std::uint32_t kDeadCongestion = 0x80000000U;  // of dead links and holes

}  // namespace spineweave
