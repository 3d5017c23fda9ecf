// A routing: one candidate path per flow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spineweave/problem.hpp"
#include "spineweave/score.hpp"
#include "spineweave/types.hpp"

namespace spineweave {

using Routing = std::vector<PathIndex>;  // [num_flows]

// A route as files name it: by job id, place in the job, ends, and links, never by ranks.
struct NamedRoute {
  std::string job;
  std::uint32_t collective = 0;
  std::uint32_t index = 0;
  std::string src, dst;
  std::vector<std::string> links;  // Fabric::link_name, in order, access links included
};

struct RoutingFile {
  std::uint64_t fabric_digest = 0;
  std::uint64_t jobs_digest = 0;
  std::string digest;  // of the result that wrote it; may be empty
  std::vector<NamedRoute> routes;
};

[[nodiscard]] RoutingFile name_routes(const Problem& problem, const Routing& routing);

// The routing that a file holds, for exactly this fabric and these jobs.
// Throws Error{bad_input}: other digests, a flow missing, unknown or twice, links that are no
// candidate of the flow, or that are down; each counted, the first few named.
[[nodiscard]] Routing resolve_routes(const Problem& problem, const RoutingFile& file);

// Warm start: flows are matched by (job, collective, index, ends); those without a match, or whose
// links are no longer a live candidate, get kNone.
[[nodiscard]] Routing match_routes(const Problem& problem, const RoutingFile& file);

// Throws Error{bad_input} unless every flow has a live candidate.
void check_routing(const Problem& problem, const Routing& routing);

// 64-bit hash over precision, routing and score: equal on every backend and thread count.
[[nodiscard]] std::uint64_t result_digest(const Problem& problem, const Routing& routing, const Score& score);

}  // namespace spineweave
