#include "simulate/traffic.hpp"

namespace spineweave {

Traffic lay_out_traffic(const Fabric& fabric, const Workload& workload) {
  Traffic traffic;
  traffic.flows = expand_flows(fabric, workload);
  traffic.steps_of_flow.reserve(traffic.flows.size());
  traffic.collective_of_flow.reserve(traffic.flows.size());
  FlowId next = 0;
  for (JobId job = 0; job < workload.jobs.size(); ++job) {
    traffic.collective_begin.push_back(static_cast<CollectiveId>(traffic.collectives.size()));
    const std::vector<Collective>& collectives = workload.jobs[job].collectives;
    for (std::uint32_t place = 0; place < collectives.size(); ++place) {
      const Collective& collective = collectives[place];
      const auto id = static_cast<CollectiveId>(traffic.collectives.size());
      const FlowId first = next;
      next += static_cast<FlowId>(count_flows(collective));
      const auto steps = static_cast<std::uint32_t>(count_steps(collective));
      traffic.collectives.push_back({job, place, first, next, steps, collective.turn});
      for (FlowId flow = first; flow < next; ++flow)
        traffic.steps_of_flow.push_back(steps_of_flow(collective, flow - first));
      traffic.collective_of_flow.resize(next, id);
    }
  }
  traffic.collective_begin.push_back(static_cast<CollectiveId>(traffic.collectives.size()));
  return traffic;
}

}  // namespace spineweave
