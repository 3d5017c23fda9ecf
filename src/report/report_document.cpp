// spineweave.report/1.
#include <fmt/format.h>

#include <cmath>

#include "report/link_loads.hpp"
#include "report/numbers.hpp"
#include "report/summary.hpp"
#include "report/words.hpp"

namespace spineweave {
namespace {

using namespace report;
using Object = Document::Object;

Object problem_object(const Problem& problem) {
  const Fabric& fabric = problem.fabric();
  Document::Array remarks;
  for (const std::string& note : notes(problem)) remarks.emplace_back(note);
  return {{"endpoints", fabric.num_endpoints()},
          {"switches", fabric.num_switches()},
          {"links", fabric.num_links()},
          {"jobs", problem.num_jobs()},
          {"flows", problem.num_flows()},
          {"candidates", problem.num_candidates()},
          {"phases", problem.num_phases()},
          {"precision_bits", problem.precision_bits()},
          {"capped_pairs", problem.capped_pairs()},
          {"weights_rounded", problem.weights_rounded()},
          {"notes", std::move(remarks)}};
}

Object run_object(const Report& report) {
  const RunInfo& run = report.run;
  return {{"solver", run.solver},
          {"backend", run.backend},
          {"device", run.device},
          {"threads", run.threads},
          {"seed", run.seed},
          {"truncated", report.result.solution.truncated},
          {"moved", report.result.solution.moved},
          {"fabric", run.fabric_source},
          {"jobs", run.jobs_source}};
}

Document::Array units_array(std::span<const std::uint64_t> values) {
  Document::Array array;
  for (const std::uint64_t value : values) array.emplace_back(from_units(value));
  return array;
}

Object score_object(const Report& report) {
  const Solution& solution = report.result.solution;
  const Certificate& certificate = solution.certificate;
  const auto word = [](bool proved) { return proved ? "proved" : "open"; };
  return {{"max_congestion", report.problem->utilisation(solution.score.max_congestion)},
          {"worst_job", from_units(solution.score.normalised.front())},
          {"lower_bound", from_units(solution.bounds.vector.front())},
          {"gap", certificate.gap},
          {"certificate", Object{{"max", word(certificate.max_proved)},
                                 {"vector", word(certificate.vector_proved)},
                                 {"jobs_at_bound", certificate.jobs_at_bound}}},
          {"vector", units_array(solution.score.normalised)},
          {"vector_bound", units_array(solution.bounds.vector)}};
}

Object job_object(const Report& report, JobId job, std::uint32_t flows) {
  const Job& spec = report.problem->workload().jobs[job];
  const Standing standing = standing_of(report, job);
  const JobAssessment& now = report.result.assessment.jobs[job];
  Object object = {{"id", spec.id},
                   {"flows", flows},
                   {"bottleneck", standing.bottleneck},
                   {"bound", standing.bound},
                   {"at_bound", standing.at_bound},
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
  Object document = {
      {"schema", "spineweave.report/1"},
      {"verdict", verdict(report)},
      {"problem", problem_object(*report.problem)},
      {"run", run_object(report)},
      {"score", score_object(report)},
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
