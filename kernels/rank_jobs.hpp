// The ordered vector of jobs, which is what routings are compared by.
#pragma once

#include <cstdint>

#include "device_buffer.cuh"
#include "scratch.cuh"
#include "spineweave/problem.hpp"
#include "tuning.hpp"

namespace spineweave::gpu {

// A job's bottleneck and how many of its flows meet it.
struct JobPeak {
  std::uint32_t congestion = 0;
  std::uint32_t flows = 0;
};

struct JobRank {
  std::uint64_t normalised = 0;
  std::uint32_t at_bottleneck = 0;
  std::uint32_t routing = 0;
};

// What the keyed reduction writes: one entry for each (routing, job) that has flows. Sized for
// num_routings * num_jobs.
struct PeakBuffers {
  DeviceBuffer<std::uint32_t> keys;
  DeviceBuffer<JobPeak> values;
  void reserve(std::size_t count) { keys.reserve(count), values.reserve(count); }
};

// num_routings * num_flows and num_routings * num_jobs stay below 2^32: with 64-bit places the reduction
// would spill registers on several architectures.
// peaks: [num_routings * num_jobs], by job; ranks: [num_routings * num_jobs], of each routing the worst
// job first (equal N: more flows at the bottleneck first).
void launch_rank_jobs(const ProblemView& problem, const std::uint32_t* flow_congestion, std::uint32_t num_routings,
                      PeakBuffers& buffers, JobPeak* peaks, JobRank* ranks, Scratch& scratch, const Tuning& tuning,
                      cudaStream_t stream);

}  // namespace spineweave::gpu
