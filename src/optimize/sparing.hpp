// The second layer of fairness at scale: as many jobs as the cuts allow kept below what the worst suffer.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "optimize/chain_search.hpp"
#include "optimize/cut_prices.hpp"
#include "spineweave/optimize.hpp"

namespace spineweave {

// Starts from a routing, gives the shortage to few jobs, and returns what it found: the same for the same
// seed, and not always better than the start.
class Sparing {
 public:
  // Any time before, or beside, the bounds.
  Sparing(const Problem& problem, const Routing& start, std::uint64_t seed, const std::function<bool()>& stop);

  // Level by level from the worst job down: prices on the cuts tell which jobs may keep below the level, a
  // hasty walk looks for a routing that does so, and jobs that stand in the way of others are given up a few
  // at a time. (Levels as in max-min fair water-filling: Bertsekas and Gallager, Data Networks, 1992, 6.5.2.)
  [[nodiscard]] Routing spare(const Bounds& bounds);

  // Prepares repair() of the same `wanted`; beside the bounds.
  void prepare_repair(std::span<const std::uint64_t> wanted) { search_.set_limits(wanted); }
  // Brings as many jobs as it can back to `wanted` (N), giving up those that stand in the way of others. At
  // most `max_moved` flows move. `worst`: of the start, which no job's N exceeds after.
  [[nodiscard]] Routing repair(const Bounds& bounds, std::span<const std::uint64_t> wanted, std::uint64_t worst,
                               std::uint32_t max_moved);

 private:
  [[nodiscard]] std::uint64_t unit() const;
  bool lower(const CutShares& shares, CutPrices& prices, std::uint64_t high, std::uint64_t low);
  [[nodiscard]] std::vector<std::int64_t> price_jobs(CutPrices& prices, std::uint64_t high) const;
  void give_up(std::uint64_t high, std::vector<std::uint64_t>& target, std::vector<JobId>& admitted) const;

  const Problem& problem_;
  const std::function<bool()>& stop_;
  ChainSearch search_;
  std::span<const std::uint64_t> bounds_;  // [jobs]
  std::vector<std::uint64_t> target_;      // [jobs] N that the levels so far settled on
  std::vector<std::uint32_t> settled_;     // [jobs] the level of prices that a job stays on; kNone: may go lower
};

}  // namespace spineweave
