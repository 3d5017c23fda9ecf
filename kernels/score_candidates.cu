#include "score_candidates.hpp"

#include "check.hpp"
#include "evaluate/score_core.hpp"
#include "warp.cuh"

namespace spineweave::gpu {
namespace {

// The best of the lanes' keys, in every lane.
__device__ Key best_of_warp(Key key) {
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2) {
    Key other;
    other.congestion = __shfl_xor_sync(kAllLanes, key.congestion, static_cast<int>(distance));
    other.path = __shfl_xor_sync(kAllLanes, key.path, static_cast<int>(distance));
    other.pressure = __shfl_xor_sync(kAllLanes, key.pressure, static_cast<int>(distance));
    if (other.beats(key)) key = other;
  }
  return key;
}

// The rows of a Clos: a lane looks at every 32nd slot, so that the warp reads them side by side.
class RowScan {
 public:
  __device__ RowScan(const ProblemView& problem, const std::uint32_t* congestion, const FlowScorer& scorer,
                     const PathBlock& block, PathIndex current)
      : view_(problem.paths),
        congestion_(congestion),
        scorer_(scorer),
        block_(block),
        up_(view_.leaf_up + block.src * view_.leaf_stride),
        down_(view_.leaf_down + block.dst * view_.leaf_stride),
        per_slot_(block.height == 1 ? 1 : view_.core_slots),
        own_slot_(current == kNone ? kNone : current / per_slot_),
        ends_(scorer.score_ends(block)) {}

  __device__ void run(Key& best) const {
    if (block_.height == 1) {
      scan_leaf_rows(best);
    } else {
      scan_core_rows(best);
    }
    // Candidates that share a link with the flow's own path: its load is taken out of each.
    if (own_slot_ != kNone)
      scorer_.scan(block_, own_slot_ * per_slot_ + lane(), (own_slot_ + 1) * per_slot_, kWarp, best);
  }

 private:
  __device__ std::uint32_t pair_congestion(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t most = 0;
    visit_phases(scorer_.phases(), [&](std::uint32_t phase) {
      const std::uint32_t* const row = congestion_ + std::size_t{phase} * view_.num_cells;
      most = larger_of(most, scorer_.pair_congestion(row, a, b));
    });
    return most;
  }
  __device__ void add_pair(Key& key, std::uint32_t a, std::uint32_t b) const {
    visit_phases(scorer_.phases(), [&](std::uint32_t phase) { scorer_.add_pair(key, phase, a, b); });
  }

  __device__ void scan_leaf_rows(Key& best) const {
    for (std::uint32_t slot = lane(); slot < view_.leaf_slots; slot += kWarp) {
      if (slot == own_slot_) continue;
      const std::uint32_t congestion = larger_of(ends_.congestion, pair_congestion(up_ + slot, down_ + slot));
      if (congestion >= kDeadCongestion || congestion > best.congestion) continue;
      Key key{ends_.congestion, slot, ends_.pressure};
      add_pair(key, up_ + slot, down_ + slot);
      if (key.beats(best)) best = key;
    }
  }

  // `least` is what some lane has reached: a slot whose leaf links alone are worse is left out whole.
  __device__ void scan_core_rows(Key& best) const {
    std::uint32_t least = kDeadCongestion - 1;
    for (std::uint32_t slot = 0; slot < view_.leaf_slots; ++slot) {
      if (slot == own_slot_) continue;
      const std::uint32_t outer = larger_of(ends_.congestion, pair_congestion(up_ + slot, down_ + slot));
      if (outer > least) continue;
      const CoreRows rows = core_rows(view_, block_, slot);
      if (!rows.present) continue;
      for (std::uint32_t core = lane(); core < view_.core_slots; core += kWarp) {
        const std::uint32_t congestion = larger_of(outer, pair_congestion(rows.up + core, rows.down + core));
        if (congestion >= kDeadCongestion || congestion > best.congestion) continue;
        Key key{ends_.congestion, slot * view_.core_slots + core, ends_.pressure};
        add_pair(key, up_ + slot, down_ + slot);
        add_pair(key, rows.up + core, rows.down + core);
        if (key.beats(best)) best = key;
      }
      least = warp_min(best.congestion < least ? best.congestion : least);
    }
  }

  const PathView& view_;
  const std::uint32_t* congestion_;
  const FlowScorer& scorer_;
  const PathBlock& block_;
  std::uint32_t up_, down_;  // first cells of the leaves' rows
  std::uint32_t per_slot_;   // candidates
  std::uint32_t own_slot_;
  Key ends_;
};

// One warp a flow. kRows: the fabric has rows; else candidates are taken apart, or read from their list,
// one by one. The bounds grant 64 registers: with fewer the keys would spill.
template <unsigned kBlock, bool kRows>
__global__ void __launch_bounds__(kBlock, kResidentThreads / kBlock)
    score_candidates_kernel(const __grid_constant__ ProblemView problem, const __grid_constant__ ScoreRequest request,
                            BestMove* moves) {
  const std::uint32_t at = blockIdx.x * (kBlock / kWarp) + warp_in_block();
  if (at >= request.num_flows) return;  // whole warps leave together
  const FlowId flow = request.flows[at];
  const PathIndex current = request.routing[flow];
  if (request.resting != nullptr && request.resting[flow] != 0) {
    if (lane() == 0) moves[at] = {flow, current, 0, 0};
    return;
  }
  const FlowScorer scorer(problem, request.congestion, flow, current);
  Key best;
  for (std::uint32_t b = scorer.first_block(); b < scorer.end_block(); ++b) {
    const PathBlock& block = problem.blocks[b];
    if (kRows && block.height > 0) {
      RowScan(problem, request.congestion, scorer, block, current).run(best);
    } else {
      scorer.scan(block, lane(), num_candidates(problem.paths, block), kWarp, best);
    }
  }
  best = best_of_warp(best);
  if (lane() == 0) moves[at] = scorer.choose(best);
}

}  // namespace

void launch_score_candidates(const ProblemView& problem, const ScoreRequest& request, BestMove* moves,
                             const Tuning& tuning, cudaStream_t stream) {
  if (request.num_flows == 0) return;
  with_block_size(tuning.block, [&](auto block) {
    constexpr unsigned kBlock = decltype(block)::value;
    const auto kernel =
        has_rows(problem) ? score_candidates_kernel<kBlock, true> : score_candidates_kernel<kBlock, false>;
    SPINEWEAVE_CUDA_CHECK(launch({dim3(blocks_for(request.num_flows, kBlock / kWarp)), kBlock, 0, stream}, kernel,
                                 problem, request, moves));
  });
}

}  // namespace spineweave::gpu
