#include "workload/places.hpp"

#include <utility>

#include "fabric/hosts.hpp"
#include "workload/specs.hpp"

namespace spineweave {
namespace {

Place place_on(const Fabric& fabric, const Host& host, const std::vector<std::uint32_t>& common) {
  Place place{host.name, {}, missing_rails(host, common)};
  for (const EndpointId id : host.adapters) {
    Lane lane{fabric.node(id).rail, 0};
    if (!place.adapters.empty() && place.adapters.back().lane.rail == lane.rail)
      lane.number = place.adapters.back().lane.number + 1;
    place.adapters.push_back({lane, id});
  }
  return place;
}

void add(std::vector<Finding>& findings, Finding finding) {
  if (!finding.names.empty()) findings.push_back(std::move(finding));
}

Places find_hosts(const Fabric& fabric, const std::vector<Host>& hosts) {
  Places places;
  places.are_hosts = true;
  const std::vector<std::uint32_t> common = common_rails(hosts);
  Finding others{"hosts left out: too few of the rails of most hosts, or others", {}};
  for (const Host& host : hosts) {
    if (is_compute_host(host, common)) {
      places.list.push_back(place_on(fabric, host, common));
    } else {
      others.names.push_back(describe(host, host.rails));
    }
  }
  Finding unplaced{"adapters left out: host or rail not known", {}};
  for (const EndpointId id : placeable_endpoints(fabric)) {
    const Node& node = fabric.node(id);
    if (node.host.empty() || node.rail == kNone) unplaced.names.push_back(node.name);
  }
  add(places.findings, std::move(others));
  add(places.findings, std::move(unplaced));
  return places;
}

}  // namespace

Places find_places(const Fabric& fabric) {
  const std::vector<Host> hosts = group_by_host(fabric);
  if (!hosts.empty()) return find_hosts(fabric, hosts);
  Places places;
  const std::vector<EndpointId> endpoints = placeable_endpoints(fabric);
  places.list.reserve(endpoints.size());
  for (const EndpointId id : endpoints) places.list.push_back({fabric.node(id).name, {{Lane{}, id}}, {}});
  return places;
}

}  // namespace spineweave
