// spineweave.report/1.
#include <fmt/format.h>

#include <cmath>

#include "report/document_blocks.hpp"
#include "report/link_loads.hpp"
#include "report/numbers.hpp"
#include "report/summary.hpp"
#include "report/words.hpp"

namespace spineweave {
namespace {

using namespace report;
using Object = Document::Object;

Object job_object(const Report& report, JobId job, std::uint32_t flows) {
  const Job& spec = report.problem->workload().jobs[job];
  const Standing standing = standing_of(*report.problem, report.result.solution, job);
  const JobAssessment& now = report.result.assessment.jobs[job];
  Object object = {{"id", spec.id},
                   {"flows", flows},
                   {"bottleneck", standing.bottleneck},
                   {"bound", standing.bound},
                   {"at_bound", standing.at_bound},
                   {"even_share", standing.even_share},
                   {"slowdown", now.slowdown},
                   {"rate_gbps", now.rate_bps / 1e9}};
  if (!spec.model.empty()) object.emplace_back("model", spec.model);
  if (report.has_baseline) object.emplace_back("baseline_slowdown", report.baseline.assessment.jobs[job].slowdown);
  return object;
}

Object efficiency_object(const Assessment& assessment) {
  return {{"network", assessment.network_efficiency},
          {"worst_job", assessment.worst_job_efficiency},
          {"jain", assessment.jain},
          {"fluid_bound", assessment.fluid_bound}};
}

Object links_object(const Problem& problem, const Result& result) {
  const LinkSummary summary = summarise_links(problem, load_links(problem, result.solution.routing), result.assessment);
  Document::Array histogram;
  for (const Bin& bin : summary.histogram) {
    Object object = {{"above", bin.above}, {"links", bin.links}};
    if (!std::isinf(bin.up_to)) object.emplace_back("up_to", bin.up_to);
    histogram.emplace_back(std::move(object));
  }
  return {{"max_utilisation", summary.max_utilisation},
          {"mean_utilisation", summary.mean_utilisation},
          {"histogram", std::move(histogram)},
          {"counted", has_switch_links(problem.fabric()) ? "switch to switch" : "all"},
          {"up", summary.counted},
          {"down", summary.dead},
          {"idle", summary.idle},
          {"over_full", summary.over_full},
          {"mean_throughput", summary.mean_throughput}};
}

Object baseline_object(const Report& report) {
  const Score& score = report.baseline.solution.score;
  return {{"solver", report.baseline_name},
          {"max_congestion", report.problem->utilisation(score.max_congestion)},
          {"worst_job", from_units(score.normalised.front())},
          {"vector", units_array(score.normalised)},
          {"efficiency", efficiency_object(report.baseline.assessment)},
          {"links", links_object(*report.problem, report.baseline)}};
}

}  // namespace

Document report_document(const Report& report) {
  const std::vector<std::uint32_t> flows = flows_per_job(*report.problem);
  Document::Array jobs;
  for (JobId job = 0; job < report.problem->num_jobs(); ++job) jobs.emplace_back(job_object(report, job, flows[job]));
  Object run = run_object("solver", report.run, report.result.solution);
  run.emplace_back("warm_start", report.result.solution.warm);
  run.emplace_back("moved", report.result.solution.moved);
  run.emplace_back("placed", report.result.solution.placed);
  Object document = {
      {"schema", "spineweave.report/1"},
      {"verdict", verdict(report)},
      {"problem", problem_object(*report.problem)},
      {"run", std::move(run)},
      {"score", score_object(*report.problem, report.result.solution)},
      {"jobs", std::move(jobs)},
      {"efficiency", efficiency_object(report.result.assessment)},
      {"links", links_object(*report.problem, report.result)},
      {"time",
       Object{{"load_us", report.run.load_us}, {"build_us", report.run.build_us}, {"solve_us", report.run.solve_us}}},
      {"digest", fmt::format("{:016x}", report.result.solution.digest)}};
  if (report.has_baseline) document.emplace_back("baseline", baseline_object(report));
  return document;
}

}  // namespace spineweave
