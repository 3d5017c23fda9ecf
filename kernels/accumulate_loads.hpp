// Link loads of whole routings, one or many at once.
#pragma once

#include <cstdint>

#include "platform.cuh"
#include "spineweave/problem.hpp"
#include "tuning.hpp"

namespace spineweave::gpu {

// routings: [num_routings * num_flows], kNone where a flow has no path; congestion: [num_routings *
// phases * cells], overwritten; dead cells get kDeadCongestion.
void launch_accumulate_loads(const ProblemView& problem, const PathIndex* routings, std::uint32_t num_routings,
                             std::uint32_t* congestion, const Tuning& tuning, cudaStream_t stream);

// cudaSuccess where this build holds code that the current device can run.
[[nodiscard]] cudaError_t find_device_code();

}  // namespace spineweave::gpu
