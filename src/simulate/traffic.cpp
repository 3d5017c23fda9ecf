#include "simulate/traffic.hpp"

namespace spineweave {

Traffic lay_out_traffic(const Fabric& fabric, const Workload& workload) {
  Traffic traffic;
  traffic.flows = expand_flows(fabric, workload);
  traffic.steps_of_flow.reserve(traffic.flows.size());
  traffic.collective_of_flow.reserve(traffic.flows.size());
  FlowId next = 0;
  for (JobId job = 0; job < workload.jobs.size(); ++job) {
    traffic.turn_begin.push_back(static_cast<TurnId>(traffic.turns.size()));
    const std::vector<Collective>& collectives = workload.jobs[job].collectives;
    for (std::uint32_t place = 0; place < collectives.size(); ++place) {
      const Collective& collective = collectives[place];
      const auto id = static_cast<CollectiveId>(traffic.collectives.size());
      const FlowId first = next;
      next += static_cast<FlowId>(count_flows(collective));
      const auto steps = static_cast<std::uint32_t>(count_steps(collective));
      if (place == 0 || collective.turn != collectives[place - 1].turn) traffic.turns.push_back({job, id, id});
      traffic.turns.back().last = id + 1;
      traffic.collectives.push_back({job, place, first, next, steps, static_cast<TurnId>(traffic.turns.size() - 1)});
      for (FlowId flow = first; flow < next; ++flow)
        traffic.steps_of_flow.push_back(steps_of_flow(collective, flow - first));
      traffic.collective_of_flow.resize(next, id);
    }
  }
  traffic.turn_begin.push_back(static_cast<TurnId>(traffic.turns.size()));
  return traffic;
}

}  // namespace spineweave
