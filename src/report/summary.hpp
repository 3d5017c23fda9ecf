// The few figures that say how good a routing is, and the order in which jobs are shown.
#pragma once

#include <cstdint>
#include <vector>

#include "report/link_loads.hpp"
#include "spineweave/report.hpp"

namespace spineweave::report {

struct Summary {
  double worst_slowdown = 1.0;
  std::uint32_t jobs_at_full_speed = 0;
  double fullest_link = 0;  // demand over capacity, over all links
  double network_efficiency = 1.0;
};
[[nodiscard]] Summary summarise(const Problem& problem, const Result& result);

// Those who suffer most first; where equal, those who would suffer most under the baseline; then the
// order of the input.
[[nodiscard]] std::vector<JobId> by_suffering(const Report& report);

// N(j), its lower bound, whether the one meets the other, and its even share.
struct Standing {
  double bottleneck = 1.0;
  double bound = 1.0;
  double even_share = 1.0;
  bool at_bound = false;
};
[[nodiscard]] Standing standing_of(const Problem& problem, const Solution& solution, JobId job);

[[nodiscard]] std::vector<std::uint32_t> flows_per_job(const Problem& problem);

}  // namespace spineweave::report
