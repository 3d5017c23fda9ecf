#include "fabric/hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "util/text.hpp"

namespace spineweave {

std::vector<Host> group_by_host(const Fabric& fabric) {
  std::vector<EndpointId> adapters;
  for (EndpointId e = 0; e < fabric.num_endpoints(); ++e) {
    const Node& node = fabric.node(e);
    if (node.role == NodeRole::endpoint && !node.host.empty() && node.rail != kNone && !fabric.links_from(e).empty())
      adapters.push_back(e);
  }
  std::sort(adapters.begin(), adapters.end(), [&](EndpointId a, EndpointId b) {
    const Node& x = fabric.node(a);
    const Node& y = fabric.node(b);
    if (x.host != y.host) return util::natural_less(x.host, y.host);
    return x.rail != y.rail ? x.rail < y.rail : a < b;
  });
  std::vector<Host> hosts;
  for (const EndpointId e : adapters) {
    const Node& node = fabric.node(e);
    if (hosts.empty() || hosts.back().name != node.host) hosts.push_back({node.host, {}, {}});
    Host& host = hosts.back();
    host.adapters.push_back(e);
    if (host.rails.empty() || host.rails.back() != node.rail) host.rails.push_back(node.rail);
  }
  return hosts;
}

std::vector<std::uint32_t> common_rails(const std::vector<Host>& hosts) {
  std::map<std::vector<std::uint32_t>, std::size_t> times;
  for (const Host& host : hosts) ++times[host.rails];
  std::vector<std::uint32_t> best;
  std::size_t most = 0;
  for (const auto& [rails, count] : times)
    if (count > most || (count == most && rails.size() > best.size())) best = rails, most = count;
  return best;
}

bool is_compute_host(const Host& host, const std::vector<std::uint32_t>& common) {
  return std::includes(common.begin(), common.end(), host.rails.begin(), host.rails.end()) &&
         2 * host.rails.size() > common.size();
}

std::vector<std::uint32_t> missing_rails(const Host& host, const std::vector<std::uint32_t>& common) {
  std::vector<std::uint32_t> missing;
  std::set_difference(common.begin(), common.end(), host.rails.begin(), host.rails.end(), std::back_inserter(missing));
  return missing;
}

std::string describe(const Host& host, const std::vector<std::uint32_t>& rails) {
  return fmt::format("{} ({} {})", host.name, rails.size() == 1 ? "rail" : "rails", fmt::join(rails, ", "));
}

}  // namespace spineweave
