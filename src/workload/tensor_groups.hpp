// Where tensor-parallel groups go: their traffic is heavy and stays inside a host.
#pragma once

#include <cstdint>
#include <vector>

#include "spineweave/fabric.hpp"

namespace spineweave {

struct TensorGroups {
  std::vector<std::vector<EndpointId>> list;  // [groups][size] an adapter for each rank
  std::vector<Finding> findings;              // who was left out
};

// Groups in the order in which jobs of `groups_per_job` take them. On named hosts the members of a group are
// adapters of one host, lane by lane, and a job's groups take the same lanes of as many hosts before other lanes
// of them: so members of equal rank stay on their rail. Left out are hosts that lack an adapter. Elsewhere groups
// are consecutive endpoints. Shuffled are the hosts, or the groups.
// Throws Error{usage} where no host has `size` adapters.
[[nodiscard]] TensorGroups find_tensor_groups(const Fabric& fabric, std::uint64_t size, std::uint64_t groups_per_job,
                                              bool shuffled, std::uint64_t seed);

}  // namespace spineweave
