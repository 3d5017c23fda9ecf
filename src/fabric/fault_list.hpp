// Which links a list of faults names.
#pragma once

#include <string_view>
#include <vector>

#include "spineweave/fabric.hpp"

namespace spineweave {

// The links of `faults`, a list as with_faults takes it; a link may stand twice.
// Throws Error{usage} on what cannot be understood or is not in the fabric.
[[nodiscard]] std::vector<LinkId> list_faults(const Fabric& fabric, std::string_view faults);

}  // namespace spineweave
