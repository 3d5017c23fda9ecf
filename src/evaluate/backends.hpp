// The backends of this build.
#pragma once

#include <memory>

#include "spineweave/evaluator.hpp"

namespace spineweave {

[[nodiscard]] Capabilities cpu_capabilities();
[[nodiscard]] std::unique_ptr<Evaluator> make_cpu_evaluator(std::shared_ptr<const Problem> problem);

}  // namespace spineweave
