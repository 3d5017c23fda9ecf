// What a routing means in rates and times: exact max-min fair shares, slowdowns, efficiency.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spineweave/problem.hpp"
#include "spineweave/routing.hpp"

namespace spineweave {

struct JobAssessment {
  double slowdown = 1.0;  // time of a step / its time alone with only access links counted
  double rate_bps = 0.0;  // of the job's slowest flow (over subflows, and over the job's phases)
};

struct Assessment {
  std::vector<double> flow_rate_bps;  // [num_flows], the least over the flow's phases
  std::vector<JobAssessment> jobs;    // [num_jobs]
  double network_efficiency = 1.0;    // endpoint-weighted mean of 1 / slowdown
  double worst_job_efficiency = 1.0;
  double jain = 1.0;             // Jain's index of the jobs' efficiencies
  double fluid_bound = 1.0;      // network efficiency if every flow could be split perfectly
  std::vector<double> fairness;  // efficiencies, ascending
  std::vector<double> link_bps;  // [num_links] throughput, the most over phases
};

// Flow-level max-min fair allocation by progressive filling (Bertsekas and Gallager, Data Networks,
// 6.5.2), unweighted per subflow, over all links, apart for each phase. Links are frozen in the order
// (fair share, link id), so that the doubles are the same on every machine. O((flows * hops + links)
// log links) per phase.
[[nodiscard]] Assessment assess(const Problem& problem, const Routing& routing);
// The same for several routings side by side; what each is compared with is worked out once for all.
[[nodiscard]] std::vector<Assessment> assess(const Problem& problem, std::span<const Routing* const> routings);

// The allocation itself, for any incidence: `flow_begin` [flows + 1] into `links`, capacities in bit/s
// [num_links]. A flow without links gets infinity.
[[nodiscard]] std::vector<double> max_min_rates(std::span<const std::uint32_t> flow_begin,
                                                std::span<const std::uint32_t> links,
                                                std::span<const double> capacity_bps);

}  // namespace spineweave
