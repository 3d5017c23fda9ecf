#include "optimize/admission.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace spineweave {
namespace {

constexpr std::uint64_t kFull = std::uint64_t{1} << 32U;  // all links of a cut

}  // namespace

Admission::Admission(const Problem& problem) : problem_(problem) {
  std::vector<std::vector<Entry>> entries_of_job(problem.num_jobs());
  for (const CutSide side : {CutSide::out, CutSide::in}) {
    add_family(switch_cuts(problem, side), entries_of_job);
    add_family(pod_cuts(problem, side), entries_of_job);
  }
  entry_begin_.push_back(0);
  for (const std::vector<Entry>& entries : entries_of_job) {
    entries_.insert(entries_.end(), entries.begin(), entries.end());
    entry_begin_.push_back(static_cast<std::uint32_t>(entries_.size()));
  }
}

void Admission::add_family(const CutFamily& family, std::vector<std::vector<Entry>>& entries_of_job) {
  const auto first_cut = static_cast<std::uint32_t>(cuts_.size());
  for (std::uint32_t cut = 0; cut < family.num_cuts(); ++cut) {
    Cut added{static_cast<std::uint32_t>(scales_.size()), 0, true};
    for (const std::uint32_t cell : family.cells_of(cut)) scales_.push_back(problem_.scales()[cell]);
    added.num_links = static_cast<std::uint32_t>(scales_.size()) - added.first_scale;
    for (std::uint32_t i = 1; i < added.num_links; ++i)
      added.uniform = added.uniform && scales_[added.first_scale + i] == scales_[added.first_scale];
    cuts_.insert(cuts_.end(), problem_.num_phases(), added);
  }
  // Flows come job by job; a job's entries of this family are merged where they name the same cut.
  std::vector<std::uint32_t> entry_at(std::size_t{family.num_cuts()} * problem_.num_phases(), kNone);
  for (FlowId begin = 0, end = 0; begin < problem_.num_flows(); begin = end) {
    const JobId job = problem_.flows()[begin].job;
    std::vector<Entry>& entries = entries_of_job[job];
    const std::size_t first_entry = entries.size();
    for (; end < problem_.num_flows() && problem_.flows()[end].job == job; ++end) {
      if (family.cut_of_flow[end] == kNone) continue;
      for (std::uint64_t phases = problem_.phase_mask(end); phases != 0; phases &= phases - 1) {
        const std::uint32_t cut =
            family.cut_of_flow[end] * problem_.num_phases() + static_cast<std::uint32_t>(std::countr_zero(phases));
        if (entry_at[cut] == kNone) {
          entry_at[cut] = static_cast<std::uint32_t>(entries.size());
          entries.push_back({first_cut + cut, 0});
        }
        entries[entry_at[cut]].units += problem_.weights()[end];
      }
    }
    for (std::size_t i = first_entry; i < entries.size(); ++i) entry_at[entries[i].cut - first_cut] = kNone;
  }
}

std::uint64_t Admission::share(const Entry& entry, std::uint64_t congestion) const {
  const Cut& cut = cuts_[entry.cut];
  std::uint64_t room = 0;
  if (cut.uniform) {
    room = cut.num_links * (congestion / scales_[cut.first_scale]);
  } else {
    for (std::uint32_t i = 0; i < cut.num_links; ++i) room += congestion / scales_[cut.first_scale + i];
  }
  return room == 0 ? 2 * kFull : entry.units * kFull / room;
}

std::vector<JobId> Admission::lower(std::uint64_t high, std::uint64_t low, std::span<const std::uint64_t> bounds,
                                    std::span<const std::uint64_t> present, std::span<std::uint64_t> target) const {
  const auto lowest = [&](JobId job) { return std::max(low, bounds[job]); };
  const auto is_candidate = [&](JobId job) { return target[job] == high && lowest(job) < high; };
  std::vector<std::uint64_t> used(cuts_.size(), 0), wanted(cuts_.size(), 0);
  for (JobId job = 0; job < target.size(); ++job) {
    const std::uint64_t now = problem_.denormalise(job, target[job]);
    const std::uint64_t then = is_candidate(job) ? problem_.denormalise(job, lowest(job)) : now;
    for (const Entry& entry : entries_of(job)) {
      used[entry.cut] += share(entry, now);
      wanted[entry.cut] += share(entry, then);
    }
  }
  std::vector<std::tuple<bool, std::uint64_t, JobId>> order;  // keeps below not yet, price, job
  for (JobId job = 0; job < target.size(); ++job) {
    if (!is_candidate(job)) continue;
    const std::uint64_t then = problem_.denormalise(job, lowest(job));
    std::uint64_t price = 0;
    for (const Entry& entry : entries_of(job)) {
      const std::uint64_t over = wanted[entry.cut] - std::min(wanted[entry.cut], kFull);
      price += (over >> 12U) * (share(entry, then) >> 12U);
    }
    order.emplace_back(present[job] > lowest(job), price, job);
  }
  std::sort(order.begin(), order.end());
  std::vector<JobId> admitted;
  for (const auto& [above, price, job] : order) {
    const std::uint64_t now = problem_.denormalise(job, high);
    const std::uint64_t then = problem_.denormalise(job, lowest(job));
    const std::span<const Entry> entries = entries_of(job);
    const bool fits = std::all_of(entries.begin(), entries.end(), [&](const Entry& entry) {
      return used[entry.cut] - share(entry, now) + share(entry, then) <= kFull;
    });
    if (!fits) continue;
    for (const Entry& entry : entries) used[entry.cut] += share(entry, then) - share(entry, now);
    target[job] = lowest(job);
    admitted.push_back(job);
  }
  return admitted;
}

}  // namespace spineweave
