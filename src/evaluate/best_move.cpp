#include "evaluate/best_move.hpp"

#include <algorithm>
#include <vector>

#include "evaluate/flow_scan.hpp"
#include "evaluate/score_core.hpp"

namespace spineweave {
namespace {

// Flows whose rows hold links of several scales, or with several phases or ports. The kernels find the
// congestion of all candidates; the pressure is only worked out for those that reach the least. Candidates
// that share a link with the flow's own path are scored one by one, its load taken out.
class RowScan {
 public:
  RowScan(const ProblemView& problem, const ScoreKernels& kernels, const std::uint32_t* congestion,
          std::vector<std::uint32_t>& scratch)
      : problem_(problem), view_(problem.paths), kernels_(kernels), congestion_(congestion), scratch_(scratch) {
    scratch_.resize(std::size_t{view_.leaf_stride} + view_.core_stride);
  }

  // `own_slot`: of the flow's own path, or kNone.
  void scan(const FlowScorer& scorer, const PathBlock& block, FlowId flow, std::uint32_t own_slot, Key& best) {
    const std::uint32_t per_slot = block.height == 1 ? 1 : view_.core_slots;
    if (own_slot != kNone) scorer.scan(block, own_slot * per_slot, (own_slot + 1) * per_slot, 1, best);
    const Key ends = scorer.score_ends(block);
    if (ends.congestion > best.congestion) return;
    const std::uint32_t up = view_.leaf_up + block.src * view_.leaf_stride;
    const std::uint32_t down = view_.leaf_down + block.dst * view_.leaf_stride;
    const std::uint32_t weight = problem_.weights[flow];
    std::uint32_t* const outer = scratch_.data();
    const std::uint32_t lowest_outer =
        raise_row(scorer.phases(), weight, up, down, view_.leaf_stride, ends.congestion, outer);
    std::uint32_t least = std::min(best.congestion, kDeadCongestion - 1);
    if (block.height == 1) least = std::min(least, lowest_outer);
    for (std::uint32_t s = 0; s < view_.leaf_slots; ++s) {
      if (s == own_slot || outer[s] > least) continue;
      Key key{ends.congestion, block.first_path + s * per_slot, ends.pressure};
      add_pair(scorer, key, up + s, down + s);
      if (block.height == 1) {
        if (key.beats(best)) best = key;
      } else {
        scan_cores(scorer, block, weight, s, key, least, best);
      }
    }
  }

 private:
  // `key`: of the access and leaf links. Lowers `least` to what the slot reaches.
  void scan_cores(const FlowScorer& scorer, const PathBlock& block, std::uint32_t weight, std::uint32_t slot,
                  const Key& key, std::uint32_t& least, Key& best) {
    const CoreRows rows = core_rows(view_, block, slot);
    if (!rows.present) return;
    std::uint32_t* const worst = scratch_.data() + view_.leaf_stride;
    const std::uint32_t lowest =
        raise_row(scorer.phases(), weight, rows.up, rows.down, view_.core_stride, key.congestion, worst);
    if (lowest > least) return;
    least = lowest;
    for (std::uint32_t core = 0; core < view_.core_slots; ++core) {
      if (worst[core] > least) continue;
      Key whole{key.congestion, key.path + core, key.pressure};
      add_pair(scorer, whole, rows.up + core, rows.down + core);
      if (whole.beats(best)) best = whole;
    }
  }

  // worst[i]: the most that the flow meets on the i-th cells of two rows in its phases, at least `floor`.
  std::uint32_t raise_row(std::uint64_t phases, std::uint32_t weight, std::uint32_t up, std::uint32_t down,
                          std::uint32_t cells, std::uint32_t floor, std::uint32_t* worst) const {
    std::fill(worst, worst + cells, floor);
    std::uint32_t lowest = floor;
    visit_phases(phases, [&](std::uint32_t phase) {
      const std::uint32_t* const row = congestion_ + std::size_t{phase} * view_.num_cells;
      const RowPair pair{row + up, row + down, problem_.scales + up, problem_.scales + down, weight, cells};
      lowest = kernels_.raise_row(pair, worst);
    });
    return lowest;
  }

  static void add_pair(const FlowScorer& scorer, Key& key, std::uint32_t a, std::uint32_t b) {
    visit_phases(scorer.phases(), [&](std::uint32_t phase) { scorer.add_pair(key, phase, a, b); });
  }

  const ProblemView& problem_;
  const PathView& view_;
  const ScoreKernels& kernels_;
  const std::uint32_t* congestion_;
  std::vector<std::uint32_t>& scratch_;
};

// The slot of a flow's path in its leaves' rows.
std::uint32_t slot_of(const ProblemView& problem, FlowId flow, PathIndex path) {
  if (path == kNone) return kNone;
  const PathBlock& block = block_of(problem, flow, path);
  return (path - block.first_path) / (block.height == 2 ? problem.paths.core_slots : 1);
}

// Where slots serve as rows.
BestMove find_best_move(const ProblemView& problem, const ScoreKernels& kernels, const FrozenLoads& loads, FlowId flow,
                        std::vector<std::uint32_t>& scratch) {
  const PathIndex current = loads.routing[flow];
  const FlowScorer scorer(problem, loads.congestion, flow, current);
  Key best;
  for (std::uint32_t b = scorer.first_block(); b < scorer.end_block(); ++b) {
    const PathBlock& block = problem.blocks[b];
    if (block.height > 0) {
      RowScan(problem, kernels, loads.congestion, scratch)
          .scan(scorer, block, flow, slot_of(problem, flow, current), best);
    } else {
      scorer.scan(block, 0, 1, 1, best);
    }
  }
  return scorer.choose(best);
}

}  // namespace

MoveScorer::MoveScorer(const Problem& problem, const ScoreKernels& kernels)
    : problem_(problem.view()), kernels_(kernels), rows_(problem) {
  constexpr std::uint64_t kCandidates = 1U << 16U;
  chunk_ = std::max<std::uint64_t>(
      1, kCandidates * problem.num_flows() / std::max<std::uint64_t>(1, problem.num_candidates()));
}

void MoveScorer::find_best_moves(const FrozenLoads& loads, std::span<const FlowId> flows, BestMove* moves) const {
  const auto count = static_cast<std::uint32_t>(flows.size());
  const bool use_rows = rows_.hold(loads.peak);
  const FrozenRows rows{loads.congestion, loads.routing, loads.complete && rows_.know_ends()};
  const bool slot_rows = has_slot_rows(problem_.paths);
  std::vector<std::uint32_t> scratch;
  FlowScan scan(problem_, kernels_, loads.congestion);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (use_rows) i += kernels_.best_moves(rows_.table(), rows, flows.data() + i, count - i, moves + i);
    if (i == count) break;
    moves[i] = slot_rows ? find_best_move(problem_, kernels_, loads, flows[i], scratch)
                         : scan.find_best_move(flows[i], loads.routing[flows[i]]);
  }
}

}  // namespace spineweave
