#include "optimize/cuts.hpp"

#include <algorithm>

namespace spineweave {
namespace {

// The cut that every block of the flow agrees on, or kNone.
template <class CutOfBlock>
std::uint32_t common_cut(const Problem& problem, FlowId flow, const CutOfBlock& cut_of_block) {
  const std::span<const PathBlock> blocks = problem.blocks(flow);
  const std::uint32_t cut = cut_of_block(blocks.front());
  for (const PathBlock& block : blocks.subspan(1))
    if (cut == kNone || cut_of_block(block) != cut) return kNone;
  return cut;
}

template <class CutOfBlock>
void assign_flows(const Problem& problem, const CutOfBlock& cut_of_block, CutFamily& family) {
  family.cut_of_flow.resize(problem.num_flows());
  for (FlowId flow = 0; flow < problem.num_flows(); ++flow)
    family.cut_of_flow[flow] = common_cut(problem, flow, cut_of_block);
}

// The rows of a Clos hold the links of a cut side by side.
void add_row(const Problem& problem, std::uint32_t first_cell, std::uint32_t slots, CutFamily& family) {
  for (std::uint32_t slot = 0; slot < slots; ++slot) family.add_cell(problem, first_cell + slot);
}

CutFamily leaf_cuts(const Problem& problem, CutSide side) {
  const PathView& view = problem.paths();
  const bool out = side == CutSide::out;
  CutFamily family;
  for (std::uint32_t leaf = 0; leaf < view.num_leaves; ++leaf) {
    add_row(problem, (out ? view.leaf_up : view.leaf_down) + leaf * view.leaf_stride, view.leaf_slots, family);
    family.end_cut();
  }
  assign_flows(
      problem, [&](const PathBlock& block) { return block.height == 0 ? kNone
                                                    : out             ? block.src
                                                                      : block.dst; }, family);
  return family;
}

// Around each switch of a graph without tiers.
CutFamily node_cuts(const Problem& problem, CutSide side) {
  const Fabric& fabric = problem.fabric();
  const std::uint32_t first = fabric.num_endpoints();
  CutFamily family;
  for (NodeId node = first; node < fabric.num_nodes(); ++node) {
    for (LinkId link = fabric.first_link(node); link < fabric.first_link(node + 1); ++link) {
      if (fabric.link(link).to < first) continue;
      const LinkId crossing = side == CutSide::out ? link : fabric.reverse(link);
      family.add_cell(problem, problem.cell_of(crossing));
    }
    family.end_cut();
  }
  assign_flows(
      problem,
      [&](const PathBlock& block) {
        const NodeId from = fabric.link(problem.link_of(block.access_up)).to;
        const NodeId to = fabric.link(problem.link_of(block.access_down)).from;
        return from == to ? kNone : (side == CutSide::out ? from : to) - first;
      },
      family);
  return family;
}

}  // namespace

CutFamily endpoint_cuts(const Problem& problem, CutSide side) {
  const Fabric& fabric = problem.fabric();
  CutFamily family;
  for (EndpointId endpoint = 0; endpoint < fabric.num_endpoints(); ++endpoint) {
    for (LinkId link = fabric.first_link(endpoint); link < fabric.first_link(endpoint + 1); ++link)
      family.add_cell(problem, problem.cell_of(side == CutSide::out ? link : fabric.reverse(link)));
    family.end_cut();
  }
  family.cut_of_flow.reserve(problem.num_flows());
  for (const FlowSpec& flow : problem.flows()) family.cut_of_flow.push_back(side == CutSide::out ? flow.src : flow.dst);
  return family;
}

CutFamily switch_cuts(const Problem& problem, CutSide side) {
  return problem.paths().kind == PathKind::tiered ? leaf_cuts(problem, side) : node_cuts(problem, side);
}

CutFamily pod_cuts(const Problem& problem, CutSide side) {
  const PathView& view = problem.paths();
  const bool out = side == CutSide::out;
  CutFamily family;
  if (view.kind != PathKind::tiered || view.core_slots == 0) {
    family.cut_of_flow.assign(problem.num_flows(), kNone);
    return family;
  }
  for (std::uint32_t pod = 0; pod < view.num_pods; ++pod) {
    for (std::uint32_t position = 0; position < view.aggs_per_pod; ++position) {
      const std::uint32_t row = view.agg_row[pod * view.aggs_per_pod + position];
      if (row != kNone)
        add_row(problem, (out ? view.agg_up : view.agg_down) + row * view.core_stride, view.core_slots, family);
    }
    family.end_cut();
  }
  assign_flows(
      problem,
      [&](const PathBlock& block) { return block.height < 2 ? kNone : view.pod_of_leaf[out ? block.src : block.dst]; },
      family);
  return family;
}

}  // namespace spineweave
