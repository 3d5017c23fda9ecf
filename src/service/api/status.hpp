// The service at a glance.
#pragma once

#include "service/control/controller.hpp"
#include "spineweave/document.hpp"

namespace spineweave::service::api {

// GET /v1/status, and the first event of every stream.
[[nodiscard]] Document status_document(const Snapshot& snapshot);

// Parts of it that others show as well.
[[nodiscard]] Document::Object health_object(const Health& health);
[[nodiscard]] Document::Object transition_object(const Transition& transition);
// A revision that changed routes, without its moves.
[[nodiscard]] Document::Object change_object(const RoutingChange& change);

[[nodiscard]] std::string_view name_of(LinkState state);
[[nodiscard]] std::string digest_text(std::uint64_t digest);

// Directed links that are not believed to be up.
struct LinkCounts {
  std::uint32_t down = 0, degraded = 0;
};
// O(links) after a change of the fabric or its reports.
[[nodiscard]] LinkCounts count_links(const Snapshot& snapshot);

}  // namespace spineweave::service::api
