// The solvers behind solve(), each from the problem alone.
#pragma once

#include <cstdint>
#include <vector>

#include "optimize/live_rows.hpp"
#include "spineweave/optimize.hpp"

namespace spineweave {

inline constexpr std::uint32_t kParallelFlows = 16384;  // fewer are not worth waking threads for

// Live candidates by count and by rank. Worked out once, for any number of routings; without a walk where
// nothing on the way is missing. The problem must outlive it.
class LivePaths {
 public:
  explicit LivePaths(const Problem& problem);
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] std::uint32_t count(FlowId flow) const { return counts_[flow]; }
  [[nodiscard]] PathIndex nth(FlowId flow, std::uint32_t rank) const;  // rank < count(flow)

 private:
  void find_whole_rows();
  void find_live_rows();
  [[nodiscard]] bool whole(FlowId flow) const;    // every candidate is alive
  [[nodiscard]] bool in_rows(FlowId flow) const;  // its candidates are in the rows below
  template <class Visit>
  void visit_live_words(FlowId flow, const Visit& visit) const;

  const Problem& problem_;
  std::vector<std::uint32_t> counts_;  // [num_flows]
  std::vector<bool> leaf_whole_, pod_whole_;
  LiveRows leaf_up_, leaf_down_, agg_up_, agg_down_;  // where slots meet one to one
};

[[nodiscard]] Routing route_ecmp(const LivePaths& live, EcmpHash hash, std::uint64_t seed);

// The paper's greedy (arXiv 2503.05324, as its artifact does it): leaves' up and down sets of flows by
// total weight, heaviest first, ties by name; each flow in order of its id to the candidate whose
// fullest switch-to-switch link is least full, ties to the lowest index.
// The same, but heavy flows before light ones (Graham, Bounds on multiprocessing timing anomalies, 1969).
[[nodiscard]] Routing route_heaviest_first(const Problem& problem);
[[nodiscard]] Routing route_greedy(const Problem& problem, std::uint64_t tie_order = 0);  // see SolveOptions

// Balanced edge colouring, level by level: leaves choose aggregations, then pods choose cores. Flows
// whose colour is a dead path get kNone. Throws Error{bad_input} without a Clos.
[[nodiscard]] Routing route_coloring(const Problem& problem);

// Gives each flow without a path (kNone) its best candidate, in flow order, given the others' loads. The
// state holds `routing` already, and holds the result after.
void place_missing(SearchState& state, Routing& routing);

struct RatedRouting {
  Routing routing;
  Score score;
  std::vector<std::uint64_t> job_bottlenecks;  // B(j)
};
// The state holds `routing`.
[[nodiscard]] RatedRouting rate(SearchState& state, Routing routing, std::uint32_t num_jobs);
// Assigns the routing, and places what is missing.
[[nodiscard]] RatedRouting complete(SearchState& state, Routing routing, std::uint32_t num_jobs);

// What a solver ends with.
struct Outcome {
  RatedRouting best;
  Bounds bounds;
  bool truncated = false;  // by `stop`, before the search had ended by itself
};

}  // namespace spineweave
