#include "workload/hosts.hpp"

#include <algorithm>
#include <set>

#include "util/text.hpp"

namespace spineweave {
namespace {

// The rails that at least half of the hosts have.
std::set<std::uint32_t> compute_rails(const std::vector<Host>& hosts) {
  std::map<std::uint32_t, std::size_t> count;
  for (const Host& host : hosts)
    for (const auto& [rail, adapter] : host.adapter_of_rail) ++count[rail];
  std::set<std::uint32_t> rails;
  for (const auto& [rail, n] : count)
    if (2 * n >= hosts.size()) rails.insert(rail);
  return rails;
}

}  // namespace

std::vector<Host> host_table(const Fabric& fabric, std::vector<Finding>& findings) {
  std::map<std::string, Host> by_name;
  Finding doubled{"adapters left out because their host has another on the same rail", {}};
  for (const EndpointId e : placeable_endpoints(fabric)) {
    const Node& node = fabric.node(e);
    if (node.host.empty() || node.rail == kNone) continue;
    Host& host = by_name[node.host];
    host.name = node.host;
    if (!host.adapter_of_rail.emplace(node.rail, e).second) doubled.names.push_back(node.name);
  }
  std::vector<Host> hosts;
  for (auto& [name, host] : by_name) hosts.push_back(std::move(host));
  std::sort(hosts.begin(), hosts.end(), [](const Host& a, const Host& b) { return util::natural_less(a.name, b.name); });

  const std::set<std::uint32_t> rails = compute_rails(hosts);
  Finding outside{"hosts left out because their adapters are not on the compute rails", {}};
  Finding partial{"hosts left out because half of their rails or more are missing", {}};
  std::erase_if(hosts, [&](const Host& host) {
    const bool foreign = std::any_of(host.adapter_of_rail.begin(), host.adapter_of_rail.end(),
                                     [&](const auto& adapter) { return !rails.contains(adapter.first); });
    const bool sparse = rails.size() > 1 && 2 * host.adapter_of_rail.size() <= rails.size();
    if (foreign) outside.names.push_back(host.name);
    else if (sparse) partial.names.push_back(host.name);
    return foreign || sparse;
  });
  for (Finding* finding : {&doubled, &outside, &partial})
    if (!finding->names.empty()) findings.push_back(std::move(*finding));
  return hosts;
}

std::vector<std::uint32_t> rails_of(const std::vector<Host>& table) {
  std::set<std::uint32_t> rails;
  for (const Host& host : table)
    for (const auto& [rail, adapter] : host.adapter_of_rail) rails.insert(rail);
  return {rails.begin(), rails.end()};
}

}  // namespace spineweave
