// Whether a routing is worth the flows that it moves.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "simulate/outlook.hpp"
#include "simulate/routed_set.hpp"
#include "spineweave/optimize.hpp"

namespace spineweave {

// Where moves cost nothing, a routing is better by its jobs alone, the worst-off first. Else its price is the time
// that all jobs lose in what they have left to send, which their N foretells, and the cost of every move.
class MovePrices {
 public:
  // `present`: of the set's flows, kNone where one has no path. All must outlive it.
  MovePrices(const RoutedSet& set, const Outlook& outlook, const Routing& present, std::uint64_t move_cost_ns);

  [[nodiscard]] bool moves_cost() const { return move_cost_ns_ > 0; }
  [[nodiscard]] bool is_worth_it(const Solution& other, const Solution& kept) const;

 private:
  [[nodiscard]] Volume price(const Solution& solution) const;  // in ns, 2^-kNormalBits each

  const Problem& problem_;
  const Routing& present_;
  const std::uint64_t move_cost_ns_;
  std::vector<bool> is_under_way_;      // [flows]
  std::vector<std::uint64_t> left_ns_;  // [problem's jobs]
};

// Rounds of the moves that help most from the kept routing on, at most `moves` in all; where moves cost, as far as
// they are worth it. Of the solution it keeps routing, score, bottlenecks, bounds and certificate up to date.
[[nodiscard]] Solution improve(Evaluator& evaluator, const MovePrices& prices, Solution kept, std::uint32_t moves,
                               const std::atomic<bool>* stop);

}  // namespace spineweave
