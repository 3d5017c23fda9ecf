// Simulated annealing on the score.
#pragma once

#include <functional>

#include "optimize/solvers.hpp"

namespace spineweave {

struct Annealed {
  Routing routing;
  bool truncated = false;
};

// Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated annealing", Science 220, 1983, from the routing
// that ECMP hashes. A step moves one flow to another live candidate, or lets two flows of one leaf change
// their places; a worse score is taken with probability 2^(-loss / temperature), where the loss is that of
// the first place of the sorted N that gets worse, or, where none does, of the pressure in terms of what a
// flow has on average. Returns the best routing seen. `options.rounds`: steps for each flow, 32 unless given.
[[nodiscard]] Annealed anneal(Evaluator& evaluator, const SolveOptions& options, const std::function<bool()>& stop);

}  // namespace spineweave
