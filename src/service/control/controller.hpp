// The controller: holds a fabric and its jobs, keeps them durable, and keeps a routing that suits them.
//
// Changes come from any thread and return once they are durable. One thread, the loop's, calls advance() whenever
// next_deadline() has come: it chooses routes and publishes them as one revision, or leaves them as they are. It solves
// on its own copy, so that neither readers nor changes wait for it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/control/clock.hpp"
#include "service/control/errors.hpp"
#include "service/control/options.hpp"
#include "service/control/snapshot.hpp"

namespace spineweave::service {

class Store;

struct Change {
  Revision revision = 0;
  bool created = false;  // the resource was not there before
};

struct Event {
  enum class Kind : std::uint8_t {
    changed,   // a revision that changes inputs: `change` says which
    routed,    // a revision that changes routes: `routing` has its moves. A job's removal is both, as one `routed`
    assessed,  // the summary now has rates
    progress,  // of the search under way
    health     // it changed
  };
  Kind kind = Kind::changed;
  Revision revision = 0;
  ChangeKind change = ChangeKind::routing;
  std::string subject;  // the job, link or switch
  std::shared_ptr<const RoutingChange> routing;
  Progress progress;
};

// Ends when it is destroyed; no call comes after that.
class Subscription {
 public:
  Subscription() = default;
  explicit Subscription(std::function<void()> end) : end_(std::move(end)) {}
  ~Subscription() {
    if (end_) end_();
  }
  Subscription(Subscription&& other) noexcept : end_(std::exchange(other.end_, nullptr)) {}
  Subscription& operator=(Subscription&& other) noexcept {
    std::swap(end_, other.end_);
    return *this;
  }

 private:
  std::function<void()> end_;
};

class Controller {
 public:
  // Takes up what the store holds: the same revision, routes and digest as before. Throws StoreError where it cannot be
  // read, Error{backend_unavailable} for the options.
  Controller(ControllerOptions options, std::unique_ptr<Store> store, Clock& clock);
  ~Controller();
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  // ---- Changes. From any thread. Each throws before it changes anything: RevisionError where `expected` is not the
  // resource's revision (a resource that is not there has none), NotFoundError, StoreError, Error{bad_input} with the
  // library's message. Only the fabric, the phases and each job have a revision of their own; for the rest it is the
  // snapshot's: nothing has changed since.

  // Replaces the fabric, and what was reported about links. Jobs and routes stay, by names: throws Error{bad_input}
  // where jobs use endpoints that it has not.
  Change put_fabric(Fabric fabric, std::optional<Revision> expected = {});
  // The phases that jobs may name; jobs keep theirs by name. Throws ConflictError where a job names one that goes.
  Change put_phases(std::vector<Phase> phases, std::optional<Revision> expected = {});
  // `name`: "A-B" (both directions), "A->B" (one), with "#1" one of parallel cables. A report that is older than what
  // is known throws ConflictError. `observed_at`: wall time; empty: now.
  Change set_link(std::string_view name, PortState state, std::optional<Nanoseconds> observed_at = {},
                  std::optional<Revision> expected = {});
  Change set_switch(std::string_view name, bool up, std::optional<Nanoseconds> observed_at = {},
                    std::optional<Revision> expected = {});
  // Links are watched, and there is nothing to report. Not durable.
  void heartbeat();
  // Checks the job as Problem does on the intact fabric: pairs that no path could ever join are refused. Ranks and
  // phases are those of `basis`, the snapshot that the job was read with: throws ConflictError where it has others by
  // now.
  Change put_job(Job job, const Snapshot& basis, std::optional<Revision> expected = {});
  Change delete_job(std::string_view id, std::optional<Revision> expected = {});
  // What a host really uses: routes as of that revision. GoneError where it is too old to tell what they were.
  Change acknowledge(std::string_view host, Revision revision, std::optional<Revision> expected = {});
  // Frozen: flows leave dead links and new jobs are placed, but nothing is improved.
  Change freeze(bool frozen, std::optional<Revision> expected = {});
  // Routes as they were after that revision, for the flows that are still there; frozen from then on. ConflictError
  // where one of them takes a dead link; GoneError.
  Change rollback(Revision revision, std::optional<Revision> expected = {});

  // ---- Reading. From any thread; never waits for a solve or for the disk.

  [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;
  // The changes of routes after that revision, oldest first; nothing where it is older than what is kept, or not yet.
  [[nodiscard]] static std::optional<std::vector<std::shared_ptr<const RoutingChange>>> routing_since(
      const Snapshot& snapshot, Revision revision);

  // `listener` is called in the order of revisions by the thread that made the change or by the loop's, while changes
  // wait: it only hands over to another thread, and calls nothing of the controller but snapshot().
  [[nodiscard]] Subscription subscribe(std::function<void(const Event&)> listener);

  // ---- The loop. One thread.

  // When advance() is due, by Clock::now(); in the past: at once. Nothing: only after a change.
  [[nodiscard]] std::optional<Nanoseconds> next_deadline() const;
  // Does what is due, if anything.
  void advance();
  // Called by changes, from their threads, when next_deadline() may be an earlier one.
  void set_waker(std::function<void()> waker);
  // Ends a solve that is under way soon, with the best so far: for shutting down.
  void interrupt();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace spineweave::service
