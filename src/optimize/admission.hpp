// Which jobs may keep below a level, if the others may not.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimize/cuts.hpp"
#include "spineweave/problem.hpp"

namespace spineweave {

// A link carries no more than the least limit of the jobs on it, so of every link a flow of weight w
// whose job may load it up to L takes at least the share w / L. The shares of a cut's flows cannot exceed
// its links: what some jobs are spared, others must bear, and the more each of these bears the better.
class Admission {
 public:
  explicit Admission(const Problem& problem);

  // Lowers the targets (N) of as many jobs as the cuts have room for from `high` to `low`, or to the
  // job's bound where that is more. Only jobs with target == high change. `present`: N in the routing at
  // hand; those that keep below already come first, then those that crowded cuts need least. Returns the
  // jobs it lowered, in that order. O(entries).
  [[nodiscard]] std::vector<JobId> lower(std::uint64_t high, std::uint64_t low, std::span<const std::uint64_t> bounds,
                                         std::span<const std::uint64_t> present, std::span<std::uint64_t> target) const;

 private:
  struct Entry {
    std::uint32_t cut = 0;
    std::uint64_t units = 0;  // weight of the job's flows that cross it
  };
  struct Cut {
    std::uint32_t first_scale = 0, num_links = 0;
    bool uniform = true;  // all links have one scale
  };

  void add_family(const CutFamily& family, std::vector<std::vector<Entry>>& entries_of_job);
  [[nodiscard]] std::uint64_t share(const Entry& entry, std::uint64_t congestion) const;
  [[nodiscard]] std::span<const Entry> entries_of(JobId job) const {
    return std::span(entries_).subspan(entry_begin_[job], entry_begin_[job + 1] - entry_begin_[job]);
  }

  const Problem& problem_;
  std::vector<Cut> cuts_;  // of every phase
  std::vector<std::uint32_t> scales_;
  std::vector<std::uint32_t> entry_begin_;  // [num_jobs + 1]
  std::vector<Entry> entries_;
};

}  // namespace spineweave
