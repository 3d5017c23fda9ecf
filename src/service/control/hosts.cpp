#include "service/control/hosts.hpp"

#include <algorithm>
#include <ranges>

#include "util/text.hpp"

namespace spineweave::service {
namespace {

bool before(const Detour& detour, const FlowName& flow) { return FlowName(detour.job, detour.flow) < flow; }

void put_detours(HostState& state, std::vector<Detour> detours) {
  state.detours = detours.empty() ? nullptr : std::make_shared<const std::vector<Detour>>(std::move(detours));
}

// Moves of one host, all of one change.
void expect(HostState& state, const RoutingChange& change, std::span<const std::size_t> moves, Nanoseconds timeout) {
  std::vector<Detour> detours = state.detours ? *state.detours : std::vector<Detour>();
  for (const std::size_t i : moves) {
    const FlowMove& move = change.moves[i];
    const std::string& job = change.jobs[move.job];
    const auto at = std::lower_bound(detours.begin(), detours.end(), FlowName(job, move.flow), before);
    const bool known = at != detours.end() && at->job == job && at->flow == move.flow;
    const auto from = change.from[i];
    if (!known) {
      detours.insert(at, {job, move.flow, {from.begin(), from.end()}});
    } else if (std::ranges::equal(at->path, change.to[i])) {
      detours.erase(at);
    }
  }
  if (state.behind_since.count() == 0) {
    state.behind_since = change.at;
  } else if (detours.empty() && !is_overdue(state, change.at, timeout)) {
    state.behind_since = Nanoseconds(0);
  }
  put_detours(state, std::move(detours));
}

void forget(std::vector<HostState>& states, std::string_view job) {
  for (HostState& state : states) {
    if (!state.detours || std::ranges::find(*state.detours, job, &Detour::job) == state.detours->end()) continue;
    std::vector<Detour> detours = *state.detours;
    std::erase_if(detours, [&](const Detour& detour) { return detour.job == job; });
    if (detours.empty() && !state.pinned) state.behind_since = Nanoseconds(0);
    put_detours(state, std::move(detours));
  }
}

}  // namespace

Hosts name_hosts(const Fabric& fabric) {
  const auto name_of_endpoint = [&](EndpointId id) -> const std::string& {
    const Node& node = fabric.node(id);
    return node.host.empty() ? node.name : node.host;
  };
  Hosts hosts;
  for (EndpointId id = 0; id < fabric.num_endpoints(); ++id) hosts.names.push_back(name_of_endpoint(id));
  std::ranges::sort(hosts.names, util::natural_less);
  const auto rest = std::ranges::unique(hosts.names);
  hosts.names.erase(rest.begin(), rest.end());
  for (EndpointId id = 0; id < fabric.num_endpoints(); ++id)
    hosts.host_of_endpoint.push_back(*hosts.find(name_of_endpoint(id)));
  return hosts;
}

void take_change(std::vector<HostState>& states, const RoutingChange& change, Nanoseconds timeout,
                 std::span<const Revision> as_of) {
  if (timeout.count() == 0) return;
  if (change.kind == ChangeKind::job || change.kind == ChangeKind::job_removed) {
    for (const std::string& job : change.jobs) forget(states, job);
    return;
  }
  std::map<std::uint32_t, std::vector<std::size_t>> moves_of_host;
  for (std::size_t i = 0; i < change.moves.size(); ++i) moves_of_host[change.moves[i].host].push_back(i);
  for (const auto& [host, moves] : moves_of_host)
    if (as_of.empty() || as_of[host] < change.revision) expect(states[host], change, moves, timeout);
}

std::map<FlowName, std::span<const LinkId>> paths_at(const Snapshot& snapshot, Revision revision, std::uint32_t host) {
  std::map<FlowName, std::span<const LinkId>> paths;
  for (const auto& change : snapshot.history->changes | std::views::reverse) {
    if (change->revision <= revision) break;
    std::vector<const JobEntry*> jobs;
    for (const std::string& id : change->jobs) jobs.push_back(snapshot.find_job(id));
    for (std::size_t i = 0; i < change->moves.size(); ++i) {
      const FlowMove& move = change->moves[i];
      const JobEntry* job = jobs[move.job];
      if (job == nullptr || change->revision <= job->revision || (host != kNone && move.host != host)) continue;
      paths[{job->job.id, move.flow}] = change->from[i];
    }
  }
  return paths;
}

void take_acknowledgement(HostState& state, std::uint32_t host, Revision revision, const Snapshot& snapshot,
                          Nanoseconds now) {
  state.acknowledged = revision;
  state.acknowledged_at = now;
  state.behind_since = Nanoseconds(0);
  state.pinned = false;
  std::vector<Detour> detours;
  for (const auto& [flow, path] : paths_at(snapshot, revision, host)) {
    const JobRoutes* routes = snapshot.find_routes(flow.first);
    if (routes == nullptr || flow.second >= routes->paths.size()) continue;
    if (!std::ranges::equal(routes->paths[flow.second], path))
      detours.push_back({std::string(flow.first), flow.second, {path.begin(), path.end()}});
  }
  if (!detours.empty()) {
    const auto& changes = snapshot.history->changes;
    const auto next = std::ranges::find_if(changes, [&](const auto& change) {
      return change->revision > revision &&
             std::ranges::find(change->moves, host, &FlowMove::host) != change->moves.end();
    });
    state.behind_since = next != changes.end() ? (*next)->at : now;
  }
  put_detours(state, std::move(detours));
}

}  // namespace spineweave::service
