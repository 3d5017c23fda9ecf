// What each job would take alone.
#include <algorithm>
#include <cmath>

#include "assess/incidence.hpp"
#include "simulate/playback.hpp"

namespace spineweave {

// In the network of jobs alone they share no link, so one playback holds them all.
std::vector<std::uint64_t> ideal_allreduce_ns(const Problem& problem) {
  const Traffic traffic = lay_out_traffic(problem.fabric(), problem.workload());
  const Incidence network = alone_network(problem);
  std::vector<Rate> capacities;
  for (const double bps : network.capacity_bps)
    capacities.push_back(rate_of(static_cast<std::uint64_t>(std::llround(bps))));
  const std::vector<JobSchedule> one_epoch(problem.num_jobs());
  Playback playback(traffic, one_epoch, std::move(capacities));
  std::vector<std::uint64_t> ideal(problem.num_jobs(), 0);
  const auto links_of = [&](FlowId flow) {
    return std::span<const LinkId>(network.links)
        .subspan(network.flow_begin[flow], network.flow_begin[flow + 1] - network.flow_begin[flow]);
  };
  for (std::uint64_t now = playback.next_time(); now != kNever; now = playback.next_time()) {
    for (const EpochRecord& epoch : playback.play(now, links_of).epochs) ideal[epoch.job] = epoch.allreduce_ns();
    playback.transfers().settle(now);
  }
  return ideal;
}

}  // namespace spineweave
