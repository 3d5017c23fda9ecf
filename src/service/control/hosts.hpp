// Which host sends which flows, and what it really uses.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/control/snapshot.hpp"

namespace spineweave::service {

[[nodiscard]] Hosts name_hosts(const Fabric& fabric);

// What a change of routes means for its hosts: flows that moved are detours until the host acknowledges; flows of a job
// that went or became another are forgotten. A host that was told to go back to what it uses is not behind, unless it
// has been silent for longer than `timeout`: then it stays listed until it speaks. Hosts whose state is of that
// revision or a later one (`as_of` [hosts]; empty: none) know of it. `timeout` 0: hosts are never behind.
void take_change(std::vector<HostState>& states, const RoutingChange& change, Nanoseconds timeout,
                 std::span<const Revision> as_of = {});

// The host uses the routes as of `revision`, which the history must know. `now`: wall time.
void take_acknowledgement(HostState& state, std::uint32_t host, Revision revision, const Snapshot& snapshot,
                          Nanoseconds now);

// Paths as they were after that revision, of all flows that have moved since; `host`: of that one alone, kNone: of all.
// Of jobs that changed since it is those that they began with.
using FlowName = std::pair<std::string_view, FlowId>;  // (job, flow)
[[nodiscard]] std::map<FlowName, std::span<const LinkId>> paths_at(const Snapshot& snapshot, Revision revision,
                                                                   std::uint32_t host = kNone);

[[nodiscard]] inline bool is_behind(const HostState& state) { return state.detours != nullptr; }
// Behind for longer than that; 0: never.
[[nodiscard]] inline bool is_overdue(const HostState& state, Nanoseconds now, Nanoseconds timeout) {
  return timeout.count() > 0 && state.behind_since.count() > 0 && now - state.behind_since >= timeout;
}

}  // namespace spineweave::service
