#include "simulate/outages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "fabric/fault_list.hpp"
#include "spineweave/error.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

struct Failure {
  std::string target;
  std::vector<LinkId> links;  // ascending
};

Failure find_links(const Fabric& fabric, const std::string& target) {
  Failure failure{target, list_faults(fabric, target)};
  std::ranges::sort(failure.links);
  failure.links.erase(std::ranges::unique(failure.links).begin(), failure.links.end());
  return failure;
}

std::vector<std::string> targets_of(std::span<const Failure> failures) {
  std::vector<std::string> targets;
  for (const Failure& failure : failures) targets.push_back(failure.target);
  return targets;
}

void end_failure(std::vector<Failure>& in_force, const Failure& recovered, std::uint64_t time_ns) {
  const auto ended = std::ranges::find(in_force, recovered.links, &Failure::links);
  if (ended == in_force.end())
    throw Error(
        ErrorCode::usage,
        fmt::format(
            "recovery of '{}' at {} ns: nothing failed by then has these links; {}", recovered.target, time_ns,
            in_force.empty() ? "nothing has failed at all" : "failed are " + util::join_names(targets_of(in_force))));
  in_force.erase(ended);
}

}  // namespace

std::vector<FabricState> play_outages(const std::shared_ptr<const Fabric>& fabric,
                                      std::span<const FabricEvent> events) {
  std::vector<FabricEvent> ordered(events.begin(), events.end());
  std::ranges::stable_sort(ordered, {}, &FabricEvent::time_ns);
  std::vector<FabricState> states = {{0, fabric}};
  std::vector<Failure> in_force;
  for (std::size_t i = 0; i < ordered.size();) {
    const std::uint64_t now = ordered[i].time_ns;
    for (; i < ordered.size() && ordered[i].time_ns == now; ++i) {
      Failure failure = find_links(*fabric, ordered[i].target);
      if (ordered[i].fails)
        in_force.push_back(std::move(failure));
      else
        end_failure(in_force, failure, now);
    }
    const auto present = in_force.empty() ? fabric
                                          : std::make_shared<const Fabric>(with_faults(
                                                *fabric, fmt::format("{}", fmt::join(targets_of(in_force), ","))));
    if (now > states.back().from_ns) states.emplace_back();
    states.back() = {now, present};
  }
  return states;
}

}  // namespace spineweave
