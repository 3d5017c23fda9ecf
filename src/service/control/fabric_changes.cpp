#include <fmt/format.h>

#include <algorithm>

#include "service/control/changes.hpp"
#include "service/control/hosts.hpp"
#include "service/control/job_entry.hpp"

namespace spineweave::service {
namespace {

// The same nodes and links under the same numbers: paths mean the same.
bool same_shape(const Fabric& a, const Fabric& b) {
  return std::ranges::equal(a.nodes(), b.nodes(), {}, &Node::name, &Node::name) &&
         std::ranges::equal(a.nodes(), b.nodes(), {}, &Node::host, &Node::host) &&
         std::ranges::equal(a.links(), b.links(), [](const Link& x, const Link& y) {
           return x.from == y.from && x.to == y.to && x.parallel == y.parallel;
         });
}

// [links of `before`] the same link of `after`, by the names of its ends; kNone: there is none.
std::vector<LinkId> find_again(const Fabric& before, const Fabric& after) {
  std::vector<LinkId> found;
  found.reserve(before.num_links());
  for (const Link& link : before.links()) {
    const auto from = after.find(before.node(link.from).name);
    const auto to = after.find(before.node(link.to).name);
    found.push_back(from && to ? after.find_link(*from, *to, link.parallel).value_or(kNone) : kNone);
  }
  return found;
}

// A path that the new fabric does not have is none.
PathTable translate(const PathTable& paths, const std::vector<LinkId>& link_now) {
  PathTable translated;
  std::vector<LinkId> path;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    path.clear();
    for (const LinkId link : paths[i]) path.push_back(link_now[link]);
    if (std::ranges::find(path, kNone) != path.end()) path.clear();
    translated.push_back(path);
  }
  return translated;
}

Jobs move_jobs(const Snapshot& snapshot, const Fabric& fabric, const Hosts& hosts) {
  Jobs jobs;
  for (const auto& entry : *snapshot.jobs)
    jobs.push_back(make_job_entry(fabric, hosts, on_fabric(entry->job, *snapshot.fabric, fabric), entry->revision));
  return jobs;
}

// On a fabric of another shape routes are found again by names, what hosts use is not known, and older revisions mean
// nothing.
void move_routes(Draft& draft, const Fabric& before, const Fabric& after) {
  Snapshot& next = draft.next;
  const std::vector<LinkId> link_now = find_again(before, after);
  auto routing = std::make_shared<DesiredRouting>();
  for (const auto& routes : next.routing->jobs) {
    const auto job = std::ranges::lower_bound(*next.jobs, id_of(routes), {}, id_of);  // routes are of jobs
    routing->jobs.push_back(make_routes(*job, translate(routes->paths, link_now)));
    draft.rows().put_routes((*job)->job.id, routing->jobs.back()->paths);
  }
  routing->revision = next.revision;
  routing->digest = digest_of(*routing);
  routing->published_at = draft.wall_now();
  next.routing = std::move(routing);
  auto history = std::make_shared<History>();
  history->since = next.revision;
  next.history = std::move(history);
  draft.rows().drop_changes(next.revision);
  draft.rows().clear_hosts();
}

// Routes of the same paths are those of the new entries.
void keep_routes(Draft& draft) {
  for (auto& routes : Draft::own(draft.next.routing).jobs) {
    const auto job = std::ranges::lower_bound(*draft.next.jobs, id_of(routes), {}, id_of);
    routes = make_routes(*job, routes->paths);
  }
}

}  // namespace

Change change_fabric(Draft& draft, std::shared_ptr<const Fabric> fabric, std::shared_ptr<const Hosts> hosts,
                     const StoredFabric& stored, std::optional<Revision> expected) {
  Snapshot& next = draft.next;
  check_expected("the fabric", next.fabric_revision, expected);
  const std::shared_ptr<const Fabric> before = next.fabric;
  auto jobs = std::make_shared<Jobs>();
  if (before) *jobs = move_jobs(next, *fabric, *hosts);

  next.fabric_revision = draft.raise(ChangeKind::fabric);
  next.fabric = fabric;
  next.jobs = std::move(jobs);
  next.reports = std::make_shared<Reports>();
  draft.rows().put_fabric(stored);
  draft.rows().clear_ports();
  if (before && same_shape(*before, *fabric)) {
    keep_routes(draft);
  } else {
    next.hosts = std::move(hosts);
    next.host_states = std::make_shared<std::vector<HostState>>(next.hosts->names.size());
    if (before) move_routes(draft, *before, *fabric);
  }
  next.summary = nullptr;
  next.proposal = nullptr;  // its links are those of the old fabric
  draft.opens_window = true;
  return {next.fabric_revision, before == nullptr};
}

Change change_phases(Draft& draft, std::vector<Phase> phases, std::optional<Revision> expected) {
  Snapshot& next = draft.next;
  check_expected("the list of phases", next.phases_revision, expected);
  Jobs jobs;
  for (const auto& entry : *next.jobs) {
    JobEntry moved = *entry;
    moved.job = with_phases(std::move(moved.job), *next.phases, phases);
    jobs.push_back(std::make_shared<const JobEntry>(std::move(moved)));
  }
  next.phases_revision = draft.raise(ChangeKind::phases);
  draft.rows().put_phases(phases);
  for (const auto& entry : jobs)
    draft.rows().put_job(entry->job.id, {entry->revision, write_job(*next.fabric, phases, entry->job)});
  next.phases = std::make_shared<std::vector<Phase>>(std::move(phases));
  next.jobs = std::make_shared<Jobs>(std::move(jobs));
  keep_routes(draft);
  draft.opens_window = true;
  return {next.phases_revision, false};
}

}  // namespace spineweave::service
