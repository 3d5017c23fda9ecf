#include "service/control/instance.hpp"

#include <algorithm>
#include <span>

namespace spineweave::service {
namespace {

// [all flows] true: the flow has no live path.
std::vector<bool> find_unreachable(const Fabric& fabric, const std::vector<FlowSpec>& flows,
                                   const ProblemOptions& options) {
  std::vector<bool> unreachable(flows.size(), false);
  if (std::ranges::none_of(fabric.links(), [](const Link& link) { return link.state == LinkState::down; }))
    return unreachable;
  for (const FlowId flow : unreachable_flows(fabric, flows, options)) unreachable[flow] = true;
  return unreachable;
}

}  // namespace

Instance build_instance(const Snapshot& snapshot, std::shared_ptr<const Fabric> fabric, const ProblemOptions& options) {
  Instance instance;
  instance.fabric = std::move(fabric);
  instance.first_flow = {0};
  std::vector<FlowSpec> flows;
  for (const auto& entry : *snapshot.jobs) {
    flows.insert(flows.end(), entry->flows.begin(), entry->flows.end());
    instance.first_flow.push_back(static_cast<std::uint32_t>(flows.size()));
  }
  const std::vector<bool> unreachable = find_unreachable(*instance.fabric, flows, options);
  instance.in_problem.assign(flows.size(), kNone);
  instance.unreachable.assign(snapshot.jobs->size(), 0);

  FlowId next = 0;  // in the problem
  auto workload = std::make_shared<Workload>();
  workload->phases = *snapshot.phases;
  for (std::size_t j = 0; j < snapshot.jobs->size(); ++j) {
    const Job& job = (*snapshot.jobs)[j]->job;
    Job part = job;
    part.collectives.clear();
    std::uint32_t first = instance.first_flow[j];
    for (std::uint32_t c = 0; c < job.collectives.size(); ++c) {
      std::uint32_t last = first;
      std::uint32_t cut_off = 0;
      for (; last < instance.first_flow[j + 1] && flows[last].collective == c; ++last) cut_off += unreachable[last];
      instance.unreachable[j] += cut_off;
      if (cut_off == 0) {
        part.collectives.push_back(job.collectives[c]);
        for (std::uint32_t i = first; i < last; ++i) instance.in_problem[i] = next++;
      }
      first = last;
    }
    if (!part.collectives.empty()) workload->jobs.push_back(std::move(part));
  }
  if (!workload->jobs.empty()) instance.problem = std::make_shared<const Problem>(instance.fabric, workload, options);
  return instance;
}

PathIndex find_live_path(const Problem& problem, FlowId flow, std::span<const LinkId> links) {
  if (links.empty()) return kNone;
  const PathIndex path = problem.find_path(flow, links);
  return path != kNone && problem.is_alive(flow, path) ? path : kNone;
}

}  // namespace spineweave::service
