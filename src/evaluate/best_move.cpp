#include "evaluate/best_move.hpp"

#include <algorithm>
#include <bit>

#include "paths/walk.hpp"

namespace spineweave {
namespace {

struct Key {
  std::uint64_t congestion = ~std::uint64_t{0};
  std::int64_t pressure = 0;  // of adding the flow to the path, the flow itself taken out before
  PathIndex path = kNone;

  [[nodiscard]] bool beats(const Key& other) const {
    if (congestion != other.congestion) return congestion < other.congestion;
    if (pressure != other.pressure) return pressure < other.pressure;
    return path < other.path;
  }
};

class FlowScorer {
 public:
  FlowScorer(const FrozenLoads& loads, FlowId flow, PathIndex current)
      : problem_(*loads.problem),
        view_(problem_.paths()),
        congestion_(loads.congestion),
        scales_(problem_.scales().data()),
        phase_weights_(problem_.phase_weights().data()),
        flow_(flow),
        current_(current),
        weight_(problem_.weights()[flow]),
        phases_(problem_.phase_mask(flow)) {
    if (current == kNone) return;
    const PathBlock& block = problem_.block_of(flow, current);
    visit_cells(view_, block, current - block.first_path, [&](std::uint32_t cell) { own_.push_back(cell); });
  }

  BestMove run() {
    Key best;
    for (const PathBlock& block : problem_.blocks(flow_)) {
      if (walks_rows(block)) {
        scan_rows(block, best);
      } else {
        scan_all(block, 0, num_candidates(view_, block), best);
      }
    }
    BestMove move{flow_, current_, 0, 0};
    if (current_ == kNone) return {flow_, best.path, best.congestion, best.pressure};
    const PathBlock& block = problem_.block_of(flow_, current_);
    const Key own = score(block, current_ - block.first_path);
    move.congestion = own.congestion;
    if (best.congestion < own.congestion || (best.congestion == own.congestion && best.pressure < own.pressure))
      move = {flow_, best.path, best.congestion, best.pressure - own.pressure};
    return move;
  }

 private:
  void add_cell(Key& key, std::uint32_t cell) const {
    const std::uint64_t added = std::uint64_t{weight_} * scales_[cell];
    const bool is_own = std::find(own_.begin(), own_.end(), cell) != own_.end();
    for (std::uint64_t phases = phases_; phases != 0; phases &= phases - 1) {
      const auto phase = static_cast<std::uint32_t>(std::countr_zero(phases));
      const std::uint64_t before = congestion_[std::size_t{phase} * view_.num_cells + cell] - (is_own ? added : 0);
      key.congestion = std::max(key.congestion, before + added);
      key.pressure += static_cast<std::int64_t>(phase_weights_[phase] * added * (2 * before + added));
    }
  }

  [[nodiscard]] Key score(const PathBlock& block, PathIndex path) const {
    Key key{0, 0, block.first_path + path};
    visit_cells(view_, block, path, [&](std::uint32_t cell) {
      if (key.congestion < kDeadCongestion) add_cell(key, cell);
    });
    return key;
  }

  void scan_all(const PathBlock& block, PathIndex begin, PathIndex end, Key& best) const {
    for (PathIndex path = begin; path < end; ++path) {
      const Key key = score(block, path);
      if (key.congestion < kDeadCongestion && key.beats(best)) best = key;
    }
  }

  // Rows serve where a slot of the source's row meets the same slot of the destination's, and one
  // phase counts.
  [[nodiscard]] bool walks_rows(const PathBlock& block) const {
    return view_.kind == PathKind::tiered && block.height > 0 && view_.leaf_trunk == 1 && view_.core_trunk == 1 &&
           view_.aggs_per_plane == 1 && std::has_single_bit(phases_) && problem_.blocks(flow_).size() == 1;
  }

