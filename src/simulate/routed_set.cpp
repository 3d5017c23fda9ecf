#include "simulate/routed_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace spineweave {
namespace {

void set_phases(Workload& part, std::span<const TurnId> turns, std::span<const TurnPhase> phases) {
  if (phases.empty()) return;
  for (Job& job : part.jobs) job.phase_mask = 0;
  for (std::size_t p = 0; p < phases.size(); ++p) {
    part.phases.push_back({"", std::max<std::uint64_t>(1, phases[p].length_ns)});
    for (std::size_t i = 0; i < turns.size(); ++i)
      if (phases[p].turns[turns[i]]) part.jobs[i].phase_mask |= std::uint64_t{1} << p;
  }
}

std::string name_of_turn(const Job& job, std::uint32_t turn) {
  return job.collectives.front().turn == job.collectives.back().turn ? job.id : fmt::format("{}/{}", job.id, turn);
}

}  // namespace

RoutedSet build_routed_set(const std::shared_ptr<const Fabric>& fabric, const Workload& workload,
                           const Traffic& traffic, std::span<const CollectiveId> collectives,
                           std::span<const std::uint32_t> factors, std::span<const TurnPhase> phases,
                           ProblemOptions options) {
  RoutedSet set;
  auto part = std::make_shared<Workload>();
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const CollectiveTraffic& collective = traffic.collectives[collectives[i]];
    const Job& job = workload.jobs[collective.job];
    if (set.turns.empty() || set.turns.back() != collective.turn) {
      part->jobs.emplace_back().id = name_of_turn(job, job.collectives[collective.place].turn);
      set.turns.push_back(collective.turn);
    }
    part->jobs.back().collectives.push_back(job.collectives[collective.place]);
    const std::size_t first = set.flows.size();
    set.flows.resize(first + (collective.last_flow - collective.first_flow));
    std::iota(set.flows.begin() + static_cast<std::ptrdiff_t>(first), set.flows.end(), collective.first_flow);
    if (!factors.empty()) options.factors.resize(set.flows.size(), factors[i]);
  }
  set_phases(*part, set.turns, phases);
  set.problem = std::make_shared<const Problem>(fabric, std::move(part), options);
  return set;
}

}  // namespace spineweave
