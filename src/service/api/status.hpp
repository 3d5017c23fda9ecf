// The service at a glance.
#pragma once

#include "service/control/controller.hpp"
#include "spineweave/document.hpp"

namespace spineweave::service::api {

// GET /v1/status, and the first event of every stream.
[[nodiscard]] Document status_document(const Snapshot& snapshot);

// Parts of it that others show as well.
[[nodiscard]] Document::Object health_object(const Health& health);
[[nodiscard]] Document::Object progress_object(const Progress& progress);
// A revision that changed routes, without its moves.
[[nodiscard]] Document::Object change_object(const RoutingChange& change);

[[nodiscard]] std::string_view name_of(LinkState state);
[[nodiscard]] std::string digest_text(std::uint64_t digest);

// Throw NotFoundError. With the fabric gone, or before there was one, hosts are unknown as well.
[[nodiscard]] const Fabric& fabric_of(const Snapshot& snapshot);
[[nodiscard]] std::uint32_t find_host(const Snapshot& snapshot, std::string_view name);

// Directed links that are not believed to be up.
struct LinkCounts {
  std::uint32_t down = 0, degraded = 0;
};
// O(links).
[[nodiscard]] LinkCounts count_links(const Snapshot& snapshot);

}  // namespace spineweave::service::api
