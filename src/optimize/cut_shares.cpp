#include "optimize/cut_shares.hpp"

#include <algorithm>
#include <bit>

namespace spineweave {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint32_t kReciprocalBits = 32;

}  // namespace

CutShares::CutShares(const Problem& problem) : problem_(problem) {
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

void CutShares::add_family(const CutFamily& family, std::vector<std::vector<Entry>>& entries_of_job) {
  const auto first_cut = static_cast<std::uint32_t>(cuts_.size());
  for (std::uint32_t index = 0; index < family.num_cuts(); ++index) {
    Cut cut;
    for (const std::uint32_t cell : family.cells_of(index)) {
      const std::uint64_t scale = problem_.scales()[cell];
      cut.scale = cut.links == 0 || cut.scale == scale ? scale : 0;
      cut.reciprocals += ((std::uint64_t{1} << kReciprocalBits) + scale - 1) / scale;
      ++cut.links;
    }
    cuts_.insert(cuts_.end(), problem_.num_phases(), cut);
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
        entries[entry_at[cut]].weight += problem_.weights()[end];
      }
    }
    for (std::size_t i = first_entry; i < entries.size(); ++i) entry_at[entries[i].cut - first_cut] = kNone;
  }
}

// Equal links carry whole units each; of unequal ones only proportions hold for every mix of limits.
std::uint64_t CutShares::share(const Entry& entry, std::uint64_t congestion) const {
  const Cut& cut = cuts_[entry.cut];
  if (cut.scale > 0) {
    const std::uint64_t room = cut.links * (congestion / cut.scale);
    return room == 0 ? 2 * kFull : std::min(2 * kFull, entry.weight * kFull / room);
  }
  const Wide room = Wide{congestion} * cut.reciprocals;
  if (room == 0) return 2 * kFull;
  return static_cast<std::uint64_t>(std::min<Wide>(2 * kFull, (Wide{entry.weight * kFull} << kReciprocalBits) / room));
}

}  // namespace spineweave
