#include "service/control/restore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "service/control/errors.hpp"
#include "service/control/hosts.hpp"
#include "service/control/job_entry.hpp"
#include "spineweave/io.hpp"

namespace spineweave::service {
namespace {

void require(bool holds, std::string_view what) {
  if (!holds) throw StoreError(fmt::format("the state is damaged: {}", what));
}

bool holds_links(const PathTable& paths, const Fabric& fabric) {
  return std::ranges::all_of(paths.links(), [&](LinkId link) { return link < fabric.num_links(); });
}

class Restorer {
 public:
  Restorer(const StoredState& state, const ControllerOptions& options)
      : state_(state), options_(options), snapshot_(empty_snapshot()) {}

  Snapshot run() {
    const StoredScalars& scalars = state_.scalars;
    snapshot_.revision = scalars.revision;
    snapshot_.fabric_revision = scalars.fabric_revision;
    snapshot_.phases_revision = scalars.phases_revision;
    snapshot_.frozen = scalars.frozen;
    snapshot_.phases = std::make_shared<std::vector<Phase>>(state_.phases);
    if (state_.fabric) {
      restore_fabric();
      restore_jobs();
      restore_routes();
      restore_history();
      restore_hosts();
    }
    return std::move(snapshot_);
  }

 private:
  // Ids depend on how fabrics are numbered; with another digest they would mean other links.
  void restore_fabric() {
    auto fabric = std::make_shared<const Fabric>(parse_fabric(state_.fabric->document, "the fabric in the state"));
    require(fabric->digest() == state_.fabric->digest, "the fabric has another digest than it was stored with");
    auto reports = std::make_shared<Reports>();
    for (const StoredPort& port : state_.ports) {
      require(port.id < (port.is_switch ? fabric->num_nodes() : fabric->num_links()), "a report is on no link");
      (port.is_switch ? reports->switches : reports->links).emplace(port.id, port.report);
    }
    snapshot_.hosts = std::make_shared<Hosts>(name_hosts(*fabric));
    snapshot_.fabric = std::move(fabric);
    snapshot_.reports = std::move(reports);
  }

  void restore_jobs() {
    auto jobs = std::make_shared<Jobs>();
    for (const StoredJob& job : state_.jobs)
      jobs->push_back(
          make_job_entry(*snapshot_.fabric, *snapshot_.hosts, read_job(*snapshot_.fabric, job.document), job.revision));
    snapshot_.jobs = std::move(jobs);
  }

  void restore_routes() {
    auto routing = std::make_shared<DesiredRouting>();
    for (const auto& [id, paths] : state_.routes) {
      const auto job = std::ranges::lower_bound(*snapshot_.jobs, std::string_view(id), {}, id_of);
      require(job != snapshot_.jobs->end() && id_of(*job) == id && paths.size() == (*job)->flows.size(),
              "routes are of no job");
      require(holds_links(paths, *snapshot_.fabric), "a route takes a link that is not there");
      routing->jobs.push_back(make_routes(*job, paths));
    }
    routing->revision = state_.scalars.routing_revision;
    routing->digest = state_.scalars.routing_digest;
    routing->published_at = state_.scalars.published_at;
    require(routing->revision == 0 || digest_of(*routing) == routing->digest, "the routes have another digest");
    snapshot_.routing = std::move(routing);
  }

  void restore_history() {
    auto history = std::make_shared<History>();
    history->since = state_.scalars.history_since;
    history->changes = state_.changes;
    for (const auto& change : history->changes) {
      require(holds_links(change->from, *snapshot_.fabric) && holds_links(change->to, *snapshot_.fabric),
              "a move takes a link that is not there");
      require(std::ranges::all_of(change->moves,
                                  [&](const FlowMove& move) { return move.host < snapshot_.hosts->names.size(); }),
              "a move is of no host");
    }
    snapshot_.history = std::move(history);
  }

  // As they were when they were written down, then change by change what they were told since.
  void restore_hosts() {
    auto states = std::make_shared<std::vector<HostState>>(snapshot_.hosts->names.size());
    std::vector<Revision> as_of(states->size(), 0);
    for (const StoredHost& host : state_.hosts) {
      const auto id = snapshot_.hosts->find(host.name);
      require(id.has_value(), "a host is not in the fabric");
      (*states)[*id] = host.state;
      as_of[*id] = host.as_of;
    }
    for (const auto& change : snapshot_.history->changes) take_change(*states, *change, options_.ack_timeout, as_of);
    for (const HostState& state : *states)
      if (state.detours) check_detours(*state.detours);
    snapshot_.host_states = std::move(states);
  }

  void check_detours(const std::vector<Detour>& detours) const {
    for (const Detour& detour : detours) {
      const JobEntry* job = snapshot_.find_job(detour.job);
      require(job != nullptr && detour.flow < job->flows.size(), "a host uses a path of no flow");
    }
  }

  const StoredState& state_;
  const ControllerOptions& options_;
  Snapshot snapshot_;
};

}  // namespace

Snapshot restore(const StoredState& state, const ControllerOptions& options) { return Restorer(state, options).run(); }

}  // namespace spineweave::service
