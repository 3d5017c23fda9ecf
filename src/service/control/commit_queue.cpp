#include "service/control/commit_queue.hpp"

#include <utility>

#include "service/control/errors.hpp"

namespace spineweave::service {
namespace {

StoredScalars scalars_of(const Snapshot& snapshot) {
  StoredScalars scalars;
  scalars.revision = snapshot.revision;
  scalars.fabric_revision = snapshot.fabric_revision;
  scalars.phases_revision = snapshot.phases_revision;
  scalars.frozen = snapshot.frozen;
  scalars.routing_revision = snapshot.routing->revision;
  scalars.routing_digest = snapshot.routing->digest;
  scalars.published_at = snapshot.routing->published_at;
  scalars.history_since = snapshot.history->since;
  return scalars;
}

}  // namespace

CommitQueue::CommitQueue(Store& store, const Clock& clock, std::function<std::shared_ptr<const Snapshot>()> present,
                         std::function<void(Draft&)> publish)
    : store_(store), clock_(clock), present_(std::move(present)), publish_(std::move(publish)) {}

// The first that finds no leader leads: it commits all that wait by then, in the order in which they came.
void CommitQueue::commit(const Request& request) {
  Ticket ticket{&request, clock_.now(), nullptr};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&ticket);
  done_.wait(lock, [&] { return ticket.done || !led_; });
  if (!ticket.done) {
    led_ = true;
    const std::vector<Ticket*> batch = std::exchange(waiting_, {});
    lock.unlock();
    process(batch);
    lock.lock();
    led_ = false;
    for (Ticket* each : batch) each->done = true;
    done_.notify_all();
  }
  if (ticket.error) std::rethrow_exception(ticket.error);
}

void CommitQueue::process(const std::vector<Ticket*>& batch) {
  const std::shared_ptr<const Snapshot> present = present_();  // its parts are not the draft's own while it lives
  Draft draft(*present, store_, clock_.wall_now(), batch.front()->arrived);
  try {
    apply(batch, draft);
    if (draft.is_durable()) {
      draft.rows().put_scalars(scalars_of(draft.next));
      store_.commit();
    }
  } catch (...) {
    store_.abort();
    for (Ticket* ticket : batch)
      if (!ticket->error) ticket->error = std::current_exception();
    return;
  }
  publish_(draft);
}

// A change that is refused leaves the draft to the others; a store that fails ends it for all.
void CommitQueue::apply(const std::vector<Ticket*>& batch, Draft& draft) {
  for (Ticket* ticket : batch) {
    try {
      (*ticket->request)(draft);
    } catch (const StoreError&) {
      throw;
    } catch (const Error&) {
      ticket->error = std::current_exception();
    }
  }
}

}  // namespace spineweave::service
