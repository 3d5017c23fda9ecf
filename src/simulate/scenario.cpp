#include "simulate/scenario.hpp"

#include <fmt/format.h>

#include <numeric>

#include "simulate/routed_set.hpp"
#include "spineweave/error.hpp"
#include "spineweave/rank.hpp"
#include "util/clock.hpp"

namespace spineweave {
namespace {

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

class Stager {
 public:
  Stager(const Scenario& scenario, const SimulationOptions& options) : scenario_(scenario), options_(options) {}

  // Throws where one of them is cut off.
  [[nodiscard]] RoutedSet set_of(const std::shared_ptr<const Fabric>& fabric,
                                 std::span<const CollectiveId> collectives) const {
    return build_routed_set(fabric, *scenario_.workload, scenario_.traffic, collectives, {}, {},
                            scenario_.problem_options);
  }

  [[nodiscard]] std::vector<Route> route(const RoutedSet& set) const {
    std::vector<Route> routes(scenario_.traffic.flows.size());
    Routing routing(set.problem->num_flows());
    ecmp_routings(*set.problem, {options_.ecmp_hash, options_.seed, 1}).write(0, routing);
    for (FlowId flow = 0; flow < routing.size(); ++flow)
      set.problem->append_links(flow, routing[flow], routes[set.flows[flow]]);
    return routes;
  }

  [[nodiscard]] Stage stage(FabricState state) const {
    const auto begin = util::Clock::now();
    std::vector<bool> cut_off = find_cut_off(*state.fabric);
    std::vector<CollectiveId> served;
    for (CollectiveId id = 0; id < cut_off.size(); ++id)
      if (!cut_off[id]) served.push_back(id);
    Stage stage{std::move(state), std::move(cut_off), {}, 0};
    stage.ecmp =
        served.empty() ? std::vector<Route>(scenario_.traffic.flows.size()) : route(set_of(stage.state.fabric, served));
    stage.ecmp_us = util::microseconds_since(begin);
    return stage;
  }

 private:
  [[nodiscard]] std::vector<bool> find_cut_off(const Fabric& fabric) const {
    const Traffic& traffic = scenario_.traffic;
    std::vector<bool> cut_off(traffic.collectives.size(), false);
    for (const FlowId flow : unreachable_flows(fabric, traffic.flows, scenario_.problem_options))
      cut_off[traffic.collective_of_flow[flow]] = true;
    return cut_off;
  }

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
  const auto begin = util::Clock::now();
  std::vector<CollectiveId> all(scenario.traffic.collectives.size());
  std::iota(all.begin(), all.end(), CollectiveId{0});
  const RoutedSet intact = stager.set_of(fabric, all);
  scenario.intact_ecmp = stager.route(intact);
  const double intact_us = util::microseconds_since(begin);
  if (options.horizon_ns > 0 || options.move_cost_ns > 0) scenario.ideal_ns = ideal_allreduce_ns(*intact.problem);
  for (FabricState& state : states) {
    if (state.fabric == fabric) {
      scenario.stages.push_back(
          {std::move(state), std::vector<bool>(all.size(), false), scenario.intact_ecmp, intact_us});
    } else {
      scenario.stages.push_back(stager.stage(std::move(state)));
    }
  }
  return scenario;
}

}  // namespace spineweave
