// The fabric as failures and recoveries leave it, over time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "spineweave/fabric.hpp"
#include "spineweave/simulate.hpp"

namespace spineweave {

struct FabricState {
  std::uint64_t from_ns = 0;
  std::shared_ptr<const Fabric> fabric;
};

// In the order of time, the first from 0 on. A recovery ends the failure of the same links; what another
// failure holds down as well stays down. Throws as simulate() does.
[[nodiscard]] std::vector<FabricState> play_outages(const std::shared_ptr<const Fabric>& fabric,
                                                    std::span<const FabricEvent> events);

}  // namespace spineweave
