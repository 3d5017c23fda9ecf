// Which jobs may keep below a level, if the others may not.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimize/cut_shares.hpp"
#include "spineweave/problem.hpp"

namespace spineweave {

// Lowers the targets (N) of as many jobs as the cuts have room for from `high` to `low`, or to the job's
// bound where that is more. Only jobs with target == high change; the first that fit are taken in the
// order of their prices: what a job takes from cuts that others need. Returns the jobs it lowered, in that
// order. O(entries).
[[nodiscard]] std::vector<JobId> lower_targets(const Problem& problem, const CutShares& shares, std::uint64_t high,
                                               std::uint64_t low, std::span<const std::uint64_t> bounds,
                                               std::span<const std::int64_t> price_of_job,
                                               std::span<std::uint64_t> target);

}  // namespace spineweave
