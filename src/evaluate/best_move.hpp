// The best candidate of one flow against frozen congestion.
#pragma once

#include <cstdint>
#include <span>

#include "evaluate/score_core.hpp"
#include "spineweave/evaluator.hpp"

namespace spineweave {

// What the loads look like from one flow: read-only, so that any number of flows look at once.
struct FrozenLoads {
  ProblemView problem;
  const std::uint32_t* congestion;  // [phases * cells], dead cells: kDeadCongestion
};

[[nodiscard]] BestMove find_best_move(const FrozenLoads& loads, FlowId flow, PathIndex current);

}  // namespace spineweave
