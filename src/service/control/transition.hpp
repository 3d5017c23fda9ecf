// What moving flows does to links on the way: moved flows may be on both paths. Batches keep that low.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "service/control/paths.hpp"
#include "service/control/snapshot.hpp"
#include "spineweave/problem.hpp"

namespace spineweave::service {

// A flow of the problem that moves; paths without links: none. A path over a dead link carries nothing.
struct MovedFlow {
  FlowId flow = kNone;
  std::span<const LinkId> from, to;
};
// A flow that is on another path beside the one it is wanted on, for its host has not acknowledged.
struct StrayFlow {
  FlowId flow = kNone;
  std::span<const LinkId> path;
};

struct TransitionPlan {
  Transition transition;
  std::vector<std::uint32_t> batch;  // [moves]
};

// Loads start from `routing`, the wanted one after all moves. The first batch holds every flow that comes from no live
// path, for they cannot wait. The others go, in the order given, into the first batch in which no link gets fuller than
// the fullest was before or will be after; where that is none, one more batch, up to eight; the last takes what is
// left.
[[nodiscard]] TransitionPlan plan_transition(const Problem& problem, std::span<const PathIndex> routing,
                                             std::span<const MovedFlow> moves, std::span<const StrayFlow> strays);

}  // namespace spineweave::service
