// What the controller knows and wants at one revision: immutable, shared by all who read it.
// Its parts are shared with the snapshots before and after it as long as they stay the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "service/control/clock.hpp"
#include "service/control/paths.hpp"
#include "spineweave/assess.hpp"
#include "spineweave/fabric.hpp"
#include "spineweave/optimize.hpp"
#include "spineweave/workload.hpp"

namespace spineweave::service {

// One counter: every durable change and every published routing raises it by one. (Acknowledgements do not: they say
// where hosts are on the way, and change nothing that was wanted.)
using Revision = std::uint64_t;

// ---- links and switches

// The state of a link, or of a switch and all its links. A switch is up or down.
struct PortState {
  LinkState state = LinkState::up;
  std::uint64_t degraded_bps = 0;  // where degraded
  friend bool operator==(const PortState&, const PortState&) = default;
};

// What was reported about a link or a switch since the fabric was put, and what is believed of it.
struct PortReport {
  PortState reported;
  PortState believed;           // worse is believed at once, better after a while
  Nanoseconds observed_at{0};   // wall time
  Nanoseconds held_until{0};    // wall time; where believed and reported differ
  Nanoseconds got_worse_at{0};  // wall time
  std::uint32_t flaps = 0;      // how often the hold-up was doubled
};

struct Reports {
  std::map<LinkId, PortReport> links;
  std::map<NodeId, PortReport> switches;
};

// ---- jobs

struct JobEntry {
  Job job;
  std::vector<FlowSpec> flows;              // in the order (collective, flow, subflow); their `job` is 0
  std::vector<std::uint32_t> host_of_flow;  // the source's: a place in Hosts::names
  Revision revision = 0;                    // of its last change
};
using Jobs = std::vector<std::shared_ptr<const JobEntry>>;  // ascending by id

// ---- routes

struct JobRoutes {
  std::shared_ptr<const JobEntry> job;
  PathTable paths;  // [flows of the job]; empty: no live path, or not placed yet
  std::uint64_t digest = 0;
};
[[nodiscard]] std::shared_ptr<const JobRoutes> make_routes(std::shared_ptr<const JobEntry> job, PathTable paths);

// Lists of jobs and of their routes are in the order of these.
struct IdOf {
  std::string_view operator()(const std::shared_ptr<const JobEntry>& job) const { return job->job.id; }
  std::string_view operator()(const std::shared_ptr<const JobRoutes>& routes) const { return routes->job->job.id; }
};
inline constexpr IdOf id_of;

struct DesiredRouting {
  Revision revision = 0;                               // of its last change; 0: none yet
  std::uint64_t digest = 0;                            // over jobs, flows and the links that they take
  Nanoseconds published_at{0};                         // wall time
  std::vector<std::shared_ptr<const JobRoutes>> jobs;  // ascending by id; those that have been routed
};

// How good the routing is; of the problem that it was chosen for.
struct Summary {
  struct OfJob {
    std::string id;
    std::uint32_t flows = 0;
    double bottleneck = 1.0, bound = 1.0;  // N and LB; 1.0: unharmed
  };
  Revision inputs = 0;   // the last revision that was known when it was made
  Revision routing = 0;  // the revision of the routing
  std::vector<OfJob> jobs;
  Score score;
  double worst_job = 1.0, lower_bound = 1.0;
  double max_utilisation = 0.0;  // demand over capacity of the fullest link
  Certificate certificate;
  std::uint64_t digest = 0;             // of the result: over precision, routing and score, as `optimize` prints it
  std::uint32_t unreachable_flows = 0;  // without any live path
  std::vector<std::string> unreachable_jobs;    // that have such flows, ascending
  std::vector<float> link_loads, loads_before;  // [num_links] demand over capacity, most over phases; before it
  std::string backend, device;
  double solve_us = 0;
  bool truncated = false;
  // Exact rates; they come a little after the routing. Jobs as above.
  std::optional<Assessment> assessment;
};

// ---- hosts

// A flow that still takes another path than it should.
struct Detour {
  std::string job;
  FlowId flow = kNone;       // in JobEntry::flows
  std::vector<LinkId> path;  // the one it takes; empty: none
};

// A host sends the flows of its endpoints. Endpoints without a host are hosts of their own, by their names.
struct HostState {
  Revision acknowledged = 0;                           // what it really uses
  Nanoseconds acknowledged_at{0};                      // wall time; 0: never
  Nanoseconds behind_since{0};                         // wall time of the first move that it has not acknowledged
  bool pinned = false;                                 // for longer than the timeout: its flows are left where they are
  std::shared_ptr<const std::vector<Detour>> detours;  // by (job, flow); null: not behind
};

struct Hosts {
  std::vector<std::string> names;               // natural order
  std::vector<std::uint32_t> host_of_endpoint;  // [num_endpoints]
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;
};

// ---- history

enum class ChangeKind : std::uint8_t {
  fabric,
  phases,
  link,
  switch_,
  job,
  job_removed,
  freeze,
  unfreeze,
  rollback,
  routing
};
[[nodiscard]] std::string_view name_of(ChangeKind kind);

struct FlowMove {
  std::uint32_t job = 0;    // a place in RoutingChange::jobs
  FlowId flow = kNone;      // in JobEntry::flows
  std::uint32_t host = 0;   // a place in Hosts::names
  std::uint32_t batch = 0;  // all of one batch before any of the next
};

// While flows move, they may load their old and their new path.
struct Transition {
  double max_utilisation = 0.0;  // of the fullest link, if each batch waits for the one before
  double max_before = 0.0;       // of the old routing, over live links
  double max_all_at_once = 0.0;  // if no one waits
  std::uint32_t num_batches = 0;
};

// A revision that changed routes.
struct RoutingChange {
  Revision revision = 0;
  ChangeKind kind = ChangeKind::routing;
  Nanoseconds at{0};         // wall time
  std::uint64_t digest = 0;  // of the routing after it
  double worst_job = 1.0, gap = 0.0;
  bool improvement = false;  // some flow left a live path
  Transition transition;
  std::vector<std::string> jobs;  // those with moves, ascending
  std::vector<FlowMove> moves;    // by (batch, job, flow)
  PathTable from, to;             // [moves]; empty: no path
};

struct History {
  Revision since = 0;                                         // all changes of routes after this revision are kept
  std::vector<std::shared_ptr<const RoutingChange>> changes;  // ascending by revision
};

// ---- all of it

struct Health {
  bool stale = false;         // no report on links for too long: routes are not improved
  bool backend_lost = false;  // the GPU failed; the CPU goes on
  std::uint32_t hosts_pinned = 0, hosts_behind = 0;
  std::string error;  // why the last attempt to choose routes failed; empty: it did not
  friend bool operator==(const Health&, const Health&) = default;
};

struct Snapshot {
  Revision revision = 0;
  std::shared_ptr<const Fabric> fabric;  // as it was put; null: none yet. Later reports are not in its states
  Revision fabric_revision = 0;
  std::shared_ptr<const Reports> reports;
  std::shared_ptr<const std::vector<Phase>> phases;
  Revision phases_revision = 0;
  std::shared_ptr<const Jobs> jobs;
  std::shared_ptr<const DesiredRouting> routing;  // desired
  std::shared_ptr<const Summary> summary;         // null: nothing was routed yet
  std::shared_ptr<const RoutingChange> proposal;  // with dry_run: what would be published now; else null
  std::shared_ptr<const Hosts> hosts;
  std::shared_ptr<const std::vector<HostState>> host_states;  // [hosts]
  std::shared_ptr<const History> history;
  bool frozen = false;
  Health health;

