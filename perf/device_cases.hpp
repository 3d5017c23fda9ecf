// The instances that the benchmark measures.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spineweave/problem.hpp"
#include "spineweave/routing.hpp"

namespace spineweave::perf {

enum class Operation {
  score_candidates,  // the best of all candidates of every flow, against the loads of one ECMP routing
  score_routings,    // whole routings: loads, bottlenecks, pressure, order of jobs
  round              // one whole round from that routing: score, order, claim, apply, compare
};
[[nodiscard]] std::string_view name_of(Operation operation);

struct Case {
  std::string name;
  std::shared_ptr<const Problem> (*build)();
  std::vector<Operation> operations;
  std::uint32_t num_routings = 0;  // for score_routings
};

[[nodiscard]] std::vector<Case> all_cases();

// What ECMP does under the hash seeds 1 to `count`: [count * num_flows].
[[nodiscard]] std::vector<PathIndex> ecmp_paths(const Problem& problem, std::uint32_t count);

}  // namespace spineweave::perf
