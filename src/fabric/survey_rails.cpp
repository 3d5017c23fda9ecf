#include <fmt/format.h>

#include <map>

#include "fabric/hosts.hpp"
#include "fabric/survey_parts.hpp"

namespace spineweave {
namespace {

void survey_hosts(const Fabric& fabric, std::vector<Finding>& findings) {
  const std::vector<Host> hosts = group_by_host(fabric);
  const std::vector<std::uint32_t> common = common_rails(hosts);
  Finding lacking{"hosts with a rail missing", {}};
  Finding unlike{"hosts with fewer rails than most, or with others", {}};
  for (const Host& host : hosts) {
    if (host.rails == common) continue;
    if (is_compute_host(host, common)) {
      lacking.names.push_back(describe(host, missing_rails(host, common)));
    } else {
      unlike.names.push_back(fmt::format("{} (has {})", host.name, fmt::join(host.rails, ", ")));
    }
  }
  if (!lacking.names.empty()) findings.push_back(std::move(lacking));
  if (!unlike.names.empty()) findings.push_back(std::move(unlike));
}

// Only where most leaves serve one rail: elsewhere a leaf that serves all rails of a host is meant so.
void survey_leaves(const Fabric& fabric, std::vector<Finding>& findings) {
  std::map<NodeId, std::map<std::uint32_t, std::size_t>> adapters;  // leaf -> rail -> adapters
  for (EndpointId e = 0; e < fabric.num_endpoints(); ++e) {
    const Node& node = fabric.node(e);
    if (node.rail == kNone) continue;
    for (const Link& link : fabric.links_from(e)) ++adapters[link.to][node.rail];
  }
  Finding mixed{"leaves that serve more than one rail", {}};
  for (const auto& [leaf, rails] : adapters) {
    if (rails.size() == 1) continue;
    std::string text;
    for (const auto& [rail, count] : rails)
      text += fmt::format("{}{} on rail {}", text.empty() ? "" : ", ", count, rail);
    mixed.names.push_back(fmt::format("{} ({})", fabric.node(leaf).name, text));
  }
  if (!mixed.names.empty() && 2 * mixed.names.size() < adapters.size()) findings.push_back(std::move(mixed));
}

}  // namespace

void survey_rails(const Fabric& fabric, std::vector<Finding>& findings) {
  survey_hosts(fabric, findings);
  survey_leaves(fabric, findings);
}

}  // namespace spineweave
