// The walks over the cells of a flow's path that score_core.hpp defines, taken shorter where slots serve
// as rows: a path then comes apart in one division at most, and none at the leaves.
#pragma once

#include <algorithm>
#include <cstdint>

#include "evaluate/score_core.hpp"
#include "spineweave/problem.hpp"

namespace spineweave {

class CellWalk {
 public:
  explicit CellWalk(const Problem& problem) : problem_(problem.view()), slot_rows_(has_slot_rows(problem_.paths)) {}

  [[nodiscard]] const ProblemView& problem() const { return problem_; }

  // Calls visit(cell) for all cells of a path, access links included.
  template <class Visit>
  void visit_cells(FlowId flow, PathIndex path, Visit&& visit) const {
    const PathBlock& block = block_of(problem_, flow, path);
    visit(block.access_up);
    visit_fabric_cells(block, path - block.first_path, visit);
    visit(block.access_down);
  }

  // Calls visit(place, amount) for each place in [phases * cells] that the flow loads on a path.
  template <class Visit>
  void visit_loads(FlowId flow, PathIndex path, Visit&& visit) const {
    const std::uint64_t phases = problem_.phases_of_job[problem_.job_of_flow[flow]];
    const std::uint32_t weight = problem_.weights[flow];
    visit_cells(flow, path, [&](std::uint32_t cell) {
      const std::uint32_t amount = weight * problem_.scales[cell];
      visit_phases(phases,
                   [&](std::uint32_t phase) { visit(std::size_t{phase} * problem_.paths.num_cells + cell, amount); });
    });
  }

  // The largest congestion that a flow meets on its path.
  [[nodiscard]] std::uint32_t congestion(const std::uint32_t* congestion, FlowId flow, PathIndex path) const {
    std::uint32_t worst = 0;
    if (path == kNone) return worst;
    const std::uint64_t phases = problem_.phases_of_job[problem_.job_of_flow[flow]];
    visit_cells(flow, path, [&](std::uint32_t cell) {
      visit_phases(phases, [&](std::uint32_t phase) {
        worst = std::max(worst, congestion[std::size_t{phase} * problem_.paths.num_cells + cell]);
      });
    });
    return worst;
  }

  // Calls visit(cell) for the cells whose load a move changes: those of one of its two paths.
  template <class Visit>
  void visit_changed_cells(FlowId flow, PathIndex from, PathIndex to, Visit&& visit) const {
    const std::uint32_t blocks = problem_.block_begin[flow + 1] - problem_.block_begin[flow];
    if (!slot_rows_ || blocks != 1 || from == kNone) {
      spineweave::visit_changed_cells(problem_, flow, from, to, visit);
      return;
    }
    // Paths over one slot share its leaf links; others share nothing but the access links.
    const PathBlock& block = problem_.blocks[problem_.block_begin[flow]];
    if (block.height == 2 && from / problem_.paths.core_slots == to / problem_.paths.core_slots) {
      visit_core_cells(block, from, visit);
      visit_core_cells(block, to, visit);
    } else {
      visit_fabric_cells(block, from, visit);
      visit_fabric_cells(block, to, visit);
    }
  }

 private:
  template <class Visit>
  void visit_fabric_cells(const PathBlock& block, PathIndex path, Visit&& visit) const {
    if (!slot_rows_) return spineweave::visit_fabric_cells(problem_.paths, block, path, visit);
    if (block.height == 0) return;
    const PathView& view = problem_.paths;
    const std::uint32_t slot = block.height == 1 ? path : path / view.core_slots;
    visit(view.leaf_up + block.src * view.leaf_stride + slot);
    if (block.height == 2) visit_core_cells(block, path, visit);
    visit(view.leaf_down + block.dst * view.leaf_stride + slot);
  }

  // Cell 0, the hole, stands for those of an aggregation that is not there.
  template <class Visit>
  void visit_core_cells(const PathBlock& block, PathIndex path, Visit&& visit) const {
    const PathView& view = problem_.paths;
    const std::uint32_t slot = path / view.core_slots, core = path % view.core_slots;
    const std::uint32_t up = agg_row(view, block.src, slot), down = agg_row(view, block.dst, slot);
    visit(up == kNone ? 0 : view.agg_up + up * view.core_stride + core);
    visit(down == kNone ? 0 : view.agg_down + down * view.core_stride + core);
  }

  ProblemView problem_;
  bool slot_rows_;
};

}  // namespace spineweave
