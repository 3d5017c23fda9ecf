#include "report/summary.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "report/numbers.hpp"

namespace spineweave::report {

Summary summarise(const Problem& problem, const Result& result) {
  Summary summary;
  for (const JobAssessment& job : result.assessment.jobs) {
    summary.worst_slowdown = std::max(summary.worst_slowdown, job.slowdown);
    if (!above_one(job.slowdown)) ++summary.jobs_at_full_speed;
  }
  summary.fullest_link = problem.utilisation(result.solution.score.max_congestion);
  summary.network_efficiency = result.assessment.network_efficiency;
  return summary;
}

std::vector<JobId> by_suffering(const Report& report) {
  std::vector<JobId> jobs(report.problem->num_jobs());
  std::iota(jobs.begin(), jobs.end(), JobId{0});
  const auto key = [&](JobId job) {
    const double before = report.has_baseline ? report.baseline.assessment.jobs[job].slowdown : 1.0;
    return std::tuple{-report.result.assessment.jobs[job].slowdown, -before, job};
  };
  std::ranges::sort(jobs, {}, key);
  return jobs;
}

Standing standing_of(const Problem& problem, const Solution& solution, JobId job) {
  const std::uint64_t bottleneck = problem.normalise(job, solution.job_bottlenecks[job]);
  const std::uint64_t bound = solution.bounds.per_job[job];
  return {from_units(bottleneck), from_units(bound), from_units(solution.bounds.even_share[job]), bottleneck <= bound};
}

std::vector<std::uint32_t> flows_per_job(const Problem& problem) {
  std::vector<std::uint32_t> flows(problem.num_jobs(), 0);
  for (const FlowSpec& flow : problem.flows()) ++flows[flow.job];
  return flows;
}

}  // namespace spineweave::report
