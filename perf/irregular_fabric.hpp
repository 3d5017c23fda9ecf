// A fabric that is no Clos, so that its paths are explicit lists.
#pragma once

#include "spineweave/fabric.hpp"

namespace spineweave::perf {

// 64 leaves of 32 hosts under 32 spines, each leaf also cabled to the next.
[[nodiscard]] Fabric irregular_fabric();

}  // namespace spineweave::perf
