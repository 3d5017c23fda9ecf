// Reroutes flows and keeps the loads in step.
#pragma once

#include <cstdint>

#include "platform.cuh"
#include "spineweave/evaluator.hpp"
#include "tuning.hpp"

namespace spineweave::gpu {

enum class Direction : std::uint8_t { forth, back };

// Each flow at most once among the moves. `forth` takes each flow from where it is to `to`; `back`, to
// `from`. Loads are sums, so the order of the moves does not matter.
void launch_apply_moves(const ProblemView& problem, const Move* moves, std::uint32_t num_moves, Direction direction,
                        PathIndex* routing, std::uint32_t* congestion, const Tuning& tuning, cudaStream_t stream);

}  // namespace spineweave::gpu
