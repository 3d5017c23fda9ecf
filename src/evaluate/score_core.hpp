// The score of one candidate of one flow against frozen congestion: the text that host and device
// compile alike, so that they cannot disagree.
#pragma once

#include <cstdint>

#include "paths/walk.hpp"
#include "spineweave/move.hpp"
#include "spineweave/problem.hpp"
#include "util/host_device.hpp"

#if !defined(__CUDA_ARCH__)
#include <bit>
#endif

namespace spineweave {

// A phase of the mask, which is not 0.
SPINEWEAVE_HOST_DEVICE inline std::uint32_t lowest_phase(std::uint64_t phases) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__ffsll(static_cast<long long>(phases)) - 1);
#else
  return static_cast<std::uint32_t>(std::countr_zero(phases));
#endif
}

// Calls visit(phase) for each phase of the mask.
template <class Visit>
SPINEWEAVE_HOST_DEVICE inline void visit_phases(std::uint64_t phases, Visit&& visit) {
  for (; phases != 0; phases &= phases - 1) visit(lowest_phase(phases));
}

SPINEWEAVE_HOST_DEVICE inline std::uint32_t larger_of(std::uint32_t a, std::uint32_t b) { return a < b ? b : a; }

// The block that holds a path index.
SPINEWEAVE_HOST_DEVICE inline const PathBlock& block_of(const ProblemView& problem, FlowId flow, PathIndex path) {
  std::uint32_t at = problem.block_begin[flow + 1] - 1;
  while (problem.blocks[at].first_path > path) --at;
  return problem.blocks[at];
}

// How candidates compare. Congestion stays below 2^32: live cells below 2^31, dead ones at 2^31.
struct Key {
  std::uint32_t congestion = 0xffffffffU;
  PathIndex path = kNone;
  std::int64_t pressure = 0;  // of adding the flow to the path, the flow itself taken out before

  [[nodiscard]] SPINEWEAVE_HOST_DEVICE bool beats(const Key& other) const {
    if (congestion != other.congestion) return congestion < other.congestion;
    if (pressure != other.pressure) return pressure < other.pressure;
    return path < other.path;
  }
};

// The cells of one path, to ask which of them another path shares.
class PathCells {
 public:
  SPINEWEAVE_HOST_DEVICE PathCells(const ProblemView& problem, FlowId flow, PathIndex path) {
    if (path == kNone) return;
    const PathView& view = problem.paths;
    const PathBlock& block = block_of(problem, flow, path);
    ends_[0] = block.access_up, ends_[1] = block.access_down;
    if (view.kind == PathKind::explicit_) {
      const std::uint32_t at = view.pair_begin[block.src] + path - block.first_path;
      listed_ = view.path_cells + view.path_begin[at];
      num_listed_ = view.path_begin[at + 1] - view.path_begin[at];
      return;
    }
    // Shifted in, not indexed: a GPU keeps an array in registers only where the places are constants.
    visit_fabric_cells(view, block, path - block.first_path, [this](std::uint32_t cell) {
      tiered_[3] = tiered_[2], tiered_[2] = tiered_[1], tiered_[1] = tiered_[0], tiered_[0] = cell;
    });
  }

  [[nodiscard]] SPINEWEAVE_HOST_DEVICE bool hold(std::uint32_t cell) const {
    bool found = cell == ends_[0] || cell == ends_[1];
    for (const std::uint32_t own : tiered_) found = found || cell == own;
    for (std::uint32_t i = 0; i < num_listed_; ++i) found = found || cell == listed_[i];
    return found;
  }

 private:
  std::uint32_t ends_[2] = {kNone, kNone};
  std::uint32_t tiered_[4] = {kNone, kNone, kNone, kNone};
  const std::uint32_t* listed_ = nullptr;
  std::uint32_t num_listed_ = 0;
};

// Calls visit(cell) for the cells whose load a move changes: those of one of its two paths. A cell on
// both keeps its load.
template <class Visit>
SPINEWEAVE_HOST_DEVICE inline void visit_changed_cells(const ProblemView& problem, FlowId flow, PathIndex from,
                                                       PathIndex to, Visit&& visit) {
  const auto visit_beyond = [&](PathIndex path, PathIndex other) {
    if (path == kNone) return;
    const PathCells cells(problem, flow, other);
    const PathBlock& block = block_of(problem, flow, path);
    visit_cells(problem.paths, block, path - block.first_path, [&](std::uint32_t cell) {
      if (!cells.hold(cell)) visit(cell);
    });
  };
  visit_beyond(from, to);
  visit_beyond(to, from);
}

// Calls visit(place, amount) for each place in [phases * cells] that the flow loads on a path.
template <class Visit>
SPINEWEAVE_HOST_DEVICE inline void visit_loads(const ProblemView& problem, FlowId flow, PathIndex path, Visit&& visit) {
  const PathBlock& block = block_of(problem, flow, path);
  const std::uint64_t phases = problem.phases_of_job[problem.job_of_flow[flow]];
  const std::uint32_t weight = problem.weights[flow];
  visit_cells(problem.paths, block, path - block.first_path, [&](std::uint32_t cell) {
    const std::uint32_t amount = weight * problem.scales[cell];
    visit_phases(phases,
                 [&](std::uint32_t phase) { visit(std::size_t{phase} * problem.paths.num_cells + cell, amount); });
  });
}

// The largest congestion that a flow meets on a path.
SPINEWEAVE_HOST_DEVICE inline std::uint32_t flow_congestion(const ProblemView& problem, const std::uint32_t* congestion,
                                                            FlowId flow, PathIndex path) {
  std::uint32_t worst = 0;
  if (path == kNone) return worst;
  visit_loads(problem, flow, path,
              [&](std::size_t place, std::uint32_t) { worst = larger_of(worst, congestion[place]); });
  return worst;
}

