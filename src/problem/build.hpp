// The steps that the problem's constructor takes, each on its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spineweave/problem.hpp"

namespace spineweave {

// Where each link's load lives. Clos: see paths.hpp. Elsewhere: cell 0 is the hole, link i is cell i + 1.
struct CellLayout {
  std::vector<std::uint32_t> cell_of_link;  // [links]
  std::vector<LinkId> link_of_cell;         // [cells], kNone: a hole
  std::vector<std::uint32_t> pod_of_leaf;   // [leaves]
  std::vector<std::uint32_t> agg_row;       // [pods * aggs_per_pod]
};
// Fills `view` but for its explicit part and its pointers.
[[nodiscard]] CellLayout lay_out_cells(const Fabric& fabric, bool tiered, PathView& view);

// Integer weights and what one unit of them stands for.
struct Weights {
  std::vector<std::uint32_t> values;  // [flows], 1 .. 65535
  double unit_bps = 0;
  bool rounded = false;
};
[[nodiscard]] Weights weigh_flows(const Fabric& fabric, std::span<const FlowSpec> flows, std::uint32_t num_jobs,
                                  const ProblemOptions& options);

// The least congestion that `weights` can cause on m links with these scales, whatever the placement:
// the heaviest flow on the fastest link; the k + 1 lightest of the k m + 1 heaviest flows that some link
// must hold together (pigeonhole); the total over the sum of capacities, where each link holds whole units
// (the weights' greatest common divisor); on equal links what bin packing needs. Sorts `weights` descending.
[[nodiscard]] std::uint64_t least_congestion(std::vector<std::uint32_t>& weights,
                                             std::span<const std::uint32_t> scales);

}  // namespace spineweave
