#include "fabric/structure.hpp"

#include <algorithm>
#include <numeric>

#include "util/hash.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

bool is_switch(const Node& node) { return node.role == NodeRole::network; }

std::uint32_t highest_tier(std::span<const Node> nodes) {
  std::uint32_t highest = 0;
  for (const Node& node : nodes)
    if (node.tier != kUnknownTier) highest = std::max(highest, node.tier);
  return highest;
}

}  // namespace

DisjointSets::DisjointSets(std::uint32_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }

std::uint32_t DisjointSets::find(std::uint32_t item) {
  while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
  return item;
}

void DisjointSets::join(std::uint32_t a, std::uint32_t b) {
  a = find(a), b = find(b);
  if (a != b) parent_[std::max(a, b)] = std::min(a, b);
}

void recognise_tiers(std::span<Node> nodes, std::span<const Link> links) {
  const auto lacks_tier = [](const Node& node) { return is_switch(node) && node.tier == kUnknownTier; };
  if (std::ranges::none_of(nodes, lacks_tier)) return;
  std::vector<std::uint32_t> begin(nodes.size() + 1, 0);
  const auto joins_switches = [&](const Link& link) {
    return is_switch(nodes[link.from]) && is_switch(nodes[link.to]);
  };
  for (const Link& link : links)
    if (joins_switches(link)) ++begin[link.from + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<NodeId> neighbours(begin.back());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  std::vector<std::uint32_t> tier(nodes.size(), kUnknownTier);
  std::vector<NodeId> reached;  // in the order of their tiers
  for (const Link& link : links) {
    const Node& from = nodes[link.from];
    if (joins_switches(link)) neighbours[next[link.from]++] = link.to;
    if (is_switch(from) || from.role == NodeRole::aggregation || tier[link.to] == 1) continue;
    tier[link.to] = 1;
    reached.push_back(link.to);
  }
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const NodeId at = reached[i];
    for (std::uint32_t n = begin[at]; n < begin[at + 1]; ++n) {
      if (tier[neighbours[n]] != kUnknownTier) continue;
      tier[neighbours[n]] = tier[at] + 1;
      reached.push_back(neighbours[n]);
    }
  }
  for (std::size_t n = 0; n < nodes.size(); ++n)
    if (lacks_tier(nodes[n])) nodes[n].tier = tier[n];
}

bool tiers_hold(std::span<const Node> nodes, std::span<const Link> links) {
  return std::all_of(links.begin(), links.end(), [&](const Link& link) {
    const Node& from = nodes[link.from];
    const Node& to = nodes[link.to];
    if (!is_switch(from) || !is_switch(to)) return true;
    return from.tier != kUnknownTier && to.tier != kUnknownTier && from.tier != to.tier;
  });
}

void recognise_pods(std::span<Node> nodes, std::span<const Link> links) {
  for (Node& node : nodes) node.pod = kNone;
  if (highest_tier(nodes) != 3 || !tiers_hold(nodes, links)) return;
  DisjointSets sets(static_cast<std::uint32_t>(nodes.size()));
  const auto in_pod = [&](NodeId id) { return is_switch(nodes[id]) && nodes[id].tier <= 2; };
  for (const Link& link : links)
    if (in_pod(link.from) && in_pod(link.to)) sets.join(link.from, link.to);

  std::vector<NodeId> order;
  for (NodeId n = 0; n < nodes.size(); ++n)
    if (in_pod(n)) order.push_back(n);
  const auto before = [&](NodeId a, NodeId b) {
    if (nodes[a].tier != nodes[b].tier) return nodes[a].tier < nodes[b].tier;
    return util::natural_less(nodes[a].name, nodes[b].name);
  };
  if (!std::is_sorted(order.begin(), order.end(), before)) std::sort(order.begin(), order.end(), before);
  std::vector<std::uint32_t> pod_of_root(nodes.size(), kNone);
  std::uint32_t num_pods = 0;
  for (const NodeId n : order) {
    std::uint32_t& pod = pod_of_root[sets.find(n)];
    if (pod == kNone) pod = num_pods++;
    nodes[n].pod = pod;
  }
  for (const Link& link : links)
    if (!is_switch(nodes[link.from]) && nodes[link.from].pod == kNone) nodes[link.from].pod = nodes[link.to].pod;
}

std::uint64_t detail_digest(const Fabric& fabric) {
  util::Digest digest;
  digest.add(fabric.num_endpoints());
  for (const Node& node : fabric.nodes()) {
    digest.add(node.name);
    digest.add((std::uint64_t{node.tier} << 32U) | node.rail);
    digest.add((static_cast<std::uint64_t>(node.role) << 32U) | node.pod);
    digest.add(node.host);
  }
  for (const Link& link : fabric.links()) {
    digest.add((std::uint64_t{link.from} << 32U) | link.to);
    digest.add(link.nominal_bps);
    digest.add(link.capacity_bps);
    digest.add((link.reserved_bps << 2U) | static_cast<std::uint64_t>(link.state));
  }
  return digest.value();
}

}  // namespace spineweave
