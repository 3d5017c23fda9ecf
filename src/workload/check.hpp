// What must hold before jobs become flows.
#pragma once

#include <cstdint>

#include "spineweave/workload.hpp"

namespace spineweave {

// Checks every job and returns the number of flows, without making any.
// Throws Error{bad_input} as expand_flows tells.
[[nodiscard]] std::uint64_t check_and_count(const Fabric& fabric, const Workload& workload);

}  // namespace spineweave
