#include "workload/tensor_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "spineweave/error.hpp"
#include "workload/places.hpp"
#include "workload/specs.hpp"

namespace spineweave {
namespace {

using Adapters = std::vector<EndpointId>;

// Hosts that have an adapter on every lane.
std::vector<Adapters> complete_hosts(Places& places) {
  std::set<Lane> lanes;
  for (const Place& host : places.list)
    for (const Adapter& adapter : host.adapters) lanes.insert(adapter.lane);
  std::vector<Adapters> hosts;
  Finding incomplete{"hosts left out: an adapter is missing", {}};
  for (const Place& host : places.list) {
    if (host.adapters.size() < lanes.size()) {
      incomplete.names.push_back(host.name);
      continue;
    }
    hosts.emplace_back();
    for (const Adapter& adapter : host.adapters) hosts.back().push_back(adapter.id);
  }
  if (!incomplete.names.empty()) places.findings.push_back(std::move(incomplete));
  return hosts;
}

// Where hosts are not known, `size` neighbours stand for one.
std::vector<Adapters> runs_of_endpoints(const Places& places, std::uint64_t size) {
  std::vector<Adapters> runs(places.list.size() / size);
  for (std::size_t i = 0; i < runs.size() * size; ++i) runs[i / size].push_back(places.list[i].adapters.front().id);
  return runs;
}

}  // namespace

TensorGroups find_tensor_groups(const Fabric& fabric, std::uint64_t size, std::uint64_t groups_per_job, bool shuffled,
                                std::uint64_t seed) {
  Places places = find_places(fabric);
  const std::vector<Adapters> hosts = places.are_hosts ? complete_hosts(places) : runs_of_endpoints(places, size);
  const std::size_t adapters = hosts.empty() ? 0 : hosts.front().size();
  if (places.are_hosts && adapters < size)
    throw Error(ErrorCode::usage,
                fmt::format("hybrid: tp is {}; the hosts have {} adapters, and tensor parallelism stays inside a host",
                            size, adapters));
  std::vector<std::uint32_t> order(hosts.size());
  std::iota(order.begin(), order.end(), 0U);
  if (shuffled) shuffle(order, seed);

  TensorGroups groups{{}, std::move(places.findings)};
  const std::size_t block = std::min<std::size_t>(groups_per_job, std::max<std::size_t>(1, hosts.size()));
  for (std::size_t begin = 0; begin < hosts.size(); begin += block) {
    const std::size_t end = std::min(begin + block, hosts.size());
    for (std::size_t first = 0; first + size <= adapters; first += size)
      for (std::size_t host = begin; host < end; ++host) {
        const auto lane = hosts[order[host]].begin() + static_cast<std::ptrdiff_t>(first);
        groups.list.emplace_back(lane, lane + static_cast<std::ptrdiff_t>(size));
      }
  }
  return groups;
}

}  // namespace spineweave
