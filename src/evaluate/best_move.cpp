#include "evaluate/best_move.hpp"

#include <algorithm>
#include <bit>

namespace spineweave {
namespace {

// Two passes over the rows of a one-phase flow: the least congestion first, then the least pressure
// among the candidates that reach it. Candidates that share a link with the flow's own path are scored
// one by one, its load taken out; the rest need no such care.
class RowScan {
 public:
  RowScan(const FrozenLoads& loads, const FlowScorer& scorer, const PathBlock& block, PathIndex current)
      : view_(loads.problem.paths),
        scorer_(scorer),
        block_(block),
        phase_(lowest_phase(scorer.phases())),
        row_(loads.congestion + std::size_t{phase_} * view_.num_cells),
        up_(view_.leaf_up + block.src * view_.leaf_stride),
        down_(view_.leaf_down + block.dst * view_.leaf_stride),
        per_slot_(block.height == 1 ? 1 : view_.core_slots),
        own_slot_(current == kNone ? kNone : current / per_slot_),
        ends_(scorer.score_ends(block)) {}

  void run(Key& best) const {
    if (own_slot_ != kNone) scorer_.scan(block_, own_slot_ * per_slot_, (own_slot_ + 1) * per_slot_, 1, best);
    const std::uint32_t least = std::min(best.congestion, kDeadCongestion - 1);
    if (block_.height == 1) {
      scan_leaf_rows(least, best);
    } else {
      scan_core_rows(least, best);
    }
  }

 private:
  void scan_leaf_rows(std::uint32_t least, Key& best) const {
    std::uint32_t lowest = kDeadCongestion;
    for (std::uint32_t s = 0; s < view_.leaf_slots; ++s)
      if (s != own_slot_) lowest = std::min(lowest, scorer_.pair_congestion(row_, up_ + s, down_ + s));
    least = std::min(least, std::max(ends_.congestion, lowest));
    for (std::uint32_t s = 0; s < view_.leaf_slots; ++s) {
      if (s == own_slot_ || scorer_.pair_congestion(row_, up_ + s, down_ + s) > least) continue;
      Key key{ends_.congestion, s, ends_.pressure};
      scorer_.add_pair(key, phase_, up_ + s, down_ + s);
      if (key.beats(best)) best = key;
    }
  }

  void scan_core_rows(std::uint32_t least, Key& best) const {
    for (std::uint32_t s = 0; s < view_.leaf_slots; ++s) {
      if (s == own_slot_) continue;
      const std::uint32_t outer = std::max(ends_.congestion, scorer_.pair_congestion(row_, up_ + s, down_ + s));
      if (outer > least) continue;
      const CoreRows rows = core_rows(view_, block_, s);
      if (!rows.present) continue;
      std::uint32_t lowest = kDeadCongestion;
      for (std::uint32_t k = 0; k < view_.core_slots; ++k)
        lowest = std::min(lowest, scorer_.pair_congestion(row_, rows.up + k, rows.down + k));
      const std::uint32_t reached = std::max(outer, lowest);
      if (reached > least) continue;
      least = reached;
      for (std::uint32_t k = 0; k < view_.core_slots; ++k) {
        if (scorer_.pair_congestion(row_, rows.up + k, rows.down + k) > least) continue;
        Key key{ends_.congestion, s * view_.core_slots + k, ends_.pressure};
        scorer_.add_pair(key, phase_, up_ + s, down_ + s);
        scorer_.add_pair(key, phase_, rows.up + k, rows.down + k);
        if (key.beats(best)) best = key;
      }
    }
  }

  const PathView& view_;
  const FlowScorer& scorer_;
  const PathBlock& block_;
  std::uint32_t phase_;
  const std::uint32_t* row_;
  std::uint32_t up_, down_;  // first cells of the leaves' rows
  std::uint32_t per_slot_;   // candidates
  std::uint32_t own_slot_;
  Key ends_;
};

}  // namespace

BestMove find_best_move(const FrozenLoads& loads, FlowId flow, PathIndex current) {
  const ProblemView& problem = loads.problem;
  const FlowScorer scorer(problem, loads.congestion, flow, current);
  const bool rows = has_rows(problem) && std::has_single_bit(scorer.phases());
  Key best;
  for (std::uint32_t b = scorer.first_block(); b < scorer.end_block(); ++b) {
    const PathBlock& block = problem.blocks[b];
    if (rows && block.height > 0) {
      RowScan(loads, scorer, block, current).run(best);
    } else {
      scorer.scan(block, 0, num_candidates(problem.paths, block), 1, best);
    }
  }
  return scorer.choose(best);
}

}  // namespace spineweave
