#include <algorithm>
#include <numeric>

#include "optimize/edge_coloring.hpp"
#include "optimize/solvers.hpp"
#include "paths/walk.hpp"
#include "spineweave/error.hpp"
#include "util/parallel.hpp"

namespace spineweave {
namespace {

constexpr std::size_t kFlowsPerTask = 2048;

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
    return std::move(routing_);
  }

 private:
  // Flows of several ports take their first pair of ports here; the search may choose another.
  [[nodiscard]] const PathBlock& block(FlowId flow) const { return problem_.blocks(flow).front(); }

  void set_path(FlowId flow, const TieredPath& parts) {
    const PathIndex path = put_together(view_, block(flow).height, parts);
    if (problem_.is_alive(flow, path)) routing_[flow] = path;
  }

  // Slots that most rows have alive in both directions; all of them where none is.
  [[nodiscard]] std::vector<std::uint32_t> live_slots(std::uint32_t up, std::uint32_t down, std::uint32_t stride,
                                                      std::uint32_t slots, std::span<const std::uint32_t> rows) const {
    std::vector<std::uint32_t> alive(slots, 0);
    const auto scales = problem_.scales();
    for (const std::uint32_t row : rows)
      for (std::uint32_t slot = 0; slot < slots; ++slot)
        alive[slot] += scales[up + row * stride + slot] > 0 && scales[down + row * stride + slot] > 0 ? 1U : 0U;
    std::vector<std::uint32_t> live;
    for (std::uint32_t slot = 0; slot < slots; ++slot)
      if (2 * std::size_t{alive[slot]} > rows.size()) live.push_back(slot);
    if (live.empty()) {
      live.resize(slots);
      std::iota(live.begin(), live.end(), 0U);
    }
    return live;
  }

  void sort_by_weight(std::vector<FlowId>& flows) const {
    const auto heavier = [&](FlowId a, FlowId b) { return problem_.weights()[a] > problem_.weights()[b]; };
    if (!std::is_sorted(flows.begin(), flows.end(), heavier)) std::stable_sort(flows.begin(), flows.end(), heavier);
  }

  // Leaves choose their uplink: an edge from the source leaf to the destination leaf for each flow. The
  // same cable of the trunk serves on the way down.
  void color_leaves() {
    std::vector<FlowId> flows;
    flows.reserve(problem_.num_flows());
    for (FlowId f = 0; f < problem_.num_flows(); ++f) {
      if (block(f).height > 0)
        flows.push_back(f);
      else if (problem_.is_alive(f, 0))
        routing_[f] = 0;
    }
    if (flows.empty()) return;
    sort_by_weight(flows);
    std::vector<Edge> edges;
    edges.reserve(flows.size());
    std::vector<bool> in_use(clos_.num_leaves, false);
    for (const FlowId f : flows) {
      edges.push_back({block(f).src, block(f).dst});
      in_use[block(f).src] = in_use[block(f).dst] = true;
    }
    std::vector<std::uint32_t> rows;
    for (std::uint32_t leaf = 0; leaf < clos_.num_leaves; ++leaf)
      if (in_use[leaf]) rows.push_back(leaf);
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
      set_path(flows[i], parts);
    }
  }

  // Within each position, pods choose their core. The positions are independent.
  void color_pods() {
    std::vector<std::vector<FlowId>> by_position(view_.aggs_per_pod);
    for (FlowId f = 0; f < problem_.num_flows(); ++f)
      if (block(f).height == 2) by_position[slot_[f] / view_.leaf_trunk].push_back(f);
    const std::size_t chunk =
        std::max<std::size_t>(1, by_position.size() * kFlowsPerTask / (problem_.num_flows() + std::size_t{1}));
    util::parallel_chunks(by_position.size(), chunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t position = begin; position < end; ++position)
        color_position(static_cast<std::uint32_t>(position), by_position[position]);
    });
  }

  // An edge from the source pod to the destination pod for each flow.
  void color_position(std::uint32_t position, std::vector<FlowId>& flows) {
    if (flows.empty()) return;
    sort_by_weight(flows);
    std::vector<std::uint32_t> rows;
    for (std::uint32_t pod = 0; pod < clos_.num_pods; ++pod)
      if (const std::uint32_t row = view_.agg_row[pod * view_.aggs_per_pod + position]; row != kNone)
        rows.push_back(row);
    const auto slots = live_slots(view_.agg_up, view_.agg_down, view_.core_stride, view_.core_slots, rows);
    std::vector<Edge> edges;
    edges.reserve(flows.size());
    for (const FlowId f : flows) edges.push_back({view_.pod_of_leaf[block(f).src], view_.pod_of_leaf[block(f).dst]});
    const auto colors = color_edges(clos_.num_pods, clos_.num_pods, edges, static_cast<std::uint32_t>(slots.size()));
    for (std::size_t i = 0; i < flows.size(); ++i) {
      TieredPath parts;
      parts.up_slot = parts.down_slot = slot_[flows[i]];
      parts.up_position = parts.down_position = position;
      parts.core_up_slot = parts.core_down_slot = slots[colors[i]];
      set_path(flows[i], parts);
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
