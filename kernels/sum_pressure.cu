#include "sum_pressure.hpp"

#include <algorithm>

#include "check.hpp"
#include "evaluate/score_core.hpp"
#include "warp.cuh"

namespace spineweave::gpu {
namespace {

constexpr unsigned kCellsPerThread = 16;

// Each block sums a share of one routing's cells; integer sums and maxima commute, so the order in which
// the shares arrive does not show.
template <unsigned kBlock>
__global__ void __launch_bounds__(kBlock)
    sum_pressure_kernel(const __grid_constant__ ProblemView problem, const std::uint32_t* __restrict__ congestion,
                        LinkTotals* totals) {
  const std::size_t places = std::size_t{problem.num_phases} * problem.paths.num_cells;
  const std::uint32_t* const own = congestion + blockIdx.y * places;
  std::uint64_t pressure = 0;
  std::uint32_t most = 0;
  for (std::size_t place = std::size_t{blockIdx.x} * kBlock + threadIdx.x; place < places;
       place += std::size_t{gridDim.x} * kBlock) {
    const std::uint32_t c = own[place];
    if (c >= kDeadCongestion) continue;
    pressure += std::uint64_t{c} * c * problem.phase_weights[place / problem.paths.num_cells];
    most = larger_of(most, c);
  }
  SPINEWEAVE_SHARED_ARRAY(std::uint64_t, pressures, kBlock / kWarp);
  SPINEWEAVE_SHARED_ARRAY(std::uint32_t, maxima, kBlock / kWarp);
  pressure = warp_sum(pressure);
  most = warp_max(most);
  if (lane() == 0) pressures[warp_in_block()] = pressure, maxima[warp_in_block()] = most;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned warp = 1; warp < kBlock / kWarp; ++warp) {
    pressure += pressures[warp];
    most = larger_of(most, maxima[warp]);
  }
  atomic_add(&totals[blockIdx.y].pressure, pressure);
  atomic_max(&totals[blockIdx.y].max_congestion, most);
}

}  // namespace

void launch_sum_pressure(const ProblemView& problem, const std::uint32_t* congestion, std::uint32_t num_routings,
                         LinkTotals* totals, const Tuning& tuning, cudaStream_t stream) {
  const std::size_t places = std::size_t{problem.num_phases} * problem.paths.num_cells;
  SPINEWEAVE_CUDA_CHECK(cudaMemsetAsync(totals, 0, num_routings * sizeof(LinkTotals), stream));
  with_block_size(tuning.block, [&](auto block) {
    constexpr unsigned kBlock = decltype(block)::value;
    for (std::uint32_t first = 0; first < num_routings; first += tuning.grid_rows) {
      const unsigned rows = std::min(num_routings - first, tuning.grid_rows);
      SPINEWEAVE_CUDA_CHECK(launch({dim3(blocks_for(places, kBlock * kCellsPerThread), rows), kBlock, 0, stream},
                                   sum_pressure_kernel<kBlock>, problem, congestion + first * places, totals + first));
    }
  });
}

}  // namespace spineweave::gpu
