// What the micro-benchmarks share.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "spineweave/evaluator.hpp"
#include "spineweave/problem.hpp"

namespace spineweave::perf {

// The same problem for the same texts: made once. "irregular" is irregular_fabric().
[[nodiscard]] std::shared_ptr<const Problem> problem_of(const std::string& fabric, const std::string& jobs,
                                                        const std::string& faults = "", const char* weights = "demand");

[[nodiscard]] std::shared_ptr<const Problem> paper_problem();     // 64 x 32, 1,728 flows
[[nodiscard]] std::shared_ptr<const Problem> fat_tree_problem();  // k = 64, 65,536 flows

// ECMP's: loads as uneven as a search finds them.
[[nodiscard]] Routing uneven_routing(const std::shared_ptr<const Problem>& problem);
[[nodiscard]] std::vector<FlowId> all_flows(const Problem& problem);

// Counts `items` done and `bytes` touched in each iteration.
void count(benchmark::State& state, std::uint64_t items, std::uint64_t bytes = 0);

// Bytes read in a second from an array of this size, measured once: what loads can reach at most.
[[nodiscard]] double read_rate(std::size_t bytes);
// Adds the counter "of_l1" or "of_l2", after where the working set fits: `bytes_per_second` as a share of
// that ceiling.
void compare_with_caches(benchmark::State& state, double bytes_per_second, std::uint64_t working_set);

inline constexpr std::size_t kL1Bytes = std::size_t{16} << 10U, kL2Bytes = std::size_t{512} << 10U;

}  // namespace spineweave::perf
