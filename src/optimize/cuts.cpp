#include "optimize/cuts.hpp"

#include <algorithm>
#include <numeric>

namespace spineweave {
namespace {

bool is_live(const Problem& problem, LinkId link) { return problem.scales()[problem.cell_of(link)] > 0; }

// The cut that every block of the flow agrees on, or kNone.
template <class CutOfBlock>
std::uint32_t common_cut(const Problem& problem, FlowId flow, const CutOfBlock& cut_of_block) {
  const std::span<const PathBlock> blocks = problem.blocks(flow);
  const std::uint32_t cut = cut_of_block(blocks.front());
  for (const PathBlock& block : blocks.subspan(1))
    if (cut == kNone || cut_of_block(block) != cut) return kNone;
  return cut;
}

// Fills link_begin and links from cut_of_link(link): the cut whose link it is, or kNone.
template <class CutOfLink>
void gather_links(const Problem& problem, std::uint32_t num_cuts, const CutOfLink& cut_of_link, CutFamily& family) {
  const std::uint32_t num_links = problem.fabric().num_links();
  std::vector<std::uint32_t> cut(num_links, kNone);
  family.link_begin.assign(std::size_t{num_cuts} + 1, 0);
  for (LinkId id = 0; id < num_links; ++id) {
    if (!is_live(problem, id)) continue;
    cut[id] = cut_of_link(problem.fabric().link(id));
    if (cut[id] != kNone) ++family.link_begin[cut[id] + 1];
  }
  std::partial_sum(family.link_begin.begin(), family.link_begin.end(), family.link_begin.begin());
  family.links.resize(family.link_begin.back());
  std::vector<std::uint32_t> next(family.link_begin.begin(), family.link_begin.end() - 1);
  for (LinkId id = 0; id < num_links; ++id)
    if (cut[id] != kNone) family.links[next[cut[id]]++] = id;
}

// Cuts around disjoint sets of switches. `set_of`: [num_nodes], kNone where in no set.
CutFamily set_cuts(const Problem& problem, CutSide side, std::span<const std::uint32_t> set_of,
                   std::uint32_t num_sets) {
  const Fabric& fabric = problem.fabric();
  const auto crossed = [&](NodeId from, NodeId to) {
    if (set_of[from] == set_of[to]) return kNone;
    return side == CutSide::out ? set_of[from] : set_of[to];
  };
  CutFamily family;
  gather_links(
      problem, num_sets,
      [&](const Link& link) {
        const bool between_switches = link.from >= fabric.num_endpoints() && link.to >= fabric.num_endpoints();
        return between_switches ? crossed(link.from, link.to) : kNone;
      },
      family);
  family.cut_of_flow.resize(problem.num_flows());
  for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
    family.cut_of_flow[flow] = common_cut(problem, flow, [&](const PathBlock& block) {
      return crossed(fabric.link(problem.link_of(block.access_up)).to,
                     fabric.link(problem.link_of(block.access_down)).from);
    });
  }
  return family;
}

}  // namespace

CutMembers members_of(const CutFamily& family) {
  CutMembers members;
  members.flow_begin.assign(std::size_t{family.num_cuts()} + 1, 0);
  for (const std::uint32_t cut : family.cut_of_flow)
    if (cut != kNone) ++members.flow_begin[cut + 1];
  std::partial_sum(members.flow_begin.begin(), members.flow_begin.end(), members.flow_begin.begin());
  members.flows.resize(members.flow_begin.back());
  std::vector<std::uint32_t> next(members.flow_begin.begin(), members.flow_begin.end() - 1);
  for (FlowId flow = 0; flow < family.cut_of_flow.size(); ++flow)
    if (family.cut_of_flow[flow] != kNone) members.flows[next[family.cut_of_flow[flow]]++] = flow;
  return members;
}

CutFamily endpoint_cuts(const Problem& problem, CutSide side) {
  const std::uint32_t num_endpoints = problem.fabric().num_endpoints();
  CutFamily family;
  gather_links(
      problem, num_endpoints,
      [&](const Link& link) {
        const NodeId node = side == CutSide::out ? link.from : link.to;
        return node < num_endpoints ? node : kNone;
      },
      family);
  family.cut_of_flow.reserve(problem.num_flows());
  for (const FlowSpec& flow : problem.flows()) family.cut_of_flow.push_back(side == CutSide::out ? flow.src : flow.dst);
  return family;
}

CutFamily switch_cuts(const Problem& problem, CutSide side) {
  const Fabric& fabric = problem.fabric();
  std::vector<std::uint32_t> set_of(fabric.num_nodes(), kNone);
  for (NodeId node = fabric.num_endpoints(); node < fabric.num_nodes(); ++node)
    set_of[node] = node - fabric.num_endpoints();
  return set_cuts(problem, side, set_of, fabric.num_switches());
}

CutFamily pod_cuts(const Problem& problem, CutSide side) {
  const Fabric& fabric = problem.fabric();
  std::vector<std::uint32_t> set_of(fabric.num_nodes(), kNone);
  std::uint32_t num_pods = 0;
  for (NodeId node = fabric.num_endpoints(); node < fabric.num_nodes(); ++node) {
    set_of[node] = fabric.node(node).pod;
    if (set_of[node] != kNone) num_pods = std::max(num_pods, set_of[node] + 1);
  }
  return set_cuts(problem, side, set_of, num_pods);
}

}  // namespace spineweave
