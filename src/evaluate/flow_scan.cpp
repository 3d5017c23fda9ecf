#include "evaluate/flow_scan.hpp"

#include <algorithm>

namespace spineweave {
namespace {

// The least congestion over any slot of one row and one of its like in another: of `trunk` slots side by
// side each meets each. Pressure is only worked out for candidates that reach it. At least what is known
// of the links outside, and alive.
std::uint32_t least_of_pairs(const std::vector<std::uint32_t>& up, const std::vector<std::uint32_t>& down,
                             std::uint32_t slots, std::uint32_t trunk, const Key& outside) {
  std::uint32_t least = kDeadCongestion - 1;
  for (std::uint32_t first = 0; first < slots; first += trunk) {
    std::uint32_t lowest_up = kDeadCongestion, lowest_down = kDeadCongestion;
    for (std::uint32_t slot = first; slot < first + trunk; ++slot) {
      lowest_up = std::min(lowest_up, up[slot]);
      lowest_down = std::min(lowest_down, down[slot]);
    }
    least = std::min(least, larger_of(lowest_up, lowest_down));
  }
  return larger_of(least, outside.congestion);
}

}  // namespace

BestMove FlowScan::find_best_move(FlowId flow, PathIndex current) {
  const FlowScorer scorer(problem_, congestion_, flow, current);
  scorer_ = &scorer;
  weight_ = problem_.weights[flow];
  best_ = {};
  own_cells_.clear();
  if (current != kNone) {
    const PathBlock& block = block_of(problem_, flow, current);
    visit_fabric_cells(view_, block, current - block.first_path,
                       [this](std::uint32_t cell) { own_cells_.push_back(cell); });
  }
  for (std::uint32_t b = scorer.first_block(); b < scorer.end_block(); ++b) {
    const PathBlock& block = problem_.blocks[b];
    const Key ends = scorer.score_ends(block);
    if (ends.congestion > best_.congestion) continue;
    if (view_.kind == PathKind::explicit_) {
      scan_lists(block, ends);
    } else if (block.height == 0) {
      const Key only{ends.congestion, block.first_path, ends.pressure};
      if (only.beats(best_)) best_ = only;
    } else {
      fill(view_.leaf_up + block.src * view_.leaf_stride, view_.leaf_stride, up_);
      fill(view_.leaf_down + block.dst * view_.leaf_stride, view_.leaf_stride, down_);
      if (block.height == 1) {
        scan_leaf_rows(block, ends);
      } else {
        scan_core_rows(block, ends);
      }
    }
  }
  return scorer.choose(best_);
}

// Every cable up to an aggregation with every cable down from it.
void FlowScan::scan_leaf_rows(const PathBlock& block, const Key& ends) {
  const std::uint32_t trunk = view_.leaf_trunk;
  const std::uint32_t first_up = view_.leaf_up + block.src * view_.leaf_stride;
  const std::uint32_t first_down = view_.leaf_down + block.dst * view_.leaf_stride;
  const std::uint32_t least = std::min(best_.congestion, least_of_pairs(up_, down_, view_.leaf_slots, trunk, ends));
  for (std::uint32_t first = 0; first < view_.leaf_slots; first += trunk) {
    for (std::uint32_t up = first; up < first + trunk; ++up) {
      if (up_[up] > least) continue;
      for (std::uint32_t down = first; down < first + trunk; ++down)
        if (down_[down] <= least)
          try_path({ends.congestion, block.first_path + up * trunk + down - first, ends.pressure}, first_up + up,
                   first_down + down);
    }
  }
}

void FlowScan::scan_core_rows(const PathBlock& block, const Key& ends) {
  TieredPath parts;
  for (parts.up_slot = 0; parts.up_slot < view_.leaf_slots; ++parts.up_slot) {
    if (larger_of(ends.congestion, up_[parts.up_slot]) > best_.congestion) continue;
    parts.up_position = parts.up_slot / view_.leaf_trunk;
    const std::uint32_t first_of_plane = parts.up_position / view_.aggs_per_plane * view_.aggs_per_plane;
    for (std::uint32_t in_plane = 0; in_plane < view_.aggs_per_plane; ++in_plane) {
      parts.down_position = first_of_plane + in_plane;
      for (std::uint32_t cable = 0; cable < view_.leaf_trunk; ++cable) {
        parts.down_slot = parts.down_position * view_.leaf_trunk + cable;
        const std::uint32_t leaf = larger_of(up_[parts.up_slot], down_[parts.down_slot]);
        if (leaf > best_.congestion) continue;
        scan_cores(block, parts, {larger_of(ends.congestion, leaf), kNone, ends.pressure});
      }
    }
  }
}

// All cores between two leaf links; `outer`: what is known of the links outside.
void FlowScan::scan_cores(const PathBlock& block, TieredPath parts, const Key& outer) {
  const std::uint32_t up_row = agg_row(view_, block.src, parts.up_position);
  const std::uint32_t down_row = agg_row(view_, block.dst, parts.down_position);
  if (up_row == kNone || down_row == kNone) return;
  const std::uint32_t first_up = view_.agg_up + up_row * view_.core_stride;
  const std::uint32_t first_down = view_.agg_down + down_row * view_.core_stride;
  fill(first_up, view_.core_stride, core_up_);
  fill(first_down, view_.core_stride, core_down_);
  const std::uint32_t trunk = view_.core_trunk;
  const std::uint32_t lowest = least_of_pairs(core_up_, core_down_, view_.core_slots, trunk, outer);
  if (lowest > best_.congestion) return;
  Key leaf_links = outer;
  add_pair(leaf_links, view_.leaf_up + block.src * view_.leaf_stride + parts.up_slot,
           view_.leaf_down + block.dst * view_.leaf_stride + parts.down_slot);
  for (std::uint32_t first = 0; first < view_.core_slots; first += trunk) {
    for (parts.core_up_slot = first; parts.core_up_slot < first + trunk; ++parts.core_up_slot) {
      if (core_up_[parts.core_up_slot] > lowest) continue;
      for (parts.core_down_slot = first; parts.core_down_slot < first + trunk; ++parts.core_down_slot) {
        if (core_down_[parts.core_down_slot] > lowest) continue;
        leaf_links.path = block.first_path + put_together(view_, 2, parts);
        try_path(leaf_links, first_up + parts.core_up_slot, first_down + parts.core_down_slot);
      }
    }
  }
}

void FlowScan::scan_lists(const PathBlock& block, const Key& ends) {
  is_own_.resize(view_.num_cells);
  for (const std::uint32_t cell : own_cells_) is_own_[cell] = true;
  const std::uint32_t first = view_.pair_begin[block.src], end = view_.pair_begin[block.src + 1];
  for (std::uint32_t path = first; path < end; ++path) {
    Key key{ends.congestion, block.first_path + path - first, ends.pressure};
    for (std::uint32_t i = view_.path_begin[path]; i < view_.path_begin[path + 1]; ++i) {
      const std::uint32_t cell = view_.path_cells[i];
      scorer_->add_cell(key, cell, is_own_[cell]);
      if (key.congestion > best_.congestion) break;
    }
    if (key.congestion < kDeadCongestion && key.beats(best_)) best_ = key;
  }
  for (const std::uint32_t cell : own_cells_) is_own_[cell] = false;
}

void FlowScan::fill(std::uint32_t first_cell, std::uint32_t cells, std::vector<std::uint32_t>& congestion) const {
  congestion.assign(cells, 0);
  visit_phases(scorer_->phases(), [&](std::uint32_t phase) {
    const std::uint32_t* const row = congestion_ + std::size_t{phase} * view_.num_cells + first_cell;
    const std::uint32_t* const scales = problem_.scales + first_cell;
    kernels_.raise_row({row, row, scales, scales, weight_, cells}, congestion.data());
  });
  for (const std::uint32_t cell : own_cells_) {
    if (cell < first_cell || cell >= first_cell + cells) continue;
    Key key{0, kNone, 0};
    scorer_->add_cell(key, cell, true);
    congestion[cell - first_cell] = key.congestion;
  }
}

void FlowScan::add_pair(Key& key, std::uint32_t up, std::uint32_t down) const {
  const auto is_own = [this](std::uint32_t cell) {
    return std::find(own_cells_.begin(), own_cells_.end(), cell) != own_cells_.end();
  };
  scorer_->add_cell(key, up, is_own(up));
  scorer_->add_cell(key, down, is_own(down));
}

// `key`: of the links but for the last two.
void FlowScan::try_path(Key key, std::uint32_t up, std::uint32_t down) {
  add_pair(key, up, down);
  if (key.congestion < kDeadCongestion && key.beats(best_)) best_ = key;
}

}  // namespace spineweave
