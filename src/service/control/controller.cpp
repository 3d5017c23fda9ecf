#include "service/control/controller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "service/control/changes.hpp"
#include "service/control/hosts.hpp"
#include "service/control/job_entry.hpp"
#include "service/control/loop.hpp"
#include "service/control/restore.hpp"
#include "spineweave/io.hpp"
#include "util/text.hpp"

namespace spineweave::service {

class Controller::Impl {
 public:
  Impl(ControllerOptions options, std::unique_ptr<Store> store, Clock& clock)
      : options_(std::move(options)),
        store_(std::move(store)),
        board_(restore(store_->load(), options_)),
        queue_(
            *store_, clock, [this] { return board_.present(); }, [this](Draft& draft) { publish(draft); }),
        loop_(options_, clock, board_, queue_) {}

  template <class Make>
  Change change(const Make& make) {
    Change result;
    queue_.commit([&](Draft& draft) { result = make(draft, options_); });
    return result;
  }
  // Of what has no revision of its own: nothing may have changed since.
  template <class Make>
  Change change_if(std::optional<Revision> expected, const Make& make) {
    return change([&](Draft& draft, const ControllerOptions& options) {
      check_expected("the state", draft.next.revision, expected);
      return make(draft, options);
    });
  }

  [[nodiscard]] std::shared_ptr<const Fabric> intact(const std::shared_ptr<const Fabric>& fabric) {
    const std::scoped_lock lock(intact_mutex_);
    if (intact_of_ != fabric) {
      intact_ = intact_fabric(fabric);
      intact_of_ = fabric;
    }
    return intact_;
  }

  Change rollback(Revision revision, std::optional<Revision> expected);

  [[nodiscard]] Board& board() { return board_; }
  [[nodiscard]] Loop& loop() { return loop_; }

 private:
  void publish(Draft& draft) {
    const bool opens_window = draft.opens_window;
    board_.publish(draft);
    if (opens_window) loop_.open_window(draft.arrived());
  }

  ControllerOptions options_;
  std::unique_ptr<Store> store_;
  Board board_;
  CommitQueue queue_;
  Loop loop_;
  std::mutex intact_mutex_;
  std::shared_ptr<const Fabric> intact_of_, intact_;
};

namespace {

// The snapshot with routes as they were after that revision. Throws ConflictError where one takes a dead link.
Snapshot roll_back(const Snapshot& now, Revision revision) {
  auto routing = std::make_shared<DesiredRouting>(*now.routing);
  const auto then = paths_at(now, revision);
  std::vector<std::string> dead;
  for (auto& routes : routing->jobs) {
    PathTable paths;
    for (FlowId flow = 0; flow < routes->paths.size(); ++flow) {
      const auto at = then.find({routes->job->job.id, flow});
      const bool moves = at != then.end() && !at->second.empty();
      paths.push_back(moves ? at->second : routes->paths[flow]);
      if (moves)
        for (const LinkId link : at->second)
          if (link_state(now, link).state == LinkState::down) dead.push_back(now.fabric->link_name(link));
    }
    routes = make_routes(routes->job, std::move(paths));
  }
  std::ranges::sort(dead);
  const auto rest = std::ranges::unique(dead);
  dead.erase(rest.begin(), rest.end());
  if (!dead.empty())
    throw ConflictError(fmt::format("the routes of revision {} take {} links that are down now: {}", revision,
                                    dead.size(), util::join_names(dead)));
  Snapshot then_wanted = now;
  then_wanted.routing = std::move(routing);
  then_wanted.host_states = std::make_shared<std::vector<HostState>>(now.host_states->size());
  return then_wanted;
}

}  // namespace

Change Controller::Impl::rollback(Revision revision, std::optional<Revision> expected) {
  const auto now = board_.present();
  if (revision > now->revision)
    throw NotFoundError(fmt::format("there is no revision {} yet; the newest is {}", revision, now->revision));
  if (revision < now->history->since)
    throw GoneError(
        fmt::format("revision {} is not kept; the oldest to go back to is {}", revision, now->history->since));
  if (!now->fabric) throw ConflictError("there is no fabric yet");
  Planner planner(options_);
  const Plan plan = planner.choose(std::make_shared<const Snapshot>(roll_back(*now, revision)), Effort::place, nullptr);
  return change_if(expected, [&](Draft& draft, const ControllerOptions& options) {
    if (draft.next.routing != now->routing) throw ConflictError("routes changed meanwhile; try again");
    const Outcome outcome = publish_plan(draft, plan, ChangeKind::rollback, options);
    if (outcome == Outcome::outdated) throw ConflictError("the fabric changed meanwhile; try again");
    return change_freeze(draft, true);
  });
}

Controller::Controller(ControllerOptions options, std::unique_ptr<Store> store, Clock& clock)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(store), clock)) {}

