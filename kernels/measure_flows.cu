#include "measure_flows.hpp"

#include <algorithm>

#include "check.hpp"
#include "evaluate/score_core.hpp"
#include "warp.cuh"

namespace spineweave::gpu {
namespace {

template <unsigned kBlock>
__global__ void __launch_bounds__(kBlock)
    measure_flows_kernel(const __grid_constant__ ProblemView problem, const PathIndex* __restrict__ routings,
                         const std::uint32_t* __restrict__ congestion, std::uint32_t* flow_congestions) {
  const FlowId flow = blockIdx.x * kBlock + threadIdx.x;
  if (flow >= problem.num_flows) return;
  const std::size_t at = std::size_t{blockIdx.y} * problem.num_flows + flow;
  const std::size_t places = std::size_t{problem.num_phases} * problem.paths.num_cells;
  flow_congestions[at] = flow_congestion(problem, congestion + blockIdx.y * places, flow, routings[at]);
}

}  // namespace

void launch_measure_flows(const ProblemView& problem, const PathIndex* routings, const std::uint32_t* congestion,
                          std::uint32_t num_routings, std::uint32_t* flow_congestion, const Tuning& tuning,
                          cudaStream_t stream) {
  if (problem.num_flows == 0) return;
  const std::size_t places = std::size_t{problem.num_phases} * problem.paths.num_cells;
  with_block_size(tuning.block, [&](auto block) {
    constexpr unsigned kBlock = decltype(block)::value;
    for (std::uint32_t first = 0; first < num_routings; first += tuning.grid_rows) {
      const unsigned rows = std::min(num_routings - first, tuning.grid_rows);
      const std::size_t flows = std::size_t{first} * problem.num_flows;
      SPINEWEAVE_CUDA_CHECK(launch({dim3(blocks_for(problem.num_flows, kBlock), rows), kBlock, 0, stream},
                                   measure_flows_kernel<kBlock>, problem, routings + flows, congestion + first * places,
                                   flow_congestion + flows));
    }
  });
}

}  // namespace spineweave::gpu
