// What all links of each routing carry together.
#pragma once

#include <cstdint>

#include "platform.cuh"
#include "spineweave/problem.hpp"
#include "tuning.hpp"

namespace spineweave::gpu {

struct LinkTotals {
  std::uint64_t pressure = 0;
  std::uint64_t max_congestion = 0;
};
// totals: [num_routings].
void launch_sum_pressure(const ProblemView& problem, const std::uint32_t* congestion, std::uint32_t num_routings,
                         LinkTotals* totals, const Tuning& tuning, cudaStream_t stream);

}  // namespace spineweave::gpu