Controller::~Controller() = default;

Change Controller::put_fabric(Fabric fabric, std::optional<Revision> expected) {
  const auto shared = std::make_shared<const Fabric>(std::move(fabric));
  const auto hosts = std::make_shared<Hosts>(name_hosts(*shared));
  const StoredFabric stored{write_fabric_json(*shared), shared->digest()};
  return impl_->change(
      [&](Draft& draft, const ControllerOptions&) { return change_fabric(draft, shared, hosts, stored, expected); });
}

Change Controller::put_phases(std::vector<Phase> phases, std::optional<Revision> expected) {
  return impl_->change([&](Draft& draft, const ControllerOptions&) { return change_phases(draft, phases, expected); });
}

Change Controller::set_link(std::string_view name, PortState state, std::optional<Nanoseconds> observed_at,
                            std::optional<Revision> expected) {
  const Change change = impl_->change_if(expected, [&](Draft& draft, const ControllerOptions& options) {
    return change_links(draft, name, state, observed_at, options);
  });
  impl_->loop().hear();
  return change;
}

Change Controller::set_switch(std::string_view name, bool up, std::optional<Nanoseconds> observed_at,
                              std::optional<Revision> expected) {
  const Change change = impl_->change_if(expected, [&](Draft& draft, const ControllerOptions& options) {
    return change_switch(draft, name, up, observed_at, options);
  });
  impl_->loop().hear();
  return change;
}

void Controller::heartbeat() { impl_->loop().hear(); }

// The job is checked and written before its turn comes, so that others need not wait for that.
Change Controller::put_job(Job job, const Snapshot& basis, std::optional<Revision> expected) {
  if (!basis.fabric) throw ConflictError("there is no fabric yet");
  check_job(impl_->intact(basis.fabric), *basis.phases, job);
  const auto entry = make_job_entry(*basis.fabric, *basis.hosts, std::move(job), 0);
  const std::string document = write_job(*basis.fabric, *basis.phases, entry->job);
  return impl_->change([&](Draft& draft, const ControllerOptions& options) {
    if (draft.next.fabric != basis.fabric || draft.next.phases != basis.phases)
      throw ConflictError(fmt::format("the fabric changed while job '{}' was read; try again", entry->job.id));
    return change_job(draft, entry, document, expected, options);
  });
}

Change Controller::delete_job(std::string_view id, std::optional<Revision> expected) {
  return impl_->change(
      [&](Draft& draft, const ControllerOptions& options) { return remove_job(draft, id, expected, options); });
}

Change Controller::acknowledge(std::string_view host, Revision revision, std::optional<Revision> expected) {
  return impl_->change_if(expected, [&](Draft& draft, const ControllerOptions& options) {
    return change_host(draft, host, revision, options);
  });
}

Change Controller::freeze(bool frozen, std::optional<Revision> expected) {
  return impl_->change_if(expected,
                          [&](Draft& draft, const ControllerOptions&) { return change_freeze(draft, frozen); });
}

Change Controller::rollback(Revision revision, std::optional<Revision> expected) {
  return impl_->rollback(revision, expected);
}

std::shared_ptr<const Snapshot> Controller::snapshot() const { return impl_->board().present(); }

std::optional<std::vector<std::shared_ptr<const RoutingChange>>> Controller::routing_since(const Snapshot& snapshot,
                                                                                           Revision revision) {
  const History& history = *snapshot.history;
  if (revision < history.since || revision > snapshot.revision) return std::nullopt;
  const auto first =
      std::ranges::upper_bound(history.changes, revision, {}, [](const auto& change) { return change->revision; });
  return std::vector(first, history.changes.end());
}

Subscription Controller::subscribe(std::function<void(const Event&)> listener) {
  return impl_->board().subscribe(std::move(listener));
}

std::optional<Nanoseconds> Controller::next_deadline() const { return impl_->loop().next_deadline(); }
void Controller::advance() { impl_->loop().advance(); }
void Controller::set_waker(std::function<void()> waker) { impl_->loop().set_waker(std::move(waker)); }
void Controller::interrupt() { impl_->loop().interrupt(); }

}  // namespace spineweave::service
