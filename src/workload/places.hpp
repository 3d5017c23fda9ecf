// Where jobs can be placed: hosts where the fabric names them, else endpoints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spineweave/fabric.hpp"

namespace spineweave {

// Adapters of different hosts talk to each other on one lane: the same rail and, where a host has
// several adapters on a rail, the same number among them.
struct Lane {
  std::uint32_t rail = 0;
  std::uint32_t number = 0;
  auto operator<=>(const Lane&) const = default;
};

struct Adapter {
  Lane lane;
  EndpointId id = kNone;
};

struct Place {
  std::string name;
  std::vector<Adapter> adapters;     // by lane
  std::vector<std::uint32_t> lacks;  // rails that most hosts have and this one does not
};

struct Places {
  bool are_hosts = false;
  std::vector<Place> list;        // hosts in natural order, or endpoints in theirs
  std::vector<Finding> findings;  // who was left out
  [[nodiscard]] std::string_view noun() const { return are_hosts ? "hosts" : "endpoints"; }
};

// As build_groups tells.
[[nodiscard]] Places find_places(const Fabric& fabric);

}  // namespace spineweave
