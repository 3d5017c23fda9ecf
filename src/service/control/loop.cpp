#include "service/control/loop.hpp"

#include <algorithm>
#include <utility>

#include "service/control/changes.hpp"
#include "service/control/hosts.hpp"
#include "service/control/port_states.hpp"
#include "spineweave/assess.hpp"

namespace spineweave::service {
namespace {

constexpr int kAttempts = 3;  // at a plan that changes overtake; after them it waits for the next window
constexpr Nanoseconds kRetry = std::chrono::seconds(1);  // where the state directory could not be written

void keep_earlier(std::optional<Nanoseconds>& deadline, std::optional<Nanoseconds> other) {
  if (other && (!deadline || *other < *deadline)) deadline = other;
}

}  // namespace

Loop::Loop(const ControllerOptions& options, const Clock& clock, Board& board, CommitQueue& queue)
    : options_(options),
      clock_(clock),
      board_(board),
      queue_(queue),
      planner_(options),
      heard_at_(clock.now()),
      has_looked_(board.present()->routing->revision == 0) {
  if (board.present()->fabric) window_end_ = clock.now();  // what was stored is looked at at once
}

void Loop::open_window(Nanoseconds start) {
  const std::scoped_lock lock(mutex_);
  if (window_end_) return;
  window_end_ = start + options_.window;
  planner_.hurry();
  if (waker_) waker_();
}

void Loop::hear() {
  const std::scoped_lock lock(mutex_);
  heard_at_ = clock_.now();
  if (waker_) waker_();  // silence may be over
}

void Loop::set_waker(std::function<void()> waker) {
  const std::scoped_lock lock(mutex_);
  waker_ = std::move(waker);
}

std::optional<Nanoseconds> Loop::next_deadline() const {
  if (to_assess_) return clock_.now();
  std::optional<Nanoseconds> deadline = next_release();
  const bool is_stale_now = board_.present()->health.stale;
  const std::scoped_lock lock(mutex_);
  keep_earlier(deadline, window_end_);
  keep_earlier(deadline, next_look_);
  if (options_.stale_after.count() > 0 && !is_stale_now) keep_earlier(deadline, heard_at_ + options_.stale_after);
  return deadline;
}

// Ports and hosts go by wall time, for it survives the process.
std::optional<Nanoseconds> Loop::next_release() const {
  const std::shared_ptr<const Snapshot> snapshot = board_.present();
  const Nanoseconds wall_now = clock_.wall_now();
  const HoldUp hold_up = hold_up_of(options_);
  std::optional<Nanoseconds> left;
  for (const auto& [link, report] : snapshot->reports->links) keep_earlier(left, held_for(report, wall_now, hold_up));
  for (const auto& [node, report] : snapshot->reports->switches)
    keep_earlier(left, held_for(report, wall_now, hold_up));
  if (options_.ack_timeout.count() > 0)
    for (const HostState& host : *snapshot->host_states)
      if (host.behind_since.count() > 0 && !host.pinned)
        keep_earlier(left, std::max(Nanoseconds(0), host.behind_since + options_.ack_timeout - wall_now));
  return left ? std::optional(std::max(clock_.now() + *left, watch_again_)) : std::nullopt;
}

void Loop::advance() {
  watch();
  if (const auto effort = find_due()) {
    choose(*effort);
  } else if (to_assess_) {
    finish_assessment();
  }
}

// Ports that have held, hosts that are overdue, reports that do not come.
void Loop::watch() {
  const bool stale = is_stale();
  const auto snapshot = board_.present();
  const Nanoseconds wall_now = clock_.wall_now();
  const HoldUp hold_up = hold_up_of(options_);
  const auto is_released = [&](const auto& entry) {
    const auto left = held_for(entry.second, wall_now, hold_up);
    return left && left->count() == 0;
  };
  const auto is_late = [&](const HostState& host) {
    return !host.pinned && is_overdue(host, wall_now, options_.ack_timeout);
  };
  const bool ports = std::ranges::any_of(snapshot->reports->links, is_released) ||
                     std::ranges::any_of(snapshot->reports->switches, is_released);
  const bool hosts = std::ranges::any_of(*snapshot->host_states, is_late);
  if (!ports && !hosts && stale == snapshot->health.stale) return;
  if (clock_.now() < watch_again_) return;
  try {
    queue_.commit([&](Draft& draft) {
      if (ports) release_ports(draft, options_);
      draft.next.health.stale = stale;
      if (!hosts) return;
      for (HostState& host : Draft::own(draft.next.host_states)) host.pinned = host.pinned || is_late(host);
      draft.opens_window = true;
    });
  } catch (const StoreError& error) {
    note_error(error.what());
    watch_again_ = clock_.now() + kRetry;
  }
}

bool Loop::is_stale() const {
  if (options_.stale_after.count() == 0) return false;
  const std::scoped_lock lock(mutex_);
  return clock_.now() - heard_at_ >= options_.stale_after;
}

// Closes the window, so that changes that come from now on open another. Where none is open, there is time to search.
std::optional<Effort> Loop::find_due() {
  const Nanoseconds now = clock_.now();
  const std::shared_ptr<const Snapshot> snapshot = board_.present();
  const std::scoped_lock lock(mutex_);
  const bool window = window_end_ && *window_end_ <= now;
  const bool look = next_look_ && *next_look_ <= now;
  if (!window && !look) return std::nullopt;
  next_look_ = options_.interval.count() > 0 ? std::optional(now + options_.interval) : std::nullopt;
  if (window) {
    window_end_.reset();
    return snapshot->fabric ? std::optional(Effort::repair) : std::nullopt;
  }
  if (window_end_ || !snapshot->fabric || is_settled(*snapshot)) return std::nullopt;
  planner_.take_time();
  return Effort::search;
}

bool Loop::is_settled(const Snapshot& snapshot) const {
  return settled_ && same_problem(*settled_, snapshot) && settled_->routing == snapshot.routing &&
         settled_->host_states == snapshot.host_states && settled_->frozen == snapshot.frozen &&
         settled_->health.stale == snapshot.health.stale;
}

// What was restored is first taken as it was: a restart is no reason to move flows that are well where they are.
void Loop::choose(Effort effort) {
  if (!std::exchange(has_looked_, true)) effort = Effort::place;
  try {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const auto snapshot = board_.present();
      if (snapshot->frozen || snapshot->health.stale) effort = Effort::place;
      if (try_to_choose(effort) != Outcome::outdated) return;
      effort = Effort::place;  // the sooner it is done, the better
    }
    open_window(clock_.now());
  } catch (const StoreError& error) {
    note_error(error.what());
    const std::scoped_lock lock(mutex_);
    if (!window_end_) window_end_ = clock_.now() + kRetry;
  } catch (const std::exception& error) {  // memory may be short as well; the routes stay as they are
    note_error(error.what());
  }
}

