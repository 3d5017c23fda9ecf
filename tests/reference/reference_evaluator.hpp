// The slow, obvious evaluator that every backend is compared with: one thread, link by link, from the
// definitions. It shares with the problem only flows, weights and floors, and the names of paths.
#pragma once

#include <cstdint>
#include <vector>

#include "spineweave/evaluator.hpp"

namespace spineweave::test {

using LinkPath = std::vector<LinkId>;  // access links included

// All shortest live paths from the flow's source to its destination, over every port at both ends:
// up, then down where the tiers are known. By depth-first search of the fabric, in no set order.
[[nodiscard]] std::vector<LinkPath> reference_paths(const Fabric& fabric, const FlowSpec& flow);

// The links of the flow's path in a routing.
[[nodiscard]] LinkPath reference_links(const Problem& problem, const Routing& routing, FlowId flow);

// Congestion of every link in every phase: [phases][links].
using CongestionTable = std::vector<std::vector<std::uint64_t>>;
[[nodiscard]] CongestionTable reference_congestion(const Problem& problem, const Routing& routing);

// B(j): [num_jobs].
[[nodiscard]] std::vector<std::uint64_t> reference_bottlenecks(const Problem& problem, const Routing& routing);

[[nodiscard]] Score reference_score(const Problem& problem, const Routing& routing);

// Every candidate tried in turn.
[[nodiscard]] BestMove reference_best_move(const Problem& problem, const Routing& routing, FlowId flow);

}  // namespace spineweave::test
