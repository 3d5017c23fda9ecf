// A routing: one candidate path per flow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
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

  friend bool operator==(const NamedRoute&, const NamedRoute&) = default;
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

// Many routings for one fabric and one set of jobs: a table of the routes, and for each routing the rows
// that it is made of, one for each flow, in any order.
struct RoutingSetFile {
  struct Entry {
    std::string name;
    std::vector<std::uint32_t> routes;  // rows of the table
  };
  std::uint64_t fabric_digest = 0;
  std::uint64_t jobs_digest = 0;
  std::vector<NamedRoute> routes;  // the table
  std::vector<Entry> routings;
  std::vector<Finding> findings;  // what else lay in the folder they were read from
};

// Routings that are written out one at a time, so that no more of them need to be held than are in use.
struct RoutingSource {
  std::vector<std::string> names;
  // Writes routing k: [num_flows]. May be called from several threads at once.
  std::function<void(std::size_t k, std::span<PathIndex> out)> write;
};

// `routings`: [names * num_flows]. The table holds each route once, by flow and path.
[[nodiscard]] RoutingSetFile name_routings(const Problem& problem, std::span<const std::string> names,
                                           std::span<const PathIndex> routings);

// The routings that a file holds, checked as resolve_routes does; also refused are rows that the table
// does not have. Needs the problem no longer.
[[nodiscard]] RoutingSource resolve_routings(const Problem& problem, RoutingSetFile file);

// Throws Error{bad_input} unless every flow has a live candidate.
void check_routing(const Problem& problem, const Routing& routing);

// 64-bit hash over precision, routing and score: equal on every backend and thread count.
[[nodiscard]] std::uint64_t result_digest(const Problem& problem, const Routing& routing, const Score& score);

}  // namespace spineweave