Outcome Loop::try_to_choose(Effort effort) {
  auto inputs = board_.present();
  settled_ = nullptr;
  to_assess_.reset();
  const Revision revision = inputs->revision;
  Plan plan = planner_.choose(inputs, effort, [&](const Progress& progress) {
    board_.tell({Event::Kind::progress, revision, {}, {}, nullptr, progress});
  });
  Outcome outcome = Outcome::outdated;
  queue_.commit([&](Draft& draft) {
    outcome = publish_plan(draft, plan, ChangeKind::routing, options_);
    draft.next.health.backend_lost = planner_.backend_lost();
  });
  if (outcome == Outcome::outdated) return outcome;
  if (outcome != Outcome::published && effort == Effort::search) settled_ = std::move(inputs);
  assessed_summary_ = board_.present()->summary;
  if (plan.instance.problem) to_assess_ = std::move(plan);
  return outcome;
}

void Loop::finish_assessment() {
  const Plan plan = *std::exchange(to_assess_, std::nullopt);
  auto summary = std::make_shared<Summary>(*assessed_summary_);
  summary->assessment = assess(*plan.instance.problem, plan.routing);
  queue_.commit([&](Draft& draft) {
    if (draft.next.summary != assessed_summary_) return;
    draft.next.summary = summary;
    draft.events.push_back({Event::Kind::assessed, draft.next.revision, {}, {}, nullptr, {}});
  });
}

void Loop::note_error(const std::string& what) {
  queue_.commit([&](Draft& draft) { draft.next.health.error = what; });
}

}  // namespace spineweave::service
