#include "simulate/routed_set.hpp"

#include <algorithm>
#include <numeric>

namespace spineweave {
namespace {

void set_phases(Workload& part, std::span<const JobId> jobs, std::span<const Forecast::Phase> phases) {
  if (phases.empty()) return;
  for (Job& job : part.jobs) job.phase_mask = 0;
  for (std::size_t p = 0; p < phases.size(); ++p) {
    part.phases.push_back({"", std::max<std::uint64_t>(1, phases[p].length_ns)});
    for (std::size_t i = 0; i < jobs.size(); ++i)
      if (phases[p].jobs[jobs[i]]) part.jobs[i].phase_mask |= std::uint64_t{1} << p;
  }
}

}  // namespace

RoutedSet build_routed_set(const std::shared_ptr<const Fabric>& fabric, const Workload& workload,
                           const Traffic& traffic, std::span<const CollectiveId> collectives,
                           std::span<const std::uint32_t> factors, std::span<const Forecast::Phase> phases,
                           ProblemOptions options) {
  RoutedSet set;
  auto part = std::make_shared<Workload>();
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const CollectiveTraffic& collective = traffic.collectives[collectives[i]];
    const Job& job = workload.jobs[collective.job];
    if (set.jobs.empty() || set.jobs.back() != collective.job) {
      part->jobs.emplace_back().id = job.id;
      set.jobs.push_back(collective.job);
    }
    part->jobs.back().collectives.push_back(job.collectives[collective.place]);
    const std::size_t first = set.flows.size();
    set.flows.resize(first + (collective.last_flow - collective.first_flow));
    std::iota(set.flows.begin() + static_cast<std::ptrdiff_t>(first), set.flows.end(), collective.first_flow);
    if (!factors.empty()) options.factors.resize(set.flows.size(), factors[i]);
  }
  set_phases(*part, set.jobs, phases);
  set.problem = std::make_shared<const Problem>(fabric, std::move(part), options);
  return set;
}

}  // namespace spineweave
