// Chooses routes for one problem: what must move, moves; what may move, moves if it is worth it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "spineweave/evaluator.hpp"
#include "spineweave/optimize.hpp"

namespace spineweave::service {

// Where flows are before the choice. kNone: on no live path.
struct Present {
  Routing wanted;              // [flows]
  Routing used;                // [flows] what their hosts use: other than wanted where they have not acknowledged
  std::vector<FlowId> pinned;  // ascending; they leave live paths in no case
};

enum class Effort : std::uint8_t {
  place,   // only flows without a live path
  repair,  // then a few moves where jobs are not at their bounds: quick
  search   // then the whole search, and of what it finds the moves that matter
};

struct ChoiceOptions {
  Effort effort = Effort::repair;
  double margin = 0.0;
  std::uint32_t max_moved = kNone;  // flows that may leave the live path that they use
  std::uint64_t time_limit_us = 0;  // of the improvement; 0: none
  std::uint64_t seed = 1;
  const Routing* goal = nullptr;  // of a search before: taken up instead of another search; null: none
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const Progress&)> on_progress = {};
};

struct Choice {
  Solution solution;
  bool improved = false;  // it is worth its moves; else only flows without a live path were placed
  Routing goal;           // where a search leads to in more revisions than this; empty: nowhere else
};

// Places flows without a live path, and leaves all others where they are wanted. Then looks for a routing that is
// better by more than the margin, starting from what is used. Where no flow is on a path yet, it chooses freely.
[[nodiscard]] Choice choose_routes(Evaluator& evaluator, const Present& present, const ChoiceOptions& options);

// True where some place of the sorted vector of N gets better by more than the margin, and none before it gets worse.
[[nodiscard]] bool is_better(const Score& score, const Score& than, double margin);

}  // namespace spineweave::service
