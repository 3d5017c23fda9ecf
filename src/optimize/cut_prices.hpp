// Prices on cuts: what harming a job is worth, cut by cut.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimize/cut_shares.hpp"
#include "spineweave/optimize.hpp"

namespace spineweave {

// Each job keeps below one of several levels of N, and the shares that its cuts' jobs take must fit into
// each cut. With prices on the cuts instead of that demand every job chooses alone, and any prices give a
// lower bound (Lagrangian relaxation: Held and Karp, "The traveling-salesman problem and minimum spanning
// trees: part II", Mathematical Programming 1, 1971); subgradient steps look for good ones.
class CutPrices {
 public:
  // `worst`: no job is above it.
  CutPrices(const Problem& problem, const CutShares& shares, std::uint64_t worst);

  // Adds the choice to keep below `level`, which is less than all levels before.
  void add_level(std::uint64_t level);
  // [0] is worst + 1. A job on level i has N < levels()[i].
  [[nodiscard]] std::span<const std::uint64_t> levels() const { return levels_; }

  struct Range {
    std::uint32_t first = 0, last = 0;  // levels that a job may choose
  };
  // The number of jobs, at least, that cannot keep the last level, where job j chooses within ranges[j] and,
  // for each i, at most counts[i] jobs choose level i or one before. O(steps * entries * levels), parallel.
  [[nodiscard]] std::uint32_t least_above(std::span<const Range> ranges, std::span<const std::uint32_t> counts,
                                          std::uint32_t steps);

  // What the job's choice of the last level instead of the one before costs others at these prices.
  [[nodiscard]] std::int64_t price_of_last(JobId job) const;

 private:
  __extension__ using Wide = __int128;
  struct Choices {
    Wide cost = 0;
    std::vector<std::int64_t> used;   // [cuts]
    std::vector<std::int64_t> above;  // [counts] jobs on level i or one before
  };
  [[nodiscard]] Choices choose(std::span<const Range> ranges, std::span<const std::int64_t> count_prices) const;
  void choose_for(JobId job, Range range, std::span<const std::int64_t> count_prices, Choices& choices) const;
  [[nodiscard]] std::int64_t first_step() const;

  const Problem& problem_;
  const CutShares& shares_;
  std::int64_t most_price_;
  std::vector<std::int64_t> prices_;  // [cuts]
  std::vector<std::uint64_t> levels_;
  std::vector<std::vector<std::uint32_t>> shares_at_;  // [levels][entries]
};

// Raises bounds.vector where it can, at the levels of `normalised` (N of some routing, descending): the
// fewest jobs at or above a level, given that at the levels above no more jobs are than the vector says.
void raise_by_prices(const Problem& problem, std::span<const std::uint64_t> normalised, Bounds& bounds);

}  // namespace spineweave
