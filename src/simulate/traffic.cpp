#include "simulate/traffic.hpp"

namespace spineweave {

Traffic lay_out_traffic(const Fabric& fabric, const Workload& workload) {
  Traffic traffic;
  traffic.flows = expand_flows(fabric, workload);
  traffic.collective_of_flow.reserve(traffic.flows.size());
  FlowId next = 0;
  for (JobId job = 0; job < workload.jobs.size(); ++job) {
    traffic.collective_begin.push_back(static_cast<CollectiveId>(traffic.collectives.size()));
    const std::vector<Collective>& collectives = workload.jobs[job].collectives;
    for (std::uint32_t place = 0; place < collectives.size(); ++place) {
      const auto id = static_cast<CollectiveId>(traffic.collectives.size());
      const FlowId first = next;
      next += static_cast<FlowId>(count_flows(collectives[place]));
      traffic.collectives.push_back({job, place, first, next, count_steps(collectives[place])});
      traffic.collective_of_flow.resize(next, id);
    }
  }
  traffic.collective_begin.push_back(static_cast<CollectiveId>(traffic.collectives.size()));
  return traffic;
}

}  // namespace spineweave
