// The report on a terminal: verdict, before and after, the jobs that suffer most, the certificate.
#include <fmt/format.h>

#include <algorithm>

#include "report/numbers.hpp"
#include "report/summary.hpp"
#include "report/text_layout.hpp"
#include "report/words.hpp"

namespace spineweave {
namespace {

using namespace report;

constexpr std::uint32_t kWide = 100;  // columns from which bottlenecks and bounds fit as well

Tone tone_of(double factor) { return above_one(factor) ? Tone::bad : Tone::good; }

std::string comparison(const Report& report, const TextStyle& style) {
  std::vector<Column> columns = {{"", true}};
  std::vector<Summary> summaries;
  if (report.has_baseline) {
    columns.push_back({display_name(report.baseline_name)});
    summaries.push_back(summarise(*report.problem, report.baseline));
  }
  columns.push_back({display_name(report.run.solver)});
  summaries.push_back(summarise(*report.problem, report.result));

  const std::uint32_t jobs = report.problem->num_jobs();
  Table table(std::move(columns));
  const auto add = [&](const char* what, const auto& cell_of) {
    std::vector<Cell> row = {{what}};
    for (const Summary& summary : summaries) row.push_back(cell_of(summary));
    table.add_row(std::move(row));
  };
  add("worst job, slowdown", [](const Summary& s) { return Cell{times(s.worst_slowdown), tone_of(s.worst_slowdown)}; });
  add("jobs at full speed",
      [&](const Summary& s) { return Cell{fmt::format("{} of {}", count(s.jobs_at_full_speed), count(jobs))}; });
  add("fullest link, demand / capacity", [](const Summary& s) { return Cell{percent(s.fullest_link)}; });
  add("network efficiency", [](const Summary& s) { return Cell{percent(s.network_efficiency)}; });
  std::string text = table.render(style.width, style.color);
  const double fluid = report.result.assessment.fluid_bound;
  if (fluid - report.result.assessment.network_efficiency > kRounding)
    text +=
        wrap(fmt::format("  (splitting every flow perfectly would reach {})", percent(fluid)), style.width, 3) + "\n";
  return text;
}

std::string rest_of_jobs(const Report& report, std::span<const JobId> rest) {
  const auto slowdown = [&](JobId job) { return report.result.assessment.jobs[job].slowdown; };
  const std::string most = times(slowdown(rest.front()));
  const std::string least = times(slowdown(rest.back()));
  return fmt::format(
      "  ... and {} more, {}\n", count(rest.size()),
      most == least ? (rest.size() > 1 ? "all at " : "at ") + most : fmt::format("from {} to {}", least, most));
}

std::string job_table(const Report& report, const TextStyle& style) {
  const Workload& workload = report.problem->workload();
  const bool wide = style.width >= kWide;
  const bool has_models = std::ranges::any_of(workload.jobs, [](const Job& job) { return !job.model.empty(); });
  std::vector<Column> columns = {{"job", true}};
  if (has_models) columns.push_back({"model", true});
  columns.push_back({"flows"});
  columns.push_back({"slowdown"});
  if (report.has_baseline) columns.push_back({"under " + display_name(report.baseline_name)});
  columns.push_back({"Gbit/s"});
  if (wide) columns.push_back({"bottleneck"}), columns.push_back({"lower bound"});
  columns.push_back({"at bound"});

  const std::vector<JobId> order = by_suffering(report);
  const std::vector<std::uint32_t> flows = flows_per_job(*report.problem);
  const std::size_t shown = std::min<std::size_t>(order.size(), style.max_jobs);
  Table table(std::move(columns));
  for (const JobId job : std::span(order).first(shown)) {
    const JobAssessment& now = report.result.assessment.jobs[job];
    const Standing standing = standing_of(*report.problem, report.result.solution, job);
    std::vector<Cell> row = {{printable(workload.jobs[job].id)}};
    if (has_models) row.push_back({printable(workload.jobs[job].model)});
    row.push_back({count(flows[job])});
    row.push_back({times(now.slowdown), tone_of(now.slowdown)});
    if (report.has_baseline) row.push_back({times(report.baseline.assessment.jobs[job].slowdown)});
    row.push_back({gbps(now.rate_bps)});
    if (wide) row.push_back({times(standing.bottleneck)}), row.push_back({times(standing.bound)});
    row.push_back({standing.at_bound ? "yes" : "no"});
    table.add_row(std::move(row));
  }
  std::string text = table.render(style.width, style.color);
  if (shown < order.size()) text += rest_of_jobs(report, std::span(order).subspan(shown));
  return text;
}

std::string run_line(const Report& report) {
  const RunInfo& run = report.run;
  return fmt::format("Run: {}; load {}, build {}, solve {}; digest {:016x}", describe(run), duration(run.load_us),
                     duration(run.build_us), duration(run.solve_us), report.result.solution.digest);
}

}  // namespace

std::string report_text(const Report& report, const TextStyle& style) {
  const bool unharmed = summarise(*report.problem, report.result).jobs_at_full_speed == report.problem->num_jobs();
  std::string text =
      paint(wrap(verdict(report), style.width), unharmed ? Tone::good : Tone::strong, style.color) + "\n\n";
  text += comparison(report, style) + "\n";
  text += job_table(report, style) + "\n";
  text += wrap(fmt::format("Certificate: {}. {}", certificate_words(report.result.solution.certificate),
                           explain_certificate(*report.problem, report.result.solution)),
               style.width, 2) +
          "\n";
  if (report.result.solution.warm)
    text +=
        wrap("Warm start: " + warm_start_words(*report.problem, report.result.solution) + ".", style.width, 2) + "\n";
  for (const std::string& note : notes(*report.problem))
    text += wrap("Note: " + printable(note), style.width, 2) + "\n";
  text += paint(wrap(run_line(report), style.width, 2), Tone::faint, style.color) + "\n";
  return text;
}

}  // namespace spineweave
