#include "accumulate_loads.hpp"

#include <algorithm>

#include "check.hpp"
#include "evaluate/score_core.hpp"
#include "warp.cuh"

namespace spineweave::gpu {
namespace {

__device__ std::size_t num_places(const ProblemView& problem) {
  return std::size_t{problem.num_phases} * problem.paths.num_cells;
}

__device__ std::uint32_t empty_cell(const ProblemView& problem, std::size_t place) {
  return problem.scales[place % problem.paths.num_cells] == 0 ? kDeadCongestion : 0;
}

template <unsigned kBlock>
__global__ void __launch_bounds__(kBlock)
    clear_loads_kernel(const __grid_constant__ ProblemView problem, std::uint32_t* congestion) {
  const std::size_t count = num_places(problem);
  std::uint32_t* const own = congestion + blockIdx.y * count;
  for (std::size_t place = std::size_t{blockIdx.x} * kBlock + threadIdx.x; place < count;
       place += std::size_t{gridDim.x} * kBlock)
    own[place] = empty_cell(problem, place);
}

// Every block adds a share of one routing's flows straight to the device's memory.
template <unsigned kBlock>
__global__ void __launch_bounds__(kBlock)
    accumulate_loads_kernel(const __grid_constant__ ProblemView problem, const PathIndex* __restrict__ routings,
                            std::uint32_t* congestion) {
  const PathIndex* const routing = routings + std::size_t{blockIdx.y} * problem.num_flows;
  std::uint32_t* const own = congestion + blockIdx.y * num_places(problem);
  for (FlowId flow = blockIdx.x * kBlock + threadIdx.x; flow < problem.num_flows; flow += gridDim.x * kBlock) {
    if (routing[flow] == kNone) continue;
    visit_loads(problem, flow, routing[flow],
                [&](std::size_t place, std::uint32_t amount) { atomicAdd(&own[place], amount); });
  }
}

// One block a routing, which sums in its shared memory. 32 bits hold every sum: the problem's precision
// sees to it.
template <unsigned kBlock>
__global__ void __launch_bounds__(kBlock)
    accumulate_private_loads_kernel(const __grid_constant__ ProblemView problem, const PathIndex* __restrict__ routings,
                                    std::uint32_t* congestion) {
  SPINEWEAVE_SHARED_DYNAMIC(std::uint32_t, sums);
  const auto count = static_cast<std::uint32_t>(num_places(problem));
  for (std::uint32_t place = threadIdx.x; place < count; place += kBlock) sums[place] = empty_cell(problem, place);
  __syncthreads();
  const PathIndex* const routing = routings + std::size_t{blockIdx.y} * problem.num_flows;
  for (FlowId flow = threadIdx.x; flow < problem.num_flows; flow += kBlock) {
    if (routing[flow] == kNone) continue;
    visit_loads(problem, flow, routing[flow],
                [&](std::size_t place, std::uint32_t amount) { atomicAdd(&sums[place], amount); });
  }
  __syncthreads();
  std::uint32_t* const own = congestion + std::size_t{blockIdx.y} * count;
  for (std::uint32_t place = threadIdx.x; place < count; place += kBlock) own[place] = sums[place];
}

}  // namespace

void launch_accumulate_loads(const ProblemView& problem, const PathIndex* routings, std::uint32_t num_routings,
                             std::uint32_t* congestion, const Tuning& tuning, cudaStream_t stream) {
  const std::size_t places = std::size_t{problem.num_phases} * problem.paths.num_cells;
  const std::size_t private_bytes = places * sizeof(std::uint32_t);
  const bool is_private = private_bytes <= tuning.private_load_bytes && num_routings >= tuning.private_routings;
  with_block_size(tuning.block, [&](auto block) {
    constexpr unsigned kBlock = decltype(block)::value;
    for (std::uint32_t first = 0; first < num_routings; first += tuning.grid_rows) {
      const unsigned rows = std::min(num_routings - first, tuning.grid_rows);
      const PathIndex* const from = routings + std::size_t{first} * problem.num_flows;
      std::uint32_t* const to = congestion + first * places;
      if (is_private) {
        SPINEWEAVE_CUDA_CHECK(launch({dim3(1, rows), kBlock, private_bytes, stream},
                                     accumulate_private_loads_kernel<kBlock>, problem, from, to));
        continue;
      }
      SPINEWEAVE_CUDA_CHECK(
          launch({dim3(blocks_for(places, kBlock), rows), kBlock, 0, stream}, clear_loads_kernel<kBlock>, problem, to));
      if (problem.num_flows > 0)
        SPINEWEAVE_CUDA_CHECK(launch({dim3(blocks_for(problem.num_flows, kBlock), rows), kBlock, 0, stream},
                                     accumulate_loads_kernel<kBlock>, problem, from, to));
    }
  });
}

cudaError_t find_device_code() {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, accumulate_loads_kernel<64>);
}

}  // namespace spineweave::gpu
