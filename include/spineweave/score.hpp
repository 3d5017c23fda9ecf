// The score of a routing: two-layered max-min fairness in integers. Lower is better.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace spineweave {

struct Score {
  // N(j) in units of 2^-16, worst job first: [num_jobs]
  std::vector<std::uint64_t> normalised;
  // Flows at each job's bottleneck, in the same order of jobs (equal N: more flows first).
  std::vector<std::uint32_t> at_bottleneck;
  // Sum over links and phases of congestion squared, weighted by phase length.
  std::uint64_t pressure = 0;
  // Largest congestion over all links and phases.
  std::uint64_t max_congestion = 0;

  // Compares normalised, then at_bottleneck, then pressure; max_congestion follows from the loads and
  // decides nothing.
  friend std::strong_ordering operator<=>(const Score& a, const Score& b) {
    if (const auto order = a.normalised <=> b.normalised; order != 0) return order;
    if (const auto order = a.at_bottleneck <=> b.at_bottleneck; order != 0) return order;
    return a.pressure <=> b.pressure;
  }
  friend bool operator==(const Score& a, const Score& b) { return (a <=> b) == 0; }
};

}  // namespace spineweave
