#include "optimize/admission.hpp"

#include <algorithm>

namespace spineweave {

std::vector<JobId> lower_targets(const Problem& problem, const CutShares& shares, std::uint64_t high, std::uint64_t low,
                                 std::span<const std::uint64_t> bounds, std::span<const std::int64_t> price_of_job,
                                 std::span<std::uint64_t> target) {
  std::vector<std::uint64_t> used(shares.num_cuts(), 0);
  std::vector<JobId> order;
  for (JobId job = 0; job < target.size(); ++job) {
    const std::uint64_t congestion = problem.denormalise(job, target[job]);
    for (const CutShares::Entry& entry : shares.entries_of(job)) used[entry.cut] += shares.share(entry, congestion);
    if (target[job] == high && bounds[job] < high) order.push_back(job);
  }
  std::ranges::stable_sort(order, {}, [&](JobId job) { return price_of_job[job]; });
  std::vector<JobId> admitted;
  for (const JobId job : order) {
    const std::uint64_t lowest = std::max(low, bounds[job]);
    const std::uint64_t now = problem.denormalise(job, high);
    const std::uint64_t then = problem.denormalise(job, lowest);
    const auto entries = shares.entries_of(job);
    const bool fits = std::ranges::all_of(entries, [&](const CutShares::Entry& entry) {
      return used[entry.cut] - shares.share(entry, now) + shares.share(entry, then) <= CutShares::kFull;
    });
    if (!fits) continue;
    for (const CutShares::Entry& entry : entries)
      used[entry.cut] += shares.share(entry, then) - shares.share(entry, now);
    target[job] = lowest;
    admitted.push_back(job);
  }
  return admitted;
}

}  // namespace spineweave
