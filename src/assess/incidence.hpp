// Which links each flow uses, for real and in the idealised networks that results are compared with.
#pragma once

#include <cstdint>
#include <vector>

#include "spineweave/problem.hpp"
#include "spineweave/routing.hpp"

namespace spineweave {

struct Incidence {
  std::vector<std::uint32_t> flow_begin;  // [flows + 1] into links
  std::vector<std::uint32_t> links;
  std::vector<double> capacity_bps;  // [links of this network]
};

// The paths of a routing over the fabric's own links.
[[nodiscard]] Incidence routed_network(const Problem& problem, const Routing& routing);

// Each job alone, access links only: links of its own for every endpoint and direction, as wide as all
// ports together; a flow of an endpoint with several ports also passes a link as wide as one port.
[[nodiscard]] Incidence alone_network(const Problem& problem);

// Perfect splitting: all links of a cut are one, for endpoints, leaves and pods, each way; and one port
// as above.
[[nodiscard]] Incidence fluid_network(const Problem& problem);

}  // namespace spineweave
