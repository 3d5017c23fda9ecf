// The worst job, proved by integer programs.
#pragma once

#include <functional>

#include "optimize/solvers.hpp"

namespace spineweave {

// Asks for a routing in which no N is above the bound; where there is none, for one at the next value that a
// link's load allows, until there is one, or none is left below the better of colouring and greedy. Flows
// that differ in nothing but their endpoints' access links are counted, not told apart. Raises the bound of
// the worst job to what was proved; the jobs after it are as the program's solution leaves them. For small
// instances: throws Error{bad_input} where the program would have over a million variables.
[[nodiscard]] Outcome solve_exactly(Evaluator& evaluator, const std::function<bool()>& stop);

}  // namespace spineweave
