// The best of all candidates of each flow against frozen loads.
#pragma once

#include <cstdint>

#include "platform.cuh"
#include "spineweave/evaluator.hpp"
#include "tuning.hpp"

namespace spineweave::gpu {

// flows: [num_flows] ids in any order; moves: [num_flows] in the same order. Where `resting` is given
// ([problem.num_flows], 0 or 1), flows that rest are reported as staying, unscored.
struct ScoreRequest {
  const FlowId* flows = nullptr;
  std::uint32_t num_flows = 0;
  const PathIndex* routing = nullptr;
  const std::uint32_t* congestion = nullptr;
  const std::uint8_t* resting = nullptr;
};
void launch_score_candidates(const ProblemView& problem, const ScoreRequest& request, BestMove* moves,
                             const Tuning& tuning, cudaStream_t stream);

}  // namespace spineweave::gpu
