#include "claim_cells.hpp"

#include "check.hpp"
#include "evaluate/score_core.hpp"
#include "warp.cuh"

namespace spineweave::gpu {
namespace {

// Turns before the host asks whether any move is still open: a turn too many costs less than a wait.
constexpr std::uint32_t kTurnsAtOnce = 4;

// One turn: when it is played and who plays.
struct Turn {
  const BestMove* ordered = nullptr;
  std::uint32_t num_moves = 0;
  const PathIndex* routing = nullptr;
  std::uint64_t* claims = nullptr;
  std::uint32_t* taken = nullptr;
  std::uint32_t* open = nullptr;
  Claim* outcome = nullptr;
  std::uint32_t round = 0;
  std::uint32_t turns_left = 0;
};

// A later turn's claim is below every earlier one's, and within a turn the better rank is.
__device__ std::uint64_t claim_of(const Turn& turn, std::uint32_t rank) {
  return std::uint64_t{turn.turns_left} << 32U | rank;
}

// Open moves on a taken cell drop out; the others claim their cells.
template <unsigned kBlock>
__global__ void __launch_bounds__(kBlock, kResidentThreads / kBlock)
    claim_cells_kernel(const __grid_constant__ ProblemView problem, const __grid_constant__ Turn turn) {
  const std::uint32_t rank = blockIdx.x * kBlock + threadIdx.x;
  if (rank >= turn.num_moves || turn.outcome[rank] != Claim::open) return;
  const BestMove move = turn.ordered[rank];
  const PathIndex from = turn.routing[move.flow];
  bool free = true;
  visit_changed_cells(problem, move.flow, from, move.to,
                      [&](std::uint32_t cell) { free = free && turn.taken[cell] != turn.round; });
  if (!free) {
    turn.outcome[rank] = Claim::dropped;
    return;
  }
  visit_changed_cells(problem, move.flow, from, move.to,
                      [&](std::uint32_t cell) { atomic_min(&turn.claims[cell], claim_of(turn, rank)); });
}

// Open moves whose every cell is theirs are kept and take it.
template <unsigned kBlock>
__global__ void __launch_bounds__(kBlock, kResidentThreads / kBlock)
    keep_moves_kernel(const __grid_constant__ ProblemView problem, const __grid_constant__ Turn turn) {
  const std::uint32_t rank = blockIdx.x * kBlock + threadIdx.x;
  if (rank >= turn.num_moves || turn.outcome[rank] != Claim::open) return;
  const BestMove move = turn.ordered[rank];
  const PathIndex from = turn.routing[move.flow];
  bool first = true;
  visit_changed_cells(problem, move.flow, from, move.to,
                      [&](std::uint32_t cell) { first = first && turn.claims[cell] == claim_of(turn, rank); });
  if (!first) {
    atomicAdd(turn.open, 1U);
    return;
  }
  turn.outcome[rank] = Claim::kept;
  visit_changed_cells(problem, move.flow, from, move.to, [&](std::uint32_t cell) { turn.taken[cell] = turn.round; });
}

}  // namespace

void claim_cells(const ProblemView& problem, const BestMove* ordered, std::uint32_t num_moves, const PathIndex* routing,
                 ClaimBoard& board, Claim* claims, const Tuning& tuning, cudaStream_t stream) {
  if (num_moves == 0) return;
  // No round needs more turns than it has moves.
  if (board.round == kNone - 1 || board.turns_left <= num_moves + kTurnsAtOnce) board.clear(stream);
  ++board.round;
  static_assert(static_cast<int>(Claim::open) == 0);
  SPINEWEAVE_CUDA_CHECK(cudaMemsetAsync(claims, 0, num_moves * sizeof(Claim), stream));
  Turn turn{ordered, num_moves,   routing, board.claims.data(), board.taken.data(), board.open.data(),
            claims,  board.round, 0};
  with_block_size(tuning.block, [&](auto block) {
    constexpr unsigned kBlock = decltype(block)::value;
    const dim3 grid(blocks_for(num_moves, kBlock));
    for (std::uint32_t open = num_moves; open > 0;) {
      for (std::uint32_t i = 0; i < kTurnsAtOnce; ++i) {
        turn.turns_left = --board.turns_left;
        board.open.fill_bytes(0, stream);
        SPINEWEAVE_CUDA_CHECK(launch({grid, kBlock, 0, stream}, claim_cells_kernel<kBlock>, problem, turn));
        SPINEWEAVE_CUDA_CHECK(launch({grid, kBlock, 0, stream}, keep_moves_kernel<kBlock>, problem, turn));
      }
      board.open.read({&open, 1}, stream);
      SPINEWEAVE_CUDA_CHECK(cudaStreamSynchronize(stream));
    }
  });
}

}  // namespace spineweave::gpu
