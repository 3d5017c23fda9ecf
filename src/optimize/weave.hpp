// The default solver: start, synchronous rounds, chains from several seeds, certificate.
#pragma once

#include <functional>

#include "optimize/solvers.hpp"

namespace spineweave {

[[nodiscard]] Outcome weave(Evaluator& evaluator, const SolveOptions& options, const std::function<bool()>& stop);

}  // namespace spineweave
