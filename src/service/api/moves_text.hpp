// What changed between two revisions of the routing, for hosts that follow.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "service/control/snapshot.hpp"

namespace spineweave::service::api {

using Changes = std::vector<std::shared_ptr<const RoutingChange>>;

// {"since", "revision", "changes": [{..., "moves": [...]}]}; with a host, its moves alone, and only changes that have
// some. Moves of jobs that are gone are left out.
[[nodiscard]] std::string changes_text(const Snapshot& snapshot, Revision since, const Changes& changes,
                                       std::optional<std::uint32_t> host);
// One of them: {..., "moves": [...]}, with the first `limit` moves at most.
[[nodiscard]] std::string change_text(const Snapshot& snapshot, const RoutingChange& change,
                                      std::optional<std::uint32_t> host,
                                      std::uint64_t limit = std::numeric_limits<std::uint64_t>::max());
[[nodiscard]] bool has_moves_of(const RoutingChange& change, std::optional<std::uint32_t> host);

}  // namespace spineweave::service::api
