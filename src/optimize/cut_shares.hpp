// What share of each cut a job takes, given how far it may load a link.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimize/cuts.hpp"
#include "spineweave/problem.hpp"

namespace spineweave {

// A link carries no more than the least limit of the jobs on it. So of links that a job may load up to L
// its flows take at least the share (their weight) / (what the links carry at L), and the shares of all
// jobs cannot exceed the cut: what some are spared, others must bear.
class CutShares {
 public:
  static constexpr std::uint64_t kFull = std::uint64_t{1} << 24U;  // a whole cut

  struct Entry {
    std::uint32_t cut = 0;
    std::uint64_t weight = 0;  // of the job's flows that cross it
  };

  // The cuts around leaves (or switches) and pods, each once for every phase.
  explicit CutShares(const Problem& problem);

  [[nodiscard]] std::uint32_t num_cuts() const { return static_cast<std::uint32_t>(cuts_.size()); }
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }  // job by job
  [[nodiscard]] std::uint32_t first_entry(JobId job) const { return entry_begin_[job]; }
  [[nodiscard]] std::span<const Entry> entries_of(JobId job) const {
    return std::span(entries_).subspan(entry_begin_[job], entry_begin_[job + 1] - entry_begin_[job]);
  }
  // Rounded down; twice the cut where `congestion` carries nothing.
  [[nodiscard]] std::uint64_t share(const Entry& entry, std::uint64_t congestion) const;

 private:
  struct Cut {
    std::uint64_t links = 0;
    std::uint64_t scale = 0;        // of all links; 0: they differ
    std::uint64_t reciprocals = 0;  // sum of 2^32 / scale, rounded up
  };
  void add_family(const CutFamily& family, std::vector<std::vector<Entry>>& entries_of_job);

  const Problem& problem_;
  std::vector<Cut> cuts_;
  std::vector<std::uint32_t> entry_begin_;  // [num_jobs + 1]
  std::vector<Entry> entries_;
};

}  // namespace spineweave