  // Two passes over the rows: the least congestion first, then the least pressure among the candidates
  // that reach it. Candidates that share a link with the flow's own path are scored one by one, its
  // load taken out; the rest need no such care.
  void scan_rows(const PathBlock& block, Key& best) const {
    const std::uint32_t phase = static_cast<std::uint32_t>(std::countr_zero(phases_));
    const std::uint32_t* row = congestion_ + std::size_t{phase} * view_.num_cells;
    const std::uint32_t up = view_.leaf_up + block.src * view_.leaf_stride;
    const std::uint32_t down = view_.leaf_down + block.dst * view_.leaf_stride;
    Key ends{0, 0, kNone};  // what the access links add, the same for all
    add_cell(ends, block.access_up);
    add_cell(ends, block.access_down);
    const std::uint32_t per_slot = block.height == 1 ? 1 : view_.core_slots;
    const std::uint32_t own_slot = current_ == kNone ? kNone : current_ / per_slot;
    if (own_slot != kNone) scan_all(block, own_slot * per_slot, (own_slot + 1) * per_slot, best);

    auto least = static_cast<std::uint32_t>(std::min<std::uint64_t>(best.congestion, kDeadCongestion - 1));
    const auto floor = static_cast<std::uint32_t>(ends.congestion);
    if (block.height == 1) {
      std::uint32_t lowest = kDeadCongestion;
      for (std::uint32_t s = 0; s < view_.leaf_slots; ++s)
        if (s != own_slot) lowest = std::min(lowest, pair_congestion(row, up + s, down + s));
      least = std::min(least, std::max(floor, lowest));
      for (std::uint32_t s = 0; s < view_.leaf_slots; ++s) {
        if (s == own_slot || pair_congestion(row, up + s, down + s) > least) continue;
        Key key{0, ends.pressure, s};
        add_pair(key, row, phase, up + s, down + s);
        key.congestion = std::max<std::uint64_t>(key.congestion, floor);
        if (key.beats(best)) best = key;
      }
      return;
    }
    for (std::uint32_t s = 0; s < view_.leaf_slots; ++s) {
      if (s == own_slot) continue;
      const std::uint32_t outer = std::max(floor, pair_congestion(row, up + s, down + s));
      if (outer > least) continue;
      const std::uint32_t up_row = agg_row(view_, block.src, s);
      const std::uint32_t down_row = agg_row(view_, block.dst, s);
      if (up_row == kNone || down_row == kNone) continue;
      const std::uint32_t core_up = view_.agg_up + up_row * view_.core_stride;
      const std::uint32_t core_down = view_.agg_down + down_row * view_.core_stride;
      std::uint32_t lowest = kDeadCongestion;
      for (std::uint32_t k = 0; k < view_.core_slots; ++k)
        lowest = std::min(lowest, pair_congestion(row, core_up + k, core_down + k));
      const std::uint32_t reached = std::max(outer, lowest);
      if (reached > least) continue;
      least = reached;
      for (std::uint32_t k = 0; k < view_.core_slots; ++k) {
        if (pair_congestion(row, core_up + k, core_down + k) > least) continue;
        Key key{floor, ends.pressure, s * view_.core_slots + k};
        add_pair(key, row, phase, up + s, down + s);
        add_pair(key, row, phase, core_up + k, core_down + k);
        if (key.beats(best)) best = key;
      }
    }
  }

  [[nodiscard]] std::uint32_t pair_congestion(const std::uint32_t* row, std::uint32_t a, std::uint32_t b) const {
    return std::max(row[a] + weight_ * scales_[a], row[b] + weight_ * scales_[b]);
  }

  void add_pair(Key& key, const std::uint32_t* row, std::uint32_t phase, std::uint32_t a, std::uint32_t b) const {
    for (const std::uint32_t cell : {a, b}) {
      const std::uint64_t added = std::uint64_t{weight_} * scales_[cell];
      key.congestion = std::max(key.congestion, row[cell] + added);
      key.pressure += static_cast<std::int64_t>(phase_weights_[phase] * added * (2 * std::uint64_t{row[cell]} + added));
    }
  }

  // The cells of a path; longer ones than any Clos has are rare, so the heap sees only those.
  class CellList {
   public:
    void push_back(std::uint32_t cell) {
      if (size_ < kInline) {
        inline_[size_++] = cell;
        return;
      }
      if (more_.empty()) more_.assign(inline_, inline_ + kInline);
      more_.push_back(cell);
    }
    [[nodiscard]] const std::uint32_t* begin() const { return more_.empty() ? inline_ : more_.data(); }
    [[nodiscard]] const std::uint32_t* end() const {
      return more_.empty() ? inline_ + size_ : more_.data() + more_.size();
    }

   private:
    static constexpr std::uint32_t kInline = 8;
    std::uint32_t inline_[kInline] = {};
    std::uint32_t size_ = 0;
    std::vector<std::uint32_t> more_;
  };

  const Problem& problem_;
  const PathView& view_;
  const std::uint32_t* congestion_;
  const std::uint32_t* scales_;
  const std::uint32_t* phase_weights_;
  FlowId flow_;
  PathIndex current_;
  std::uint32_t weight_;
  std::uint64_t phases_;
  CellList own_;
};

}  // namespace

BestMove find_best_move(const FrozenLoads& loads, FlowId flow, PathIndex current) {
  return FlowScorer(loads, flow, current).run();
}

}  // namespace spineweave
