#include "rank_jobs.hpp"

#include "check.hpp"
#include "thrust_policy.cuh"
#include "util/host_device.hpp"
#include "warp.cuh"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

namespace spineweave::gpu {
namespace {

// Flow by flow through all routings: which (routing, job) it counts for.
struct KeyOfFlow {
  const JobId* job_of_flow;
  std::uint32_t num_flows, num_jobs;
  SPINEWEAVE_HOST_DEVICE std::uint32_t operator()(std::uint32_t at) const {
    return at / num_flows * num_jobs + job_of_flow[at % num_flows];
  }
};

struct PeakOfFlow {
  const std::uint32_t* flow_congestion;
  SPINEWEAVE_HOST_DEVICE JobPeak operator()(std::uint32_t at) const { return {flow_congestion[at], 1}; }
};

// The higher peak; equal ones add their flows. Associative and commutative, so that the shape of the
// reduction does not show.
struct MergePeaks {
  SPINEWEAVE_HOST_DEVICE JobPeak operator()(const JobPeak& a, const JobPeak& b) const {
    if (a.congestion != b.congestion) return a.congestion > b.congestion ? a : b;
    return {a.congestion, a.flows + b.flows};
  }
};

struct WorseJob {
  SPINEWEAVE_HOST_DEVICE bool operator()(const JobRank& a, const JobRank& b) const {
    if (a.routing != b.routing) return a.routing < b.routing;
    if (a.normalised != b.normalised) return a.normalised > b.normalised;
    return a.at_bottleneck > b.at_bottleneck;
  }
};

// A job without flows has no entry among the values; its peak stays at nothing.
template <unsigned kBlock>
__global__ void __launch_bounds__(kBlock)
    scatter_peaks_kernel(const std::uint32_t* __restrict__ keys, const JobPeak* __restrict__ values,
                         std::uint32_t count, JobPeak* peaks) {
  const std::uint32_t at = blockIdx.x * kBlock + threadIdx.x;
  if (at < count) peaks[keys[at]] = values[at];
}

// N, rounded up: see Problem::normalise.
template <unsigned kBlock>
__global__ void __launch_bounds__(kBlock)
    normalise_peaks_kernel(const JobPeak* __restrict__ peaks, const std::uint64_t* __restrict__ floors,
                           std::uint32_t num_jobs, std::uint32_t count, JobRank* ranks) {
  const std::uint32_t at = blockIdx.x * kBlock + threadIdx.x;
  if (at >= count) return;
  const std::uint64_t floor = floors[at % num_jobs];
  const JobPeak peak = peaks[at];
  ranks[at] = {((std::uint64_t{peak.congestion} << kNormalBits) + floor - 1) / floor, peak.flows, at / num_jobs};
}

}  // namespace

void launch_rank_jobs(const ProblemView& problem, const std::uint32_t* flow_congestion, std::uint32_t num_routings,
                      PeakBuffers& buffers, JobPeak* peaks, JobRank* ranks, Scratch& scratch, const Tuning& tuning,
                      cudaStream_t stream) {
  const std::uint32_t count = num_routings * problem.num_jobs;
  if (count == 0) return;
  SPINEWEAVE_CUDA_CHECK(cudaMemsetAsync(peaks, 0, count * sizeof(JobPeak), stream));
  const thrust::counting_iterator<std::uint32_t> first(0);
  const auto keys =
      thrust::make_transform_iterator(first, KeyOfFlow{problem.job_of_flow, problem.num_flows, problem.num_jobs});
  const auto values = thrust::make_transform_iterator(first, PeakOfFlow{flow_congestion});
  const std::uint32_t flows = num_routings * problem.num_flows;
  std::uint32_t found = 0;
  if (flows > 0)
    found = with_thrust(scratch, stream, [&](const auto& policy) {
      const auto ends = thrust::reduce_by_key(policy, keys, keys + flows, values, buffers.keys.data(),
                                              buffers.values.data(), thrust::equal_to<std::uint32_t>(), MergePeaks());
      return static_cast<std::uint32_t>(ends.first - buffers.keys.data());
    });
  with_block_size(tuning.block, [&](auto block) {
    constexpr unsigned kBlock = decltype(block)::value;
    if (found > 0)
      SPINEWEAVE_CUDA_CHECK(launch({dim3(blocks_for(found, kBlock)), kBlock, 0, stream}, scatter_peaks_kernel<kBlock>,
                                   buffers.keys.data(), buffers.values.data(), found, peaks));
    SPINEWEAVE_CUDA_CHECK(launch({dim3(blocks_for(count, kBlock)), kBlock, 0, stream}, normalise_peaks_kernel<kBlock>,
                                 peaks, problem.floors, problem.num_jobs, count, ranks));
  });
  with_thrust(scratch, stream, [&](const auto& policy) { thrust::sort(policy, ranks, ranks + count, WorseJob()); });
}

}  // namespace spineweave::gpu
