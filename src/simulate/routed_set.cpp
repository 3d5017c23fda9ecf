#include "simulate/routed_set.hpp"

#include <numeric>

namespace spineweave {

RoutedSet build_routed_set(const std::shared_ptr<const Fabric>& fabric, const Workload& workload,
                           const Traffic& traffic, std::span<const CollectiveId> collectives,
                           std::span<const std::uint32_t> factors, ProblemOptions options) {
  RoutedSet set;
  auto part = std::make_shared<Workload>();
  JobId last = kNone;
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const CollectiveTraffic& collective = traffic.collectives[collectives[i]];
    const Job& job = workload.jobs[collective.job];
    if (collective.job != last) part->jobs.emplace_back().id = job.id;
    last = collective.job;
    part->jobs.back().collectives.push_back(job.collectives[collective.place]);
    const std::size_t first = set.flows.size();
    set.flows.resize(first + (collective.last_flow - collective.first_flow));
    std::iota(set.flows.begin() + static_cast<std::ptrdiff_t>(first), set.flows.end(), collective.first_flow);
    if (!factors.empty()) options.factors.resize(set.flows.size(), factors[i]);
  }
  set.problem = std::make_shared<const Problem>(fabric, std::move(part), options);
  return set;
}

}  // namespace spineweave
