// How much work an operation is, by formula and not by counter. README.md tells what each number means.
#pragma once

#include <cstdint>

#include "spineweave/problem.hpp"

namespace spineweave::perf {

struct Work {
  std::uint64_t candidates = 0;       // paths that are looked at; routings for score_routings
  std::uint64_t read_bytes = 0;       // that the threads read and write, wherever they lie
  std::uint64_t footprint_bytes = 0;  // each byte once: what device memory must deliver at the very least
  std::uint64_t operations = 0;       // of integers
};

// Of the best candidate of every flow. O(flows + explicit paths).
[[nodiscard]] Work scoring_work(const Problem& problem);
// Of `num_routings` whole routings.
[[nodiscard]] Work routings_work(const Problem& problem, std::uint32_t num_routings);

}  // namespace spineweave::perf
