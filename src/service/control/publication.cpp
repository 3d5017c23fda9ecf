#include "service/control/publication.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "service/control/hosts.hpp"
#include "service/control/transition.hpp"

namespace spineweave::service {
namespace {

// [links] those that died after the other snapshot was taken; empty: none.
std::vector<bool> find_newly_dead(const Snapshot& now, const Snapshot& then) {
  std::vector<bool> dead;
  if (now.reports == then.reports) return dead;
  visit_reported_links(now, [&](LinkId link) {
    if (link_state(now, link).state != LinkState::down || link_state(then, link).state == LinkState::down) return;
    dead.resize(now.fabric->num_links(), false);
    dead[link] = true;
  });
  return dead;
}

bool is_outdated(const Snapshot& now, const Plan& plan) {
  if (now.fabric != plan.inputs->fabric || now.phases != plan.inputs->phases) return true;
  if (plan.improved && now.frozen) return true;
  const auto& changes = now.history->changes;
  if (std::ranges::any_of(changes, [&](const auto& change) {
        return change->revision > plan.inputs->revision && change->kind == ChangeKind::rollback;
      }))
    return true;
  const std::vector<bool> dead = find_newly_dead(now, *plan.inputs);
  if (dead.empty()) return false;
  return std::ranges::any_of(plan.paths, [&](const PathTable& paths) {
    return std::ranges::any_of(paths.links(), [&](LinkId link) { return dead[link]; });
  });
}

// Moves of a plan that the present snapshot needs.
class Difference {
 public:
  Difference(const Snapshot& now, const Plan& plan) : now_(now), plan_(plan) {
    for (std::size_t j = 0; j < plan.paths.size(); ++j) compare(j);
  }

  [[nodiscard]] bool is_empty() const { return moves_.empty(); }

  // The change, its moves by (batch, job, flow).
  [[nodiscard]] RoutingChange change() const {
    RoutingChange change;
    std::vector<std::uint32_t> batch(moves_.size(), 0);
    if (plan_.instance.problem) {
      std::vector<MovedFlow> moved;
      std::vector<std::size_t> places;
      for (std::size_t i = 0; i < moves_.size(); ++i) {
        if (moves_[i].in_problem == kNone) continue;
        moved.push_back({moves_[i].in_problem, moves_[i].from, moves_[i].to});
        places.push_back(i);
      }
      const TransitionPlan transition = plan_transition(*plan_.instance.problem, plan_.routing, moved, find_strays());
      change.transition = transition.transition;
      for (std::size_t i = 0; i < places.size(); ++i) batch[places[i]] = transition.batch[i];
    }
    write(change, batch);
    return change;
  }

 private:
  struct Move {
    std::size_t job;  // in the plan
    FlowId flow;
    FlowId in_problem;
    std::span<const LinkId> from, to;
  };

  void compare(std::size_t j) {
    const auto& job = (*plan_.inputs->jobs)[j];
    if (now_.find_job(job->job.id) != job.get()) return;
    const JobRoutes* routes = now_.find_routes(job->job.id);
    const PathTable& paths = plan_.paths[j];
    for (FlowId flow = 0; flow < paths.size(); ++flow) {
      const auto from = routes == nullptr ? std::span<const LinkId>() : routes->paths[flow];
      if (std::ranges::equal(from, paths[flow])) continue;
      moves_.push_back({j, flow, plan_.instance.in_problem[plan_.instance.first_flow[j] + flow], from, paths[flow]});
    }
  }

  [[nodiscard]] std::vector<StrayFlow> find_strays() const {
    std::vector<StrayFlow> strays;
    const Jobs& planned = *plan_.inputs->jobs;
    for (const HostState& host : *now_.host_states) {
      if (!host.detours) continue;
      for (const Detour& detour : *host.detours) {
        const auto at = std::ranges::lower_bound(planned, std::string_view(detour.job), {}, id_of);
        if (at == planned.end() || at->get() != now_.find_job(detour.job)) continue;
        const std::uint32_t first = plan_.instance.first_flow[static_cast<std::size_t>(at - planned.begin())];
        const FlowId flow = plan_.instance.in_problem[first + detour.flow];
        if (flow != kNone) strays.push_back({flow, detour.path});
      }
    }
    return strays;
  }

  void write(RoutingChange& change, const std::vector<std::uint32_t>& batch) const {
    std::vector<std::size_t> order(moves_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return batch[i]; });
    std::vector<std::uint32_t> place_of_job(plan_.paths.size(), kNone);
    for (const Move& move : moves_) {
      if (place_of_job[move.job] != kNone) continue;
      place_of_job[move.job] = static_cast<std::uint32_t>(change.jobs.size());
      change.jobs.push_back((*plan_.inputs->jobs)[move.job]->job.id);
    }
    for (const std::size_t i : order) {
      const Move& move = moves_[i];
      const JobEntry& job = *(*plan_.inputs->jobs)[move.job];
      change.moves.push_back({place_of_job[move.job], move.flow, job.host_of_flow[move.flow], batch[i]});
      change.from.push_back(move.from);
      change.to.push_back(move.to);
    }
  }

