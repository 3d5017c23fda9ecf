// A simulation as tables for other programs.
#include <fmt/format.h>

#include <iterator>

#include "report/csv.hpp"
#include "report/simulation_summary.hpp"

namespace spineweave {
namespace {

std::vector<std::string> job_fields(const SimulationReport& report) {
  std::vector<std::string> fields;
  for (const Job& job : report.problem->workload().jobs) fields.push_back(report::csv_field(job.id));
  return fields;
}

}  // namespace

std::string epochs_csv(const SimulationReport& report) {
  const std::vector<std::string> jobs = job_fields(report);
  std::string csv = "solver,job,epoch,start_ns,end_ns,allreduce_ns,ideal_ns,slowdown\n";
  for (const Simulation& simulation : report.simulations)
    for (const EpochRecord& epoch : simulation.epochs)
      fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{}\n", name_of(simulation.solver), jobs[epoch.job],
                     epoch.epoch, epoch.start_ns, epoch.end_ns, epoch.allreduce_ns(), report.ideal_ns[epoch.job],
                     report::slowdown_of(report, epoch));
  return csv;
}

std::string flows_csv(const SimulationReport& report) {
  const std::vector<std::string> jobs = job_fields(report);
  const Fabric& fabric = report.problem->fabric();
  std::vector<std::string> ends;
  for (EndpointId endpoint = 0; endpoint < fabric.num_endpoints(); ++endpoint)
    ends.push_back(report::csv_field(fabric.node(endpoint).name));
  std::string csv = "solver,job,epoch,step,collective,flow,src,dst,bytes,start_ns,end_ns\n";
  for (const Simulation& simulation : report.simulations) {
    for (const FlowRecord& record : simulation.flows) {
      const FlowSpec& flow = report.problem->flows()[record.flow];
      fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{},{},{},{}\n", name_of(simulation.solver),
                     jobs[flow.job], record.epoch, record.step, flow.collective, flow.index, ends[flow.src],
                     ends[flow.dst], flow.bytes, record.start_ns, record.end_ns);
    }
  }
  return csv;
}

std::string recomputations_csv(const SimulationReport& report) {
  std::string csv = "solver,time_ns,kind,flows,moves,phases,worst_job,proved,build_us,run_us\n";
  for (const Simulation& simulation : report.simulations)
    for (const RecomputationRecord& recomputation : simulation.recomputations)
      fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{:.6f},{},{:.1f},{:.1f}\n", name_of(simulation.solver),
                     recomputation.time_ns, recomputation.by_controller ? "routes" : "detours", recomputation.flows,
                     recomputation.moves, recomputation.phases, recomputation.worst_job, recomputation.proved ? 1 : 0,
                     recomputation.build_us, recomputation.run_us);
  return csv;
}

}  // namespace spineweave
