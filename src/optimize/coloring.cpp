#include <algorithm>
#include <numeric>

#include "optimize/edge_coloring.hpp"
#include "optimize/solvers.hpp"
#include "paths/walk.hpp"
#include "spineweave/error.hpp"

namespace spineweave {
namespace {

class LevelColoring {
 public:
  explicit LevelColoring(const Problem& problem)
      : problem_(problem),
        view_(problem.paths()),
        clos_(*problem.fabric().clos()),
        routing_(problem.num_flows(), kNone) {}

  Routing run() {
    color_leaves();
    if (clos_.num_tiers == 3) color_pods();
    for (FlowId f = 0; f < problem_.num_flows(); ++f)
      if (routing_[f] != kNone && !problem_.is_alive(f, routing_[f])) routing_[f] = kNone;
    return std::move(routing_);
  }

 private:
  // Flows of several ports take their first pair of ports here; the search may choose another.
  [[nodiscard]] const PathBlock& block(FlowId flow) const { return problem_.blocks(flow).front(); }

  // Slots that most rows have alive in both directions; all of them where none is.
  [[nodiscard]] std::vector<std::uint32_t> live_slots(std::uint32_t up, std::uint32_t down, std::uint32_t stride,
                                                      std::uint32_t slots, std::span<const std::uint32_t> rows) const {
    std::vector<std::uint32_t> live;
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      std::size_t alive = 0;
      for (const std::uint32_t row : rows)
        alive += problem_.scales()[up + row * stride + slot] > 0 && problem_.scales()[down + row * stride + slot] > 0
                     ? 1
                     : 0;
      if (2 * alive > rows.size()) live.push_back(slot);
    }
    if (live.empty()) {
      live.resize(slots);
      std::iota(live.begin(), live.end(), 0U);
    }
    return live;
  }

  void sort_by_weight(std::vector<FlowId>& flows) const {
    std::stable_sort(flows.begin(), flows.end(),
                     [&](FlowId a, FlowId b) { return problem_.weights()[a] > problem_.weights()[b]; });
  }

  // Leaves choose their uplink: an edge from the source leaf to the destination leaf for each flow. The
  // same cable of the trunk serves on the way down.
  void color_leaves() {
    std::vector<FlowId> flows;
    for (FlowId f = 0; f < problem_.num_flows(); ++f) {
      if (block(f).height > 0) flows.push_back(f);
      if (block(f).height == 0) routing_[f] = 0;
    }
    if (flows.empty()) return;
    sort_by_weight(flows);
    std::vector<Edge> edges;
    std::vector<std::uint32_t> rows;
    for (const FlowId f : flows) {
      edges.push_back({block(f).src, block(f).dst});
      rows.push_back(block(f).src), rows.push_back(block(f).dst);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    const auto slots = live_slots(view_.leaf_up, view_.leaf_down, view_.leaf_stride, view_.leaf_slots, rows);
    const auto colors =
        color_edges(clos_.num_leaves, clos_.num_leaves, edges, static_cast<std::uint32_t>(slots.size()));
    slot_.assign(problem_.num_flows(), kNone);
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const std::uint32_t slot = slots[colors[i]];
      slot_[flows[i]] = slot;
      if (block(flows[i]).height != 1) continue;
      TieredPath parts;
      parts.up_slot = parts.down_slot = slot;
      routing_[flows[i]] = put_together(view_, 1, parts);
    }
  }

  // Within each position, pods choose their core: an edge from the source pod to the destination pod.
  void color_pods() {
    std::vector<std::vector<FlowId>> by_position(view_.aggs_per_pod);
    for (FlowId f = 0; f < problem_.num_flows(); ++f)
      if (block(f).height == 2) by_position[slot_[f] / view_.leaf_trunk].push_back(f);
    for (std::uint32_t position = 0; position < view_.aggs_per_pod; ++position) {
      std::vector<FlowId>& flows = by_position[position];
      if (flows.empty()) continue;
      sort_by_weight(flows);
      std::vector<std::uint32_t> rows;
      for (std::uint32_t pod = 0; pod < clos_.num_pods; ++pod)
        if (const std::uint32_t row = view_.agg_row[pod * view_.aggs_per_pod + position]; row != kNone)
          rows.push_back(row);
      const auto slots = live_slots(view_.agg_up, view_.agg_down, view_.core_stride, view_.core_slots, rows);
      std::vector<Edge> edges;
      for (const FlowId f : flows) edges.push_back({view_.pod_of_leaf[block(f).src], view_.pod_of_leaf[block(f).dst]});
      const auto colors = color_edges(clos_.num_pods, clos_.num_pods, edges, static_cast<std::uint32_t>(slots.size()));
      for (std::size_t i = 0; i < flows.size(); ++i) {
        TieredPath parts;
        parts.up_slot = parts.down_slot = slot_[flows[i]];
        parts.up_position = parts.down_position = position;
        parts.core_up_slot = parts.core_down_slot = slots[colors[i]];
        routing_[flows[i]] = put_together(view_, 2, parts);
      }
    }
  }

  const Problem& problem_;
  const PathView& view_;
  const ClosShape& clos_;
  Routing routing_;
  std::vector<std::uint32_t> slot_;  // [flows] of the source leaf
};

}  // namespace

Routing route_coloring(const Problem& problem) {
  if (problem.paths().kind != PathKind::tiered)
    throw Error(ErrorCode::bad_input, "coloring needs a Clos fabric of two or three tiers; use weave or greedy here");
  return LevelColoring(problem).run();
}

}  // namespace spineweave
