#include "compare_scores.hpp"

#include "check.hpp"
#include "evaluate/score_core.hpp"
#include "warp.cuh"

namespace spineweave::gpu {
namespace {

// Scores compare all N first, then all counts, then the pressure: the first difference decides. One
// block finds the first place where either differs.
template <unsigned kBlock>
__global__ void __launch_bounds__(kBlock)
    compare_scores_kernel(const __grid_constant__ DeviceScore before, const __grid_constant__ DeviceScore after,
                          std::uint32_t num_jobs, std::uint32_t* better) {
  std::uint32_t first_normalised = kNone, first_flows = kNone;
  for (std::uint32_t at = threadIdx.x; at < num_jobs; at += kBlock) {
    if (first_normalised == kNone && before.ranks[at].normalised != after.ranks[at].normalised) first_normalised = at;
    if (first_flows == kNone && before.ranks[at].at_bottleneck != after.ranks[at].at_bottleneck) first_flows = at;
  }
  SPINEWEAVE_SHARED_ARRAY(std::uint32_t, normalised_of_warp, kBlock / kWarp);
  SPINEWEAVE_SHARED_ARRAY(std::uint32_t, flows_of_warp, kBlock / kWarp);
  first_normalised = warp_min(first_normalised);
  first_flows = warp_min(first_flows);
  if (lane() == 0) normalised_of_warp[warp_in_block()] = first_normalised, flows_of_warp[warp_in_block()] = first_flows;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned warp = 1; warp < kBlock / kWarp; ++warp) {
    if (normalised_of_warp[warp] < first_normalised) first_normalised = normalised_of_warp[warp];
    if (flows_of_warp[warp] < first_flows) first_flows = flows_of_warp[warp];
  }
  bool is_better = after.totals->pressure < before.totals->pressure;
  if (first_flows != kNone)
    is_better = after.ranks[first_flows].at_bottleneck < before.ranks[first_flows].at_bottleneck;
  if (first_normalised != kNone)
    is_better = after.ranks[first_normalised].normalised < before.ranks[first_normalised].normalised;
  *better = is_better ? 1 : 0;
}

}  // namespace

void launch_compare_scores(const DeviceScore& before, const DeviceScore& after, std::uint32_t num_jobs,
                           std::uint32_t* better, const Tuning& tuning, cudaStream_t stream) {
  with_block_size(tuning.block, [&](auto block) {
    constexpr unsigned kBlock = decltype(block)::value;
    SPINEWEAVE_CUDA_CHECK(
        launch({dim3(1), kBlock, 0, stream}, compare_scores_kernel<kBlock>, before, after, num_jobs, better));
  });
}

}  // namespace spineweave::gpu
