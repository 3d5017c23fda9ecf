// Moves and detours as the store's binary records.
#pragma once

#include "service/control/snapshot.hpp"
#include "service/store/sqlite.hpp"

namespace spineweave::service {

[[nodiscard]] Bytes encode_paths(const PathTable& paths);
[[nodiscard]] PathTable decode_paths(const Bytes& bytes);
[[nodiscard]] Bytes encode_detours(const std::vector<Detour>& detours);
[[nodiscard]] std::vector<Detour> decode_detours(const Bytes& bytes);
[[nodiscard]] Bytes encode_change(const RoutingChange& change);
[[nodiscard]] RoutingChange decode_change(const Bytes& bytes);

}  // namespace spineweave::service
