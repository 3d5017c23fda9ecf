// Which endpoints and hosts jobs may be placed on.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "spineweave/workload.hpp"
#include "util/hash.hpp"

namespace spineweave {

// Endpoints of the role `endpoint` with a cable, in order.
[[nodiscard]] std::vector<EndpointId> placeable_endpoints(const Fabric& fabric);

struct Host {
  std::string name;
  std::map<std::uint32_t, EndpointId> adapter_of_rail;
};

// The compute hosts of a fabric with named hosts, in natural order; empty where no endpoint has a host
// and a rail. The rails that most hosts have are the compute rails. A host with an adapter outside them
// (a management or storage node) is left out, and so is one with half of them or fewer; both are
// listed in `findings`.
[[nodiscard]] std::vector<Host> host_table(const Fabric& fabric, std::vector<Finding>& findings);
// Every rail of the table, ascending.
[[nodiscard]] std::vector<std::uint32_t> rails_of(const std::vector<Host>& table);

// Fisher-Yates with numbers by position.
template <class Item>
void shuffle(std::vector<Item>& items, std::uint64_t seed) {
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[util::random_below(util::random_at(seed, 0, i), static_cast<std::uint32_t>(i))]);
}

}  // namespace spineweave
