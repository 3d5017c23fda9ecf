// spineweave.simulation/1
#include <fmt/format.h>

#include "report/document_blocks.hpp"
#include "report/simulation_summary.hpp"
#include "report/words.hpp"

namespace spineweave {
namespace {

using namespace report;
using Object = Document::Object;

Object epochs_object(const EpochSummary& summary) {
  if (summary.epochs == 0) return {{"epochs", 0}};
  return {{"epochs", summary.epochs},
          {"mean_slowdown", summary.mean_slowdown},
          {"worst_slowdown", summary.worst_slowdown},
          {"mean_allreduce_ns", summary.mean_allreduce_ns},
          {"worst_allreduce_ns", summary.worst_allreduce_ns}};
}

Object job_object(const SimulationReport& report, JobId id, const EpochSummary& summary) {
  const Job& job = report.problem->workload().jobs[id];
  Object object = {{"id", job.id}, {"model", job.model}, {"ideal_ns", report.ideal_ns[id]}};
  for (auto& entry : epochs_object(summary)) object.push_back(std::move(entry));
  return object;
}

Object solver_object(const SimulationReport& report, const Simulation& simulation) {
  const SimulationSummary summary = summarise(report, simulation);
  Document::Array unfinished, jobs;
  for (const JobId job : simulation.unfinished) unfinished.emplace_back(report.problem->workload().jobs[job].id);
  for (JobId job = 0; job < summary.jobs.size(); ++job) jobs.emplace_back(job_object(report, job, summary.jobs[job]));
  Object object = {{"solver", std::string(name_of(simulation.solver))}};
  for (auto& entry : epochs_object(summary.all)) object.push_back(std::move(entry));
  for (auto& entry : Object{{"end_ns", simulation.end_ns},
                            {"truncated", simulation.truncated},
                            {"unfinished_jobs", std::move(unfinished)},
                            {"recomputations", std::uint64_t{simulation.recomputations.size()}},
                            {"proved", summary.proved},
                            {"moves", summary.moves},
                            {"most_moves", summary.most_moves},
                            {"median_build_us", summary.median_build_us},
                            {"median_run_us", summary.median_run_us},
                            {"most_run_us", summary.most_run_us},
                            {"jobs", std::move(jobs)},
                            {"digest", fmt::format("{:016x}", simulation.digest)}})
    object.push_back(std::move(entry));
  return object;
}

Document::Array events_array(const SimulationReport& report) {
  Document::Array events;
  for (const FabricEvent& event : report.options.fabric_events)
    events.emplace_back(
        Object{{"time_ns", event.time_ns}, {"kind", event.fails ? "failure" : "recovery"}, {"target", event.target}});
  return events;
}

}  // namespace

Document simulation_document(const SimulationReport& report) {
  Document::Array solvers;
  for (const Simulation& simulation : report.simulations) solvers.emplace_back(solver_object(report, simulation));
  const RunInfo& run = report.run;
  const bool artifact_hash = report.options.ecmp_hash == EcmpHash::artifact;
  return Object{
      {"schema", "spineweave.simulation/1"},
      {"problem", problem_object(*report.problem)},
      {"run", Object{{"fabric", run.fabric_source},
                     {"jobs", run.jobs_source},
                     {"recompute", report.recompute},
                     {"fabric_events", events_array(report)},
                     {"ecmp_hash", artifact_hash ? "artifact" : "crc32"},
                     {"horizon_ns", report.options.horizon_ns},
                     {"move_cost_ns", report.options.move_cost_ns},
                     {"tie_order", report.options.tie_order},
                     {"epochs", report.options.epochs},
                     {"weights", weights_name(report.problem->options())},
                     {"rounds", report.options.rounds == kNone ? Document() : Document(report.options.rounds)},
                     {"time_limit_us", report.options.time_limit_us},
                     {"max_moves", report.options.max_moves ? Document(*report.options.max_moves) : Document()},
                     {"backend", run.backend},
                     {"threads", run.threads},
                     {"seed", run.seed}}},
      {"solvers", std::move(solvers)},
      {"time", Object{{"load_us", run.load_us}, {"build_us", run.build_us}, {"simulate_us", run.solve_us}}},
      {"digest", fmt::format("{:016x}", simulation_digest(report))}};
}

}  // namespace spineweave
