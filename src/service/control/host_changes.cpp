#include <fmt/format.h>

#include "service/control/changes.hpp"
#include "service/control/hosts.hpp"

namespace spineweave::service {

Change change_host(Draft& draft, std::string_view host, Revision revision, const ControllerOptions& options) {
  Snapshot& next = draft.next;
  const auto id = next.hosts->find(host);
  if (!id) throw NotFoundError(fmt::format("'{}' is no host of the fabric", host));
  if (revision > next.revision)
    throw Error(ErrorCode::bad_input,
                fmt::format("host '{}' acknowledges revision {}; the newest is {}", host, revision, next.revision));
  if (revision < next.history->since)
    throw GoneError(fmt::format("host '{}' acknowledges revision {}; what routes were before {} is not kept", host,
                                revision, next.history->since));
  HostState state = (*next.host_states)[*id];
  const bool was_pinned = state.pinned;
  take_acknowledgement(state, *id, revision, next, draft.wall_now());
  if (options.ack_timeout.count() == 0) {
    state.detours = nullptr;
    state.behind_since = Nanoseconds(0);
  }
  draft.rows().put_host({std::string(host), state, next.revision});
  Draft::own(next.host_states)[*id] = std::move(state);
  if (was_pinned) draft.opens_window = true;
  return {next.revision, false};
}

Change change_freeze(Draft& draft, bool frozen) {
  if (draft.next.frozen == frozen) return {draft.next.revision, false};
  (void)draft.rows();
  draft.next.frozen = frozen;
  if (!frozen) draft.opens_window = true;
  return {draft.raise(frozen ? ChangeKind::freeze : ChangeKind::unfreeze), false};
}

}  // namespace spineweave::service
