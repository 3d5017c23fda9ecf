#include "report/inspection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace spineweave::report {
namespace {

std::uint32_t highest_tier(const Fabric& fabric) {
  std::uint32_t highest = 0;
  for (const Node& node : fabric.nodes())
    if (node.tier != kUnknownTier) highest = std::max(highest, node.tier);
  return highest;
}

std::string name_of_tier(std::uint32_t tier, std::uint32_t highest) {
  if (tier == kUnknownTier) return "switch";
  if (tier == 1) return "leaf";
  if (tier == 2 && highest <= 3) return highest == 2 ? "spine" : "aggregation";
  if (tier == 3 && highest == 3) return "core";
  return fmt::format("tier-{} switch", tier);
}

std::string name_of_kind(const Node& node, std::uint32_t highest) {
  switch (node.role) {
    case NodeRole::endpoint:
      return "endpoint";
    case NodeRole::aggregation:
      return "reduction node";
    case NodeRole::unnamed:
      return "unnamed adapter";
    case NodeRole::network:
      return name_of_tier(node.tier, highest);
  }
  return {};
}

void count_cables(const Fabric& fabric, FabricFacts& facts) {
  const std::uint32_t highest = highest_tier(fabric);
  // Nodes are numbered from the endpoints up, so groups come in that order too.
  std::vector<std::string> order;
  std::map<std::string, CableFacts> groups;
  for (LinkId id = 0; id < fabric.num_links(); ++id) {
    const Link& link = fabric.link(id);
    if (link.from > link.to) continue;
    const Link& back = fabric.link(fabric.reverse(id));
    const std::string between =
        name_of_kind(fabric.node(link.from), highest) + "-" + name_of_kind(fabric.node(link.to), highest);
    CableFacts& group = groups[between];
    if (group.cables == 0) order.push_back(between);
    ++group.cables, ++facts.cables;
    ++group.nominal_bps[std::max(link.nominal_bps, back.nominal_bps)];
    const bool is_down = link.state == LinkState::down || back.state == LinkState::down;
    if (is_down) ++group.down;
    if (!is_down && (link.state == LinkState::degraded || back.state == LinkState::degraded)) ++group.degraded;
  }
  for (const std::string& between : order) {
    facts.cable_groups.push_back(std::move(groups[between]));
    facts.cable_groups.back().between = between;
  }
}

void count_tiers(const Fabric& fabric, FabricFacts& facts) {
  const std::uint32_t highest = highest_tier(fabric);
  struct Sums {
    TierFacts facts;
    double down_bps = 0, up_bps = 0;
  };
  std::map<std::uint32_t, Sums> tiers;  // switches of unknown tier come last
  for (NodeId id = fabric.num_endpoints(); id < fabric.num_nodes(); ++id) {
    const Node& node = fabric.node(id);
    Sums& tier = tiers[node.tier];
    ++tier.facts.switches;
    if (node.tier == kUnknownTier) continue;
    double up_bps = 0;
    double down_bps = 0;
    for (const Link& link : fabric.links_from(id)) {
      const Node& other = fabric.node(link.to);
      if (other.role == NodeRole::aggregation || other.tier == kUnknownTier) continue;
      (other.tier > node.tier ? up_bps : down_bps) += static_cast<double>(link.capacity_bps);
    }
    tier.up_bps += up_bps, tier.down_bps += down_bps;
    if (up_bps > 0 && down_bps / up_bps > tier.facts.worst_oversubscription) {
      tier.facts.worst_oversubscription = down_bps / up_bps;
      tier.facts.worst_switch = node.name;
    }
  }
  for (auto& [tier, sums] : tiers) {
    sums.facts.name = name_of_tier(tier, highest);
    if (sums.up_bps > 0) sums.facts.oversubscription = sums.down_bps / sums.up_bps;
    facts.tiers.push_back(std::move(sums.facts));
  }
}

}  // namespace

FabricFacts count_fabric(const Fabric& fabric) {
  FabricFacts facts;
  std::set<std::string_view> hosts;
  std::set<std::uint32_t> rails;
  for (const Node& node : fabric.nodes().first(fabric.num_endpoints())) {
    if (node.role == NodeRole::endpoint) ++facts.endpoints;
    if (node.role == NodeRole::aggregation) ++facts.reduction_nodes;
    if (node.role == NodeRole::unnamed) ++facts.unnamed_adapters;
    if (!node.host.empty()) hosts.insert(node.host);
    if (node.rail != kNone) rails.insert(node.rail);
  }
  facts.hosts = static_cast<std::uint32_t>(hosts.size());
  facts.rails = static_cast<std::uint32_t>(rails.size());
  if (const ClosShape* clos = fabric.clos(); clos != nullptr && clos->num_tiers == 3) {
    facts.pods = clos->num_pods;
    facts.planes = clos->aggs_per_pod / clos->aggs_per_plane;
  }
  count_tiers(fabric, facts);
  count_cables(fabric, facts);
  return facts;
}

std::string describe_shape(const Fabric& fabric) {
  const ClosShape* clos = fabric.clos();
  if (clos == nullptr) return fabric.tiers_known() ? "tiers known, but no Clos grid" : "no Clos: tiers are not known";
  const char* tiers = clos->num_tiers == 3   ? "three-tier Clos"
                      : clos->num_tiers == 2 ? "two-tier Clos"
                                             : "one tier of leaves";
  std::string text = fmt::format("{}, {}", tiers, clos->symmetric ? "symmetric" : "not symmetric");
  const std::uint32_t trunk = std::max(clos->leaf_trunk, clos->core_trunk);
  if (trunk > 1) text += fmt::format(", up to {} parallel cables", trunk);
  return text;
}

WorkloadFacts count_workload(const Fabric& fabric, const Workload& workload) {
  WorkloadFacts facts;
  std::vector<bool> used(fabric.num_endpoints(), false);
  for (const Job& job : workload.jobs) {
    for (const Collective& collective : job.collectives) {
      const std::uint64_t flows = count_flows(collective);
      const std::uint32_t qps = std::max(1U, collective.qps);
      facts.flows += flows;
      facts.bytes_per_step += flows * ((collective.bytes + qps - 1) / qps);
      ++facts.collectives[std::string(name_of(collective.kind))];
      for (const EndpointId rank : collective.ranks)
        if (rank < used.size()) used[rank] = true;
    }
  }
  facts.endpoints_used = static_cast<std::uint32_t>(std::ranges::count(used, true));
  return facts;
}

std::vector<Finding> all_findings(const Inspection& inspection) {
  std::vector<Finding> findings = survey(*inspection.fabric);
  const auto found = inspection.fabric->findings();
  findings.insert(findings.end(), found.begin(), found.end());
  if (inspection.workload != nullptr)
    findings.insert(findings.end(), inspection.workload->findings.begin(), inspection.workload->findings.end());
  return findings;
}

}  // namespace spineweave::report
