#include "report/simulation_summary.hpp"

#include <algorithm>

#include "report/statistics.hpp"
#include "util/hash.hpp"

namespace spineweave {
namespace report {
namespace {

// Sums, until finish() makes means of them.
void add(EpochSummary& summary, std::uint64_t allreduce_ns, double slowdown) {
  if (summary.epochs++ == 0) summary.mean_slowdown = 0;
  summary.mean_allreduce_ns += static_cast<double>(allreduce_ns);
  summary.worst_allreduce_ns = std::max(summary.worst_allreduce_ns, allreduce_ns);
  summary.mean_slowdown += slowdown;
  summary.worst_slowdown = std::max(summary.worst_slowdown, slowdown);
}

void finish(EpochSummary& summary) {
  if (summary.epochs == 0) return;
  summary.mean_allreduce_ns /= summary.epochs;
  summary.mean_slowdown /= summary.epochs;
}

}  // namespace

double slowdown_of(const SimulationReport& report, const EpochRecord& epoch) {
  return static_cast<double>(epoch.allreduce_ns()) / static_cast<double>(report.ideal_ns[epoch.job]);
}

SimulationSummary summarise(const SimulationReport& report, const Simulation& simulation) {
  SimulationSummary summary;
  summary.jobs.resize(report.ideal_ns.size());
  for (const EpochRecord& epoch : simulation.epochs) {
    const double slowdown = slowdown_of(report, epoch);
    add(summary.all, epoch.allreduce_ns(), slowdown);
    add(summary.jobs[epoch.job], epoch.allreduce_ns(), slowdown);
  }
  finish(summary.all);
  for (EpochSummary& job : summary.jobs) finish(job);

  std::vector<double> runs, builds;
  for (const RecomputationRecord& recomputation : simulation.recomputations) {
    summary.moves += recomputation.moves;
    summary.most_moves = std::max(summary.most_moves, recomputation.moves);
    if (!recomputation.by_controller) continue;
    ++summary.runs;
    summary.proved += recomputation.proved ? 1U : 0U;
    runs.push_back(recomputation.run_us);
    builds.push_back(recomputation.build_us);
  }
  if (!runs.empty()) summary.most_run_us = *std::ranges::max_element(runs);
  summary.median_run_us = median(std::move(runs));
  summary.median_build_us = median(std::move(builds));
  return summary;
}

}  // namespace report

std::uint64_t simulation_digest(const SimulationReport& report) {
  util::Digest digest;
  for (const Simulation& simulation : report.simulations) digest.add(simulation.digest);
  return digest.value();
}

}  // namespace spineweave
