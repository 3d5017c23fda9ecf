// What the processor calls itself.
#pragma once

#include <string>

namespace spineweave {

// Read once: the system takes its time to list its processors.
[[nodiscard]] const std::string& processor_name();

}  // namespace spineweave