// One flow's view of the loads, its own load taken out.
class FlowScorer {
 public:
  SPINEWEAVE_HOST_DEVICE FlowScorer(const ProblemView& problem, const std::uint32_t* congestion, FlowId flow,
                                    PathIndex current)
      : problem_(problem),
        congestion_(congestion),
        flow_(flow),
        current_(current),
        weight_(problem.weights[flow]),
        phases_(problem.phases_of_job[problem.job_of_flow[flow]]),
        own_(problem, flow, current) {}

  [[nodiscard]] SPINEWEAVE_HOST_DEVICE std::uint64_t phases() const { return phases_; }
  [[nodiscard]] SPINEWEAVE_HOST_DEVICE std::uint32_t first_block() const { return problem_.block_begin[flow_]; }
  [[nodiscard]] SPINEWEAVE_HOST_DEVICE std::uint32_t end_block() const { return problem_.block_begin[flow_ + 1]; }

  // Of a dead candidate only this counts: its congestion is at least kDeadCongestion.
  [[nodiscard]] SPINEWEAVE_HOST_DEVICE Key score(const PathBlock& block, PathIndex path) const {
    Key key{0, block.first_path + path, 0};
    visit_cells(problem_.paths, block, path, [&](std::uint32_t cell) {
      if (key.congestion < kDeadCongestion) add_cell(key, cell);
    });
    return key;
  }

  // What the access links add, the same for all candidates of a block.
  [[nodiscard]] SPINEWEAVE_HOST_DEVICE Key score_ends(const PathBlock& block) const {
    Key key{0, kNone, 0};
    add_cell(key, block.access_up);
    add_cell(key, block.access_down);
    return key;
  }

  // Every `step`-th candidate of a block from `first` on.
  SPINEWEAVE_HOST_DEVICE void scan(const PathBlock& block, PathIndex first, PathIndex end, std::uint32_t step,
                                   Key& best) const {
    for (PathIndex path = first; path < end; path += step) {
      const Key key = score(block, path);
      if (key.congestion < kDeadCongestion && key.beats(best)) best = key;
    }
  }

  // The fuller of two cells that do not carry the flow yet, with the flow on both. `row` is a phase's
  // congestion.
  [[nodiscard]] SPINEWEAVE_HOST_DEVICE std::uint32_t pair_congestion(const std::uint32_t* row, std::uint32_t a,
                                                                     std::uint32_t b) const {
    return larger_of(row[a] + weight_ * problem_.scales[a], row[b] + weight_ * problem_.scales[b]);
  }
  SPINEWEAVE_HOST_DEVICE void add_pair(Key& key, std::uint32_t phase, std::uint32_t a, std::uint32_t b) const {
    add_cell(key, phase, a, 0);
    add_cell(key, phase, b, 0);
  }

  // The flow on one more cell, which its own path holds or not.
  SPINEWEAVE_HOST_DEVICE void add_cell(Key& key, std::uint32_t cell, bool is_own) const {
    const std::uint32_t own = is_own ? weight_ * problem_.scales[cell] : 0;
    visit_phases(phases_, [&](std::uint32_t phase) { add_cell(key, phase, cell, own); });
  }

  // The best candidate, or the flow's own path unless one beats it in congestion or pressure.
  [[nodiscard]] SPINEWEAVE_HOST_DEVICE BestMove choose(const Key& best) const {
    if (current_ == kNone) return {flow_, best.path, best.congestion, best.pressure};
    const PathBlock& block = block_of(problem_, flow_, current_);
    const Key own = score(block, current_ - block.first_path);
    if (best.congestion < own.congestion || (best.congestion == own.congestion && best.pressure < own.pressure))
      return {flow_, best.path, best.congestion, best.pressure - own.pressure};
    return {flow_, current_, own.congestion, 0};
  }

 private:
  SPINEWEAVE_HOST_DEVICE void add_cell(Key& key, std::uint32_t cell) const { add_cell(key, cell, own_.hold(cell)); }
  SPINEWEAVE_HOST_DEVICE void add_cell(Key& key, std::uint32_t phase, std::uint32_t cell, std::uint32_t own) const {
    const std::uint32_t added = weight_ * problem_.scales[cell];
    const std::uint32_t before = congestion_[std::size_t{phase} * problem_.paths.num_cells + cell] - own;
    key.congestion = larger_of(key.congestion, before + added);
    key.pressure += static_cast<std::int64_t>(std::uint64_t{problem_.phase_weights[phase]} * added *
                                              (2 * std::uint64_t{before} + added));
  }
  const ProblemView& problem_;
  const std::uint32_t* congestion_;
  FlowId flow_;
  PathIndex current_;
  std::uint32_t weight_;
  std::uint64_t phases_;
  PathCells own_;
};

// Slots serve as rows, and endpoints have one port.
SPINEWEAVE_HOST_DEVICE inline bool has_rows(const ProblemView& problem) {
  return has_slot_rows(problem.paths) && problem.one_block_a_flow;
}

// The rows of cores behind an up slot, at both ends. Not present where an aggregation is missing.
struct CoreRows {
  std::uint32_t up = 0, down = 0;  // first cells
  bool present = false;
};
SPINEWEAVE_HOST_DEVICE inline CoreRows core_rows(const PathView& view, const PathBlock& block, std::uint32_t slot) {
  const std::uint32_t up = agg_row(view, block.src, slot);
  const std::uint32_t down = agg_row(view, block.dst, slot);
  if (up == kNone || down == kNone) return {};
  return {view.agg_up + up * view.core_stride, view.agg_down + down * view.core_stride, true};
}

}  // namespace spineweave
