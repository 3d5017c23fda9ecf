#include "simulate/scenario.hpp"

#include <fmt/format.h>

#include <chrono>

#include "simulate/routed_set.hpp"
#include "spineweave/error.hpp"
#include "spineweave/rank.hpp"

namespace spineweave {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kLatestNs = std::uint64_t{1} << 62U;

std::vector<JobSchedule> schedule_jobs(const Workload& workload, std::uint32_t epochs) {
  __extension__ using Wide = unsigned __int128;
  std::vector<JobSchedule> schedules;
  for (const Job& job : workload.jobs) {
    const std::uint32_t own = job.epochs > 0 ? job.epochs : kUsualEpochs;
    schedules.push_back({job.start_ns, job.compute_ns, epochs > 0 ? epochs : own, true});
    const Wide computed = Wide{job.compute_ns} * schedules.back().epochs + job.start_ns;
    if (computed > kLatestNs)
      throw Error(
          ErrorCode::bad_input,
          fmt::format("job '{}' starts at {} ns and computes {} ns in each of {} epochs; expected an end before "
                      "{} ns (2^62)",
                      job.id, job.start_ns, job.compute_ns, schedules.back().epochs, kLatestNs));
  }
  return schedules;
}

std::vector<Route> ecmp_routes(const RoutedSet& set, std::size_t num_flows, const SimulationOptions& options) {
  Routing routing(set.problem->num_flows());
  ecmp_routings(*set.problem, {options.ecmp_hash, options.seed, 1}).write(0, routing);
  std::vector<Route> routes(num_flows);
  for (FlowId flow = 0; flow < routing.size(); ++flow)
    set.problem->append_links(flow, routing[flow], routes[set.flows[flow]]);
  return routes;
}

class Stager {
 public:
  Stager(const Scenario& scenario, const SimulationOptions& options) : scenario_(scenario), options_(options) {}

  [[nodiscard]] Stage stage(FabricState state) const {
    const auto begin = Clock::now();
    const Traffic& traffic = scenario_.traffic;
    Stage stage;
    stage.state = std::move(state);
    stage.cut_off.assign(traffic.collectives.size(), false);
    for (const FlowId flow : unreachable_flows(*stage.state.fabric, traffic.flows, scenario_.problem_options))
      stage.cut_off[traffic.collective_of_flow[flow]] = true;
    std::vector<CollectiveId> served;
    for (CollectiveId id = 0; id < traffic.collectives.size(); ++id)
      if (!stage.cut_off[id]) served.push_back(id);
    stage.ecmp.resize(traffic.flows.size());
    if (!served.empty()) stage.ecmp = route(stage.state.fabric, served);
    stage.ecmp_us = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    return stage;
  }

  [[nodiscard]] std::vector<Route> route(const std::shared_ptr<const Fabric>& fabric,
                                         std::span<const CollectiveId> collectives) const {
    return ecmp_routes(
        build_routed_set(fabric, *scenario_.workload, scenario_.traffic, collectives, scenario_.problem_options),
        scenario_.traffic.flows.size(), options_);
  }

 private:
  const Scenario& scenario_;
  const SimulationOptions& options_;
};

}  // namespace

Scenario make_scenario(const std::shared_ptr<const Fabric>& fabric, const std::shared_ptr<const Workload>& workload,
                       const ProblemOptions& problem_options, const SimulationOptions& options) {
  Scenario scenario;
  scenario.workload = workload;
  scenario.problem_options = problem_options;
  scenario.traffic = lay_out_traffic(*fabric, *workload);
  scenario.schedules = schedule_jobs(*workload, options.epochs);
  std::vector<FabricState> states = play_outages(fabric, options.fabric_events);
  const Stager stager(scenario, options);
  std::vector<CollectiveId> all(scenario.traffic.collectives.size());
  for (CollectiveId id = 0; id < all.size(); ++id) all[id] = id;
  scenario.intact_ecmp = stager.route(fabric, all);
  for (FabricState& state : states) scenario.stages.push_back(stager.stage(std::move(state)));
  return scenario;
}

}  // namespace spineweave