  [[nodiscard]] const JobEntry* find_job(std::string_view id) const;  // null: there is none
  [[nodiscard]] const JobRoutes* find_routes(std::string_view id) const;
};

// Nothing is known yet, and no part is null but `fabric`, `summary` and `proposal`.
[[nodiscard]] Snapshot empty_snapshot();
[[nodiscard]] std::uint64_t digest_of(const DesiredRouting& routing);

// The same parts: a problem of the one is a problem of the other, and path numbers mean the same.
[[nodiscard]] bool same_problem(const Snapshot& a, const Snapshot& b);

// A link's state as the fabric was put.
[[nodiscard]] PortState put_state(const Link& link);
// What is believed of a link now, its switches' states counted in.
[[nodiscard]] PortState link_state(const Snapshot& snapshot, LinkId link);
// Every link that a report is about, itself or by its switch; some more than once.
template <class Visit>
void visit_reported_links(const Snapshot& snapshot, const Visit& visit) {
  for (const auto& [link, report] : snapshot.reports->links) visit(link);
  for (const auto& [node, report] : snapshot.reports->switches)
    for (LinkId link = snapshot.fabric->first_link(node); link < snapshot.fabric->first_link(node + 1); ++link) {
      visit(link);
      visit(snapshot.fabric->reverse(link));
    }
}
// Without a dead link. (A path without links is not.)
[[nodiscard]] bool is_alive(const Snapshot& snapshot, std::span<const LinkId> path);
// The fabric with these states in it. O(fabric).
[[nodiscard]] Fabric present_fabric(const Snapshot& snapshot);

}  // namespace spineweave::service
