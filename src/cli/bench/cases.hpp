// The cases of the standard performance table, each made from specs alone.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace spineweave::bench {

enum class Operation : std::uint8_t {
  score,     // all candidates of every flow, against the loads of an ECMP routing
  optimize,  // everything that the verb does, from the specs to the assessed rates
  repair,    // one more cable fails: a warm start from the routing before, and a solve from nothing
};
[[nodiscard]] std::string_view name_of(Operation operation);

struct Case {
  std::string_view name;
  std::string_view group;
  Operation operation;
  std::string_view fabric, down, jobs;  // specs; `down` may be empty
  bool one_thread;
  std::uint64_t memory_bytes;  // skipped where less is free
};

// Permutations of growing size: what the plot shows.
inline constexpr std::string_view kScaling = "scaling";
// All but these are the standard table.
inline constexpr std::string_view kSmall = "small";

[[nodiscard]] const std::vector<Case>& all_cases();

// Of a list of names and groups, separated by commas, in the order of the table; empty: the standard table.
// Throws Error{usage} for a name that is neither, with the nearest.
[[nodiscard]] std::vector<Case> choose_cases(std::string_view list);

}  // namespace spineweave::bench
