// Between two routings: fewer of the moves that lead from one to the other.
#pragma once

#include <cstdint>
#include <functional>

#include "spineweave/evaluator.hpp"
#include "spineweave/routing.hpp"

namespace spineweave::service {

struct Moving {
  const Routing& start;
  const Routing& goal;
  std::uint32_t most = 0;                            // moves
  std::function<bool(const Score&)> is_good_enough;  // that of the goal is, and that of the start to begin from there
  std::function<bool()> stop;
};

// From the goal back: takes moves back, many at once where that goes well and else fewer (bisection, as in delta
// debugging: Zeller and Hildebrandt, 2002), as long as the score stays good enough, until no more than `most` are left.
[[nodiscard]] Routing take_back_moves(Evaluator& evaluator, const Moving& moving);

// From the start on: makes moves one after the other, each as soon as the score stays good enough with it; at most
// `most`.
[[nodiscard]] Routing go_part_of_the_way(Evaluator& evaluator, const Moving& moving);

[[nodiscard]] std::uint32_t count_moves(const Routing& from, const Routing& to);

}  // namespace spineweave::service
