// What a routing demands of each link, and the figures that sum it up.
#pragma once

#include <cstdint>
#include <vector>

#include "spineweave/assess.hpp"
#include "spineweave/problem.hpp"
#include "spineweave/routing.hpp"

namespace spineweave::report {

struct LinkLoads {
  std::vector<double> utilisation;   // [num_links] demand over capacity, in the link's worst phase
  std::vector<std::uint32_t> flows;  // [num_links] in that phase
};

// O(phases * (flows * hops + links)).
[[nodiscard]] LinkLoads load_links(const Problem& problem, const Routing& routing);

[[nodiscard]] bool is_dead(const Fabric& fabric, LinkId link);
// Links from switch to switch, or all where there are none.
[[nodiscard]] std::vector<LinkId> counted_links(const Fabric& fabric);
[[nodiscard]] bool has_switch_links(const Fabric& fabric);

struct Bin {
  double above = 0;
  double up_to = 0;  // infinity in the last
  std::uint32_t links = 0;
};

struct LinkSummary {
  std::uint32_t counted = 0;  // links that are up
  std::uint32_t dead = 0;
  std::uint32_t idle = 0;
  std::uint32_t over_full = 0;  // demand above capacity
  double max_utilisation = 0;
  double mean_utilisation = 0;
  double mean_throughput = 0;  // what gets through, over capacity
  std::vector<Bin> histogram;  // of links that are not idle
};

[[nodiscard]] LinkSummary summarise_links(const Problem& problem, const LinkLoads& loads, const Assessment& assessment);

}  // namespace spineweave::report
