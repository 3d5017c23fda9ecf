// Whether one score is better than another, without a word to the host but the answer.
#pragma once

#include "platform.cuh"
#include "rank_jobs.hpp"
#include "sum_pressure.hpp"
#include "tuning.hpp"

namespace spineweave::gpu {

struct DeviceScore {
  const JobRank* ranks = nullptr;  // [num_jobs]
  const LinkTotals* totals = nullptr;
};

// *better: 1 where `after` comes before `before` in the order of Score, else 0.
void launch_compare_scores(const DeviceScore& before, const DeviceScore& after, std::uint32_t num_jobs,
                           std::uint32_t* better, const Tuning& tuning, cudaStream_t stream);

}  // namespace spineweave::gpu
