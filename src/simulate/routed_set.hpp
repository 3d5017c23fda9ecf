// Problems over some of the collectives: those that communicate now, or are expected to.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "simulate/traffic.hpp"
#include "simulate/turn_phases.hpp"
#include "spineweave/problem.hpp"

namespace spineweave {

struct RoutedSet {
  std::shared_ptr<const Problem> problem;
  std::vector<FlowId> flows;  // [problem's flows] which flow of the traffic each one is
  std::vector<TurnId> turns;  // [problem's jobs] likewise: each turn is a job of its own
};

// `collectives`: ascending, one at least. A collective is routed whole, though some of its flows may have ended
// their step: they come back with the next one. All of them count as active together, but for `phases`: none, or
// some that hold each of their turns. `factors` of their flows' weights: [collectives], or empty.
[[nodiscard]] RoutedSet build_routed_set(const std::shared_ptr<const Fabric>& fabric, const Workload& workload,
                                         const Traffic& traffic, std::span<const CollectiveId> collectives,
                                         std::span<const std::uint32_t> factors, std::span<const TurnPhase> phases,
                                         ProblemOptions options);

}  // namespace spineweave
