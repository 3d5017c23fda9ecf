#include "service/control/snapshot.hpp"

#include <algorithm>
#include <array>

#include "util/hash.hpp"
#include "util/text.hpp"

namespace spineweave::service {
namespace {

constexpr std::array<std::string_view, 10> kChangeNames = {"fabric",      "phases", "link",     "switch",   "job",
                                                           "job_removed", "freeze", "unfreeze", "rollback", "routing"};

// The worse of the two.
const PortState& worse(const PortState& a, const PortState& b) {
  const auto rank = [](const PortState& s) {
    return s.state == LinkState::down ? 0 : s.state == LinkState::up ? 2 : 1;
  };
  if (rank(a) != rank(b)) return rank(a) < rank(b) ? a : b;
  return a.degraded_bps <= b.degraded_bps ? a : b;
}

template <class List>
auto find_by_id(const List& list, std::string_view id) -> decltype(list.front().get()) {
  const auto at = std::ranges::lower_bound(list, id, {}, id_of);
  return at == list.end() || id_of(*at) != id ? nullptr : at->get();
}

}  // namespace

std::string_view name_of(ChangeKind kind) { return kChangeNames[static_cast<std::size_t>(kind)]; }

std::optional<std::uint32_t> Hosts::find(std::string_view name) const {
  const auto at = std::ranges::lower_bound(names, name, util::natural_less);
  if (at == names.end() || *at != name) return std::nullopt;
  return static_cast<std::uint32_t>(at - names.begin());
}

const JobEntry* Snapshot::find_job(std::string_view id) const { return find_by_id(*jobs, id); }

const JobRoutes* Snapshot::find_routes(std::string_view id) const { return find_by_id(routing->jobs, id); }

Snapshot empty_snapshot() {
  Snapshot snapshot;
  snapshot.reports = std::make_shared<Reports>();
  snapshot.phases = std::make_shared<std::vector<Phase>>();
  snapshot.jobs = std::make_shared<Jobs>();
  snapshot.routing = std::make_shared<DesiredRouting>();
  snapshot.hosts = std::make_shared<Hosts>();
  snapshot.host_states = std::make_shared<std::vector<HostState>>();
  snapshot.history = std::make_shared<History>();
  return snapshot;
}

std::shared_ptr<const JobRoutes> make_routes(std::shared_ptr<const JobEntry> job, PathTable paths) {
  util::Digest digest;
  digest.add(job->job.id);
  for (std::size_t flow = 0; flow < paths.size(); ++flow) {
    digest.add(paths[flow].size());
    for (const LinkId link : paths[flow]) digest.add(link);
  }
  return std::make_shared<const JobRoutes>(JobRoutes{std::move(job), std::move(paths), digest.value()});
}

std::uint64_t digest_of(const DesiredRouting& routing) {
  util::Digest digest;
  for (const auto& routes : routing.jobs) digest.add(routes->digest);
  return digest.value();
}

bool same_problem(const Snapshot& a, const Snapshot& b) {
  return a.fabric == b.fabric && a.reports == b.reports && a.phases == b.phases && a.jobs == b.jobs;
}

PortState put_state(const Link& link) {
  return {link.state, link.state == LinkState::degraded ? link.capacity_bps + link.reserved_bps : 0};
}

PortState link_state(const Snapshot& snapshot, LinkId id) {
  const Link& link = snapshot.fabric->link(id);
  const auto reported = snapshot.reports->links.find(id);
  PortState state = reported != snapshot.reports->links.end() ? reported->second.believed : put_state(link);
  for (const NodeId end : {link.from, link.to}) {
    const auto of_switch = snapshot.reports->switches.find(end);
    if (of_switch != snapshot.reports->switches.end()) state = worse(state, of_switch->second.believed);
  }
  return state;
}

bool is_alive(const Snapshot& snapshot, std::span<const LinkId> path) {
  return !path.empty() &&
         std::ranges::none_of(path, [&](LinkId link) { return link_state(snapshot, link).state == LinkState::down; });
}

Fabric present_fabric(const Snapshot& snapshot) {
  const Fabric& fabric = *snapshot.fabric;
  std::vector<LinkSetting> settings;
  visit_reported_links(snapshot, [&](LinkId link) {
    const PortState state = link_state(snapshot, link);
    settings.push_back({link, state.state, state.degraded_bps});
  });
  return settings.empty() ? fabric : with_link_states(fabric, settings);
}

}  // namespace spineweave::service
