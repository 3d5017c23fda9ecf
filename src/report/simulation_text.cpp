// A simulation on a terminal: the schemes side by side, and what each job got under them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "report/numbers.hpp"
#include "report/simulation_summary.hpp"
#include "report/text_layout.hpp"
#include "report/words.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

using namespace report;

constexpr double kNsPerUs = 1000.0;

const std::string kNoEpoch = "-";

Cell slowdown_cell(const EpochSummary& epochs, double slowdown) {
  if (epochs.epochs == 0) return {kNoEpoch};
  return {times(slowdown), above_one(slowdown) ? Tone::bad : Tone::good};
}

std::string time_of(double ns) { return duration(ns / kNsPerUs); }

std::string headline(const SimulationReport& report) {
  std::uint64_t end_ns = 0;
  for (const Simulation& simulation : report.simulations) end_ns = std::max(end_ns, simulation.end_ns);
  return fmt::format("{} with {}: {} of their time played in {}, with routes by the policy '{}'.",
                     count(report.problem->num_jobs(), "job"), count(report.problem->num_flows(), "flow"),
                     time_of(static_cast<double>(end_ns)), duration(report.run.solve_us), report.recompute);
}

std::string schemes_table(const SimulationReport& report, std::span<const SimulationSummary> summaries,
                          const TextStyle& style) {
  Table table(
      {{"", true}, {"slowdown"}, {"worst"}, {"all-reduce"}, {"longest"}, {"routings"}, {"moves"}, {"time each"}});
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const EpochSummary& all = summaries[i].all;
    table.add_row({{std::string(name_of(report.simulations[i].solver))},
                   slowdown_cell(all, all.mean_slowdown),
                   slowdown_cell(all, all.worst_slowdown),
                   {all.epochs > 0 ? time_of(all.mean_allreduce_ns) : kNoEpoch},
                   {all.epochs > 0 ? time_of(static_cast<double>(all.worst_allreduce_ns)) : kNoEpoch},
                   {count(summaries[i].runs)},
                   {count(summaries[i].moves)},
                   {summaries[i].runs == 0 ? "-" : duration(summaries[i].median_run_us)}});
  }
  return table.render(style.width, style.color);
}

std::string jobs_table(const SimulationReport& report, std::span<const SimulationSummary> summaries,
                       const TextStyle& style) {
  std::vector<Column> columns = {{"job", true}, {"alone"}};
  for (const Simulation& simulation : report.simulations) columns.push_back({std::string(name_of(simulation.solver))});
  Table table(std::move(columns));
  const std::vector<Job>& jobs = report.problem->workload().jobs;
  const std::size_t shown = std::min<std::size_t>(jobs.size(), style.max_jobs);
  for (JobId id = 0; id < shown; ++id) {
    const Job& job = jobs[id];
    std::vector<Cell> row = {{printable(job.model.empty() ? job.id : fmt::format("{} ({})", job.id, job.model))},
                             {time_of(static_cast<double>(report.ideal_ns[id]))}};
    for (const SimulationSummary& summary : summaries)
      row.push_back(slowdown_cell(summary.jobs[id], summary.jobs[id].mean_slowdown));
    table.add_row(std::move(row));
  }
  std::string text = table.render(style.width, style.color);
  if (shown < jobs.size()) text += fmt::format("  ... and {} more\n", count(jobs.size() - shown));
  return text;
}

std::vector<std::string> remarks_on(const SimulationReport& report) {
  std::vector<std::string> remarks = notes(*report.problem);
  // What a failure cuts off it cuts off under every scheme: one remark for all that left out the same jobs.
  std::map<std::pair<std::vector<JobId>, bool>, std::vector<std::string_view>> schemes_of;
  for (const Simulation& simulation : report.simulations)
    schemes_of[{simulation.unfinished, simulation.truncated}].push_back(name_of(simulation.solver));
  for (const auto& [left_out, schemes] : schemes_of) {
    const auto& [jobs, stopped] = left_out;
    if (jobs.empty()) continue;
    std::vector<std::string> names;
    for (const JobId job : jobs) names.push_back(report.problem->workload().jobs[job].id);
    remarks.push_back(fmt::format(
        "{} did not play all epochs under {}, since {}: {}", count(names.size(), "job"), fmt::join(schemes, ", "),
        stopped ? "the run was stopped" : "a failure cut off some of their flows for good", util::join_names(names)));
  }
  return remarks;
}

}  // namespace

std::string simulation_text(const SimulationReport& report, const TextStyle& style) {
  std::vector<SimulationSummary> summaries;
  for (const Simulation& simulation : report.simulations) summaries.push_back(summarise(report, simulation));
  std::string text = paint(wrap(headline(report), style.width), Tone::strong, style.color) + "\n\n";
  text += schemes_table(report, summaries, style) + "\n";
  text += "Mean slowdown of each job, its all-reduce against that alone:\n";
  text += jobs_table(report, summaries, style) + "\n";
  for (const std::string& remark : remarks_on(report))
    text += wrap("Note: " + printable(remark), style.width, 2) + "\n";
  const RunInfo& run = report.run;
  text += paint(wrap(fmt::format("Run: {}, {}, seed {}; load {}, simulate {}; digest {:016x}", run.backend,
                                 count(run.threads, "thread"), run.seed, duration(run.load_us), duration(run.solve_us),
                                 simulation_digest(report)),
                     style.width, 2),
                Tone::faint, style.color) +
          "\n";
  return text;
}

}  // namespace spineweave
