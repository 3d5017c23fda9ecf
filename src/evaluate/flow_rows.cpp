#include "evaluate/flow_rows.hpp"

#include <algorithm>
#include <bit>

#include "evaluate/score_core.hpp"

namespace spineweave {
namespace {

constexpr std::uint32_t kMixed = 0;  // no scale: live cells have more than 0

// The scale that all live cells of some rows share; kNone where none is live.
std::uint32_t common_scale(std::uint32_t a, std::uint32_t b) {
  if (a == kNone) return b;
  return b == kNone || a == b ? a : kMixed;
}

class RowScales {
 public:
  explicit RowScales(const ProblemView& problem) : view_(problem.paths), scales_(problem.scales) {
    for (std::uint32_t leaf = 0; leaf < view_.num_leaves; ++leaf) {
      leaf_up_.push_back(of_row(view_.leaf_up + leaf * view_.leaf_stride, view_.leaf_stride));
      leaf_down_.push_back(of_row(view_.leaf_down + leaf * view_.leaf_stride, view_.leaf_stride));
    }
    pod_up_.assign(view_.num_pods, kNone), pod_down_.assign(view_.num_pods, kNone);
    if (view_.core_slots == 0) return;
    for (std::uint32_t place = 0; place < view_.num_pods * view_.aggs_per_pod; ++place) {
      const std::uint32_t row = view_.agg_row[place], pod = place / view_.aggs_per_pod;
      if (row == kNone) continue;
      pod_up_[pod] = common_scale(pod_up_[pod], of_row(view_.agg_up + row * view_.core_stride, view_.core_stride));
      pod_down_[pod] =
          common_scale(pod_down_[pod], of_row(view_.agg_down + row * view_.core_stride, view_.core_stride));
    }
  }

  // Of all rows that a block's candidates run over.
  [[nodiscard]] std::uint32_t of(const PathBlock& block) const {
    const std::uint32_t leaves = common_scale(leaf_up_[block.src], leaf_down_[block.dst]);
    if (block.height < 2) return leaves;
    return common_scale(leaves,
                        common_scale(pod_up_[view_.pod_of_leaf[block.src]], pod_down_[view_.pod_of_leaf[block.dst]]));
  }

 private:
  [[nodiscard]] std::uint32_t of_row(std::uint32_t first, std::uint32_t cells) const {
    std::uint32_t scale = kNone;
    for (std::uint32_t cell = first; cell < first + cells; ++cell)
      if (scales_[cell] != 0) scale = common_scale(scale, scales_[cell]);
    return scale;
  }

  const PathView& view_;
  const std::uint32_t* scales_;
  std::vector<std::uint32_t> leaf_up_, leaf_down_;  // [leaves]
  std::vector<std::uint32_t> pod_up_, pod_down_;    // [pods]
};

RowFlow make_row_flow(const ProblemView& problem, const RowScales& scales, const RowKeys& keys, FlowId flow,
                      RowFlowDetails& details) {
  const std::uint64_t phases = problem.phases_of_job[problem.job_of_flow[flow]];
  const PathBlock& block = problem.blocks[problem.block_begin[flow]];
  if (problem.block_begin[flow + 1] - problem.block_begin[flow] != 1 || !std::has_single_bit(phases)) return {};
  const std::uint32_t scale = block.height == 0 ? 0 : scales.of(block);
  if (block.height > 0 && (scale == kMixed || scale == kNone || scale % (1U << keys.unit_bits) != 0)) return {};

  const PathView& view = problem.paths;
  const std::uint32_t weight = problem.weights[flow], phase = lowest_phase(phases);
  details.plane = phase * view.num_cells;
  details.phase_weight = problem.phase_weights[phase];
  details.access_up = details.plane + block.access_up, details.access_down = details.plane + block.access_down;
  details.access_up_added = weight * problem.scales[block.access_up];
  details.access_down_added = weight * problem.scales[block.access_down];
  details.up_pod = view.pod_of_leaf[block.src] * view.aggs_per_pod;
  details.down_pod = view.pod_of_leaf[block.dst] * view.aggs_per_pod;
  RowFlow row;
  row.height = block.height;
  row.up = details.plane + view.leaf_up + block.src * view.leaf_stride;
  row.down = details.plane + view.leaf_down + block.dst * view.leaf_stride;
  row.added = weight * scale;
  row.slope = static_cast<std::int64_t>((2 * std::uint64_t{details.phase_weight} * row.added)
                                        << (keys.unit_bits - keys.slot_bits));
  return row;
}

}  // namespace

FlowRows::FlowRows(const Problem& problem) {
  const ProblemView view = problem.view();
  const PathView& paths = view.paths;
  if (!has_slot_rows(paths) || paths.leaf_slots > kMostSlots || paths.leaf_slots == 0) return;
  table_.keys.unit_bits = problem.precision_bits();
  table_.keys.slot_bits = static_cast<std::uint32_t>(std::bit_width(paths.leaf_stride - 1));
  // Two bits more, so that the sum of a dead candidate does not overflow the word.
  if (table_.keys.unit_bits < table_.keys.slot_bits + 2) return;
  if (std::uint64_t{view.num_phases} * paths.num_cells > 0xffffffffU) return;

  const RowScales scales(view);
  flows_.reserve(view.num_flows);
  details_.resize(view.num_flows);
  std::uint32_t links = 2;
  for (FlowId flow = 0; flow < view.num_flows; ++flow) {
    flows_.push_back(make_row_flow(view, scales, table_.keys, flow, details_[flow]));
    if (flows_.back().height == 2) links = 4;
  }
  // The sum over a candidate's links must stay within its field.
  first_too_large_ = (std::uint64_t{1} << (2 * table_.keys.unit_bits - table_.keys.slot_bits)) / links;
  know_ends_ = view.one_block_a_flow;
  if (know_ends_) add_ends(view);
  table_.flows = flows_.data();
  table_.details = details_.data();
  table_.agg_row = paths.agg_row;
  table_.leaf_slots = paths.leaf_slots, table_.leaf_stride = paths.leaf_stride;
  table_.core_slots = paths.core_slots, table_.core_stride = paths.core_stride;
  table_.agg_up = paths.agg_up, table_.agg_down = paths.agg_down;
}

void FlowRows::add_ends(const ProblemView& problem) {
  std::vector<std::uint32_t> access(std::size_t{problem.num_phases} * problem.paths.num_cells);
  for (FlowId flow = 0; flow < problem.num_flows; ++flow) {
    const PathBlock& block = problem.blocks[problem.block_begin[flow]];
    visit_phases(problem.phases_of_job[problem.job_of_flow[flow]], [&](std::uint32_t phase) {
      for (const std::uint32_t cell : {block.access_up, block.access_down})
        access[std::size_t{phase} * problem.paths.num_cells + cell] += problem.weights[flow] * problem.scales[cell];
    });
  }
  table_.floors = false;
  for (FlowId flow = 0; flow < problem.num_flows; ++flow) {
    RowFlow& row = flows_[flow];
    if (row.height == RowFlow::kUnfit) continue;
    row.ends = std::max(access[details_[flow].access_up], access[details_[flow].access_down]);
    row.floor = std::max(row.ends, row.added) - row.added;
    row.floor -= row.floor % (1U << table_.keys.unit_bits);
    table_.floors = table_.floors || row.floor > 0;
  }
}

}  // namespace spineweave
