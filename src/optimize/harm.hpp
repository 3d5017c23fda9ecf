// How many jobs must be harmed: cuts that several jobs share, and the fewest jobs that answer for them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spineweave/problem.hpp"

namespace spineweave {

// The flows of one phase that cross one cut.
struct SharedCut {
  struct Part {
    JobId job = kNone;
    std::uint64_t units = 0;
  };
  std::vector<Part> parts;            // by job, most units first
  std::vector<std::uint64_t> scales;  // [live links] congestion of one unit
  std::uint64_t units = 0;            // of all parts; a unit is the weights' greatest common divisor
  JobId loosest = kNone;              // the job with the largest floor
  std::uint64_t bound = 0;            // some job of the cut has N >= bound
};

// Units that must belong to jobs whose congestion exceeds `spared`, if some link's does and none exceeds
// `worst`. A link above `spared` carries no flow of a spared job. The fewer such links, the more room for
// the spared ones: count those that the units which fit nowhere else need, and take the smallest.
[[nodiscard]] std::uint64_t least_harmed_units(const SharedCut& cut, std::uint64_t spared, std::uint64_t worst);

// At least `least` of these jobs are harmed.
struct Requirement {
  std::vector<JobId> jobs;  // ascending
  std::uint32_t least = 1;
};

// A lower bound on the size of a set of jobs that meets all requirements; at least `known`, which the
// caller has proved. Exact where at most kExactJobs jobs are involved.
inline constexpr std::size_t kExactJobs = 20;
[[nodiscard]] std::uint32_t least_jobs(std::vector<Requirement> requirements, std::uint32_t num_jobs,
                                       std::uint32_t known);

// A vector that no routing's sorted N comes before: [0] bounds the worst N of every routing; the rest
// bounds, place by place, those routings whose worst N is no worse than [0]. Without that condition a
// routing could spare many jobs by piling the others on one link.
[[nodiscard]] std::vector<std::uint64_t> bound_vector(const Problem& problem, std::span<const std::uint64_t> per_job,
                                                      std::span<const SharedCut> cuts);

}  // namespace spineweave
