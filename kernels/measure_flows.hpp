// What each flow of each routing meets.
#pragma once

#include <cstdint>

#include "platform.cuh"
#include "spineweave/problem.hpp"
#include "tuning.hpp"

namespace spineweave::gpu {

// flow_congestion: [num_routings * num_flows], the largest congestion on each flow's path, 0 without one.
void launch_measure_flows(const ProblemView& problem, const PathIndex* routings, const std::uint32_t* congestion,
                          std::uint32_t num_routings, std::uint32_t* flow_congestion, const Tuning& tuning,
                          cudaStream_t stream);

}  // namespace spineweave::gpu
