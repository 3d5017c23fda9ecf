// The snapshot that a stored state stands for.
#pragma once

#include "service/control/options.hpp"
#include "service/control/snapshot.hpp"
#include "service/store/store.hpp"

namespace spineweave::service {

// Throws StoreError where the parts do not belong together.
[[nodiscard]] Snapshot restore(const StoredState& state, const ControllerOptions& options);

}  // namespace spineweave::service
