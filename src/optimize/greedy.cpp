#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "optimize/solvers.hpp"
#include "paths/walk.hpp"
#include "util/hash.hpp"

namespace spineweave {
namespace {

struct FlowSet {
  std::string key;
  std::uint64_t weight = 0;
  std::vector<FlowId> flows;
};

// The flows that leave and that enter each switch with endpoints, heaviest set first.
std::vector<FlowSet> sorted_sets(const Problem& problem) {
  const Fabric& fabric = problem.fabric();
  std::map<std::string, FlowSet> sets;
  const auto add = [&](std::string key, FlowId f) {
    FlowSet& set = sets[key];
    set.key = std::move(key);
    set.weight += problem.weights()[f];
    set.flows.push_back(f);
  };
  for (FlowId f = 0; f < problem.num_flows(); ++f) {
    const FlowSpec& flow = problem.flows()[f];
    const NodeId from = fabric.links_from(flow.src).front().to;
    const NodeId to = fabric.links_from(flow.dst).front().to;
    add("a_" + fabric.node(from).name, f);
    add("b_" + fabric.node(to).name, f);
  }
  std::vector<FlowSet> sorted;
  for (auto& [key, set] : sets) sorted.push_back(std::move(set));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const FlowSet& a, const FlowSet& b) { return a.weight > b.weight; });
  return sorted;
}

class Greedy {
 public:
  explicit Greedy(const Problem& problem)
      : problem_(problem), congestion_(std::size_t{problem.num_phases()} * problem.num_cells(), 0) {}

  void place(FlowId flow, Routing& routing) {
    std::uint64_t least = ~std::uint64_t{0};
    for (const PathBlock& block : problem_.blocks(flow)) {
      if (problem_.scales()[block.access_up] == 0 || problem_.scales()[block.access_down] == 0) continue;
      const std::uint32_t count = num_candidates(problem_.paths(), block);
      for (PathIndex path = 0; path < count; ++path) {
        const std::uint64_t congestion = congestion_with(flow, block, path, least);
        if (congestion >= least) continue;
        least = congestion;
        routing[flow] = block.first_path + path;
      }
    }
    const PathBlock& block = problem_.block_of(flow, routing[flow]);
    visit_fabric_cells(problem_.paths(), block, routing[flow] - block.first_path, [&](std::uint32_t cell) {
      for_each_phase(flow, cell, [&](std::uint64_t& at) { at += added(flow, cell); });
    });
  }

 private:
  [[nodiscard]] std::uint64_t added(FlowId flow, std::uint32_t cell) const {
    return std::uint64_t{problem_.weights()[flow]} * problem_.scales()[cell];
  }

  template <class Visit>
  void for_each_phase(FlowId flow, std::uint32_t cell, Visit&& visit) {
    for (std::uint64_t phases = problem_.phase_mask(flow); phases != 0; phases &= phases - 1)
      visit(congestion_[std::size_t(std::countr_zero(phases)) * problem_.num_cells() + cell]);
  }

  // The fullest link of the candidate with the flow on it; `limit` or more where it is dead or no better.
  std::uint64_t congestion_with(FlowId flow, const PathBlock& block, PathIndex path, std::uint64_t limit) {
    std::uint64_t most = 0;
    visit_fabric_cells(problem_.paths(), block, path, [&](std::uint32_t cell) {
      if (most >= limit) return;
      if (problem_.scales()[cell] == 0) {
        most = limit;
        return;
      }
      for_each_phase(flow, cell, [&](std::uint64_t at) { most = std::max(most, at + added(flow, cell)); });
    });
    return most;
  }

  const Problem& problem_;
  std::vector<std::uint64_t> congestion_;  // [phases * cells], access links left out
};

std::vector<FlowId> flows_of(std::span<const FlowSet> sets) {
  std::vector<FlowId> flows;
  for (const FlowSet& set : sets) flows.insert(flows.end(), set.flows.begin(), set.flows.end());
  return flows;
}

// Each flow where it first stands.
Routing place_in_order(const Problem& problem, std::span<const FlowId> flows) {
  Greedy greedy(problem);
  Routing routing(problem.num_flows(), kNone);
  for (const FlowId f : flows)
    if (routing[f] == kNone) greedy.place(f, routing);
  return routing;
}

}  // namespace

Routing route_heaviest_first(const Problem& problem) {
  std::vector<FlowId> flows = flows_of(sorted_sets(problem));
  std::ranges::stable_sort(flows, std::greater<>(), [&](FlowId f) { return problem.weights()[f]; });
  return place_in_order(problem, flows);
}

Routing route_greedy(const Problem& problem, std::uint64_t tie_order) {
  std::vector<FlowSet> sets = sorted_sets(problem);
  if (tie_order != 0)
    for (FlowSet& set : sets)
      std::ranges::sort(set.flows, {}, [&](FlowId f) { return std::pair(util::random_at(tie_order, 0, f), f); });
  return place_in_order(problem, flows_of(sets));
}

void place_missing(SearchState& state, Routing& routing) {
  for (FlowId f = 0; f < routing.size(); ++f) {
    if (routing[f] != kNone) continue;
    state.begin_best_moves({&f, 1});
    routing[f] = state.finish_best_moves().front().to;
    const Move move{f, kNone, routing[f]};
    state.apply({&move, 1});
  }
}

}  // namespace spineweave
