#include "apply_moves.hpp"

#include "check.hpp"
#include "evaluate/score_core.hpp"
#include "warp.cuh"

namespace spineweave::gpu {
namespace {

template <unsigned kBlock>
__global__ void __launch_bounds__(kBlock)
    apply_moves_kernel(const __grid_constant__ ProblemView problem, const Move* __restrict__ moves,
                       std::uint32_t num_moves, Direction direction, PathIndex* routing, std::uint32_t* congestion) {
  const std::uint32_t at = blockIdx.x * kBlock + threadIdx.x;
  if (at >= num_moves) return;
  const Move move = moves[at];
  const PathIndex from = routing[move.flow];
  const PathIndex to = direction == Direction::forth ? move.to : move.from;
  // Unsigned sums wrap, so that taking away is adding the complement.
  if (from != kNone)
    visit_loads(problem, move.flow, from,
                [&](std::size_t place, std::uint32_t amount) { atomicAdd(&congestion[place], 0U - amount); });
  if (to != kNone)
    visit_loads(problem, move.flow, to,
                [&](std::size_t place, std::uint32_t amount) { atomicAdd(&congestion[place], amount); });
  routing[move.flow] = to;
}

}  // namespace

void launch_apply_moves(const ProblemView& problem, const Move* moves, std::uint32_t num_moves, Direction direction,
                        PathIndex* routing, std::uint32_t* congestion, const Tuning& tuning, cudaStream_t stream) {
  if (num_moves == 0) return;
  with_block_size(tuning.block, [&](auto block) {
    constexpr unsigned kBlock = decltype(block)::value;
    SPINEWEAVE_CUDA_CHECK(launch({dim3(blocks_for(num_moves, kBlock)), kBlock, 0, stream}, apply_moves_kernel<kBlock>,
                                 problem, moves, num_moves, direction, routing, congestion));
  });
}

}  // namespace spineweave::gpu
