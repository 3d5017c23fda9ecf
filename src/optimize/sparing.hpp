// The second layer of fairness at scale: as many jobs as the cuts allow kept below what the worst suffer.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "spineweave/optimize.hpp"

namespace spineweave {

// Level by level from the worst job down: lets an Admission choose which jobs may keep below the level,
// and looks for a routing that does so, giving up those jobs that stand in the way of others. The result
// is `start` where nothing better was found. The same routing for the same seed. Source: none; levels
// after the water-filling of max-min fairness (Bertsekas and Gallager, Data Networks, 1992, 6.5.2).
[[nodiscard]] Routing spare_jobs(const Problem& problem, const Bounds& bounds, const Routing& start, std::uint64_t seed,
                                 const std::function<bool()>& stop);

// A routing with few moves away from `start` that brings back as many jobs as it can to `wanted` (N), giving
// up those that stand in the way of others. At most `max_moved` flows move. `worst`: of `start`,
// which no job's N exceeds after.
[[nodiscard]] Routing repair_jobs(const Problem& problem, const Bounds& bounds, const Routing& start,
                                  std::span<const std::uint64_t> wanted, std::uint64_t worst, std::uint32_t max_moved,
                                  std::uint64_t seed, const std::function<bool()>& stop);

}  // namespace spineweave