  const Snapshot& now_;
  const Plan& plan_;
  std::vector<Move> moves_;  // by (job, flow)
};

// Keeps the history within its bounds. What hosts use that the dropped changes moved is written down: after a restart
// nothing else would tell it.
void trim_history(Draft& draft, const ControllerOptions& options) {
  History& history = Draft::own(draft.next.history);
  std::size_t moves = 0, kept = 0;
  for (auto change = history.changes.rbegin(); change != history.changes.rend(); ++change, ++kept) {
    moves += (*change)->moves.size();
    if (kept > 0 && (kept == options.history || moves > options.history_moves)) break;
  }
  if (kept == history.changes.size()) return;
  const auto dropped = history.changes.end() - static_cast<std::ptrdiff_t>(kept);
  history.since = (*(dropped - 1))->revision;
  std::set<std::uint32_t> hosts;
  for (auto change = history.changes.begin(); change != dropped; ++change)
    for (const FlowMove& move : (*change)->moves) hosts.insert(move.host);
  for (const std::uint32_t host : hosts)
    if (const HostState& state = (*draft.next.host_states)[host]; state.acknowledged < history.since)
      draft.rows().put_host({draft.next.hosts->names[host], state, draft.next.revision});
  history.changes.erase(history.changes.begin(), dropped);
  draft.rows().drop_changes(history.since);
}

// Writes down a change of routes: in the history, at the hosts, on the disk. Routes are the new ones already.
void record(Draft& draft, RoutingChange change, const ControllerOptions& options) {
  DesiredRouting& routing = Draft::own(draft.next.routing);
  routing.revision = draft.next.revision;
  routing.digest = digest_of(routing);
  routing.published_at = draft.wall_now();
  change.revision = routing.revision;
  change.digest = routing.digest;
  change.at = draft.wall_now();
  const auto shared = std::make_shared<const RoutingChange>(std::move(change));
  take_change(Draft::own(draft.next.host_states), *shared, options.ack_timeout);
  Draft::own(draft.next.history).changes.push_back(shared);
  draft.rows().add_change(*shared);
  trim_history(draft, options);
  draft.events.push_back({Event::Kind::routed, shared->revision, shared->kind, {}, shared, {}});
}

// Jobs that came after the plan was made have no routes yet.
void put_routes(Draft& draft, const Plan& plan) {
  DesiredRouting& routing = Draft::own(draft.next.routing);
  for (std::size_t j = 0; j < plan.paths.size(); ++j) {
    const std::shared_ptr<const JobEntry>& job = (*plan.inputs->jobs)[j];
    if (draft.next.find_job(job->job.id) != job.get()) continue;
    const auto at = std::ranges::lower_bound(routing.jobs, id_of(job), {}, id_of);
    const bool known = at != routing.jobs.end() && id_of(*at) == job->job.id;
    if (known && (*at)->paths == plan.paths[j]) continue;
    auto routes = make_routes(job, plan.paths[j]);
    if (known)
      *at = std::move(routes);
    else
      routing.jobs.insert(at, std::move(routes));
    draft.rows().put_routes(job->job.id, plan.paths[j]);
  }
}

std::shared_ptr<const Summary> summary_of(const Plan& plan, const Snapshot& now, Outcome outcome) {
  auto summary = std::make_shared<Summary>(*plan.summary);
  summary->routing = now.routing->revision;
  if (now.summary)
    summary->loads_before = outcome == Outcome::unchanged ? now.summary->loads_before : now.summary->link_loads;
  return summary;
}

}  // namespace

Outcome publish_plan(Draft& draft, const Plan& plan, ChangeKind kind, const ControllerOptions& options) {
  if (is_outdated(draft.next, plan)) return Outcome::outdated;
  const Difference difference(draft.next, plan);
  draft.next.health.error.clear();
  if (difference.is_empty()) {
    draft.next.summary = summary_of(plan, draft.next, Outcome::unchanged);
    draft.next.proposal = nullptr;
    return Outcome::unchanged;
  }
  RoutingChange change = difference.change();
  change.kind = kind;
  change.improvement = plan.improved;
  change.worst_job = plan.summary->worst_job;
  change.gap = plan.summary->certificate.gap;
  if (options.dry_run && kind != ChangeKind::rollback) {
    draft.next.proposal = std::make_shared<const RoutingChange>(std::move(change));
    draft.next.summary = summary_of(plan, draft.next, Outcome::proposed);
    return Outcome::proposed;
  }
  put_routes(draft, plan);
  ++draft.next.revision;
  record(draft, std::move(change), options);
  draft.next.summary = summary_of(plan, draft.next, Outcome::published);
  return Outcome::published;
}

void withdraw_routes(Draft& draft, std::string_view job, ChangeKind kind, const ControllerOptions& options) {
  const auto& jobs = draft.next.routing->jobs;
  const auto at = std::ranges::lower_bound(jobs, job, {}, id_of);
  if (at == jobs.end() || id_of(*at) != job) return;
  const std::shared_ptr<const JobRoutes> routes = *at;
  RoutingChange change;
  change.kind = kind;
  change.jobs = {routes->job->job.id};
  if (draft.next.summary) {
    change.worst_job = draft.next.summary->worst_job;
    change.gap = draft.next.summary->certificate.gap;
  }
  for (FlowId flow = 0; flow < routes->paths.size(); ++flow) {
    if (routes->paths[flow].empty()) continue;
    change.moves.push_back({0, flow, routes->job->host_of_flow[flow], 0});
    change.from.push_back(routes->paths[flow]);
    change.to.push_back({});
  }
  std::erase(Draft::own(draft.next.routing).jobs, routes);
  record(draft, std::move(change), options);
}

}  // namespace spineweave::service
