#include "optimize/harm.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <utility>

#include "util/parallel.hpp"

namespace spineweave {
namespace {

// Fewer thresholds prove less and cost less.
constexpr std::size_t kMaxThresholds = 64;
constexpr std::size_t kMaxPartVisits = std::size_t{1} << 23U;
constexpr std::size_t kParallelCuts = 256;  // fewer are not worth waking threads for

// Requirements with the largest share of their jobs first, each kept if it shares no job with those
// before: their needs add up.
std::uint32_t pack_disjoint(std::span<const Requirement> requirements, std::uint32_t num_jobs) {
  std::vector<bool> used(num_jobs, false);
  std::uint32_t total = 0;
  for (const Requirement& requirement : requirements) {
    if (std::ranges::any_of(requirement.jobs, [&](JobId job) { return used[job]; })) continue;
    for (const JobId job : requirement.jobs) used[job] = true;
    total += requirement.least;
  }
  return total;
}

// Each job of a set answers once for every requirement that names it, so the jobs named most often must
// answer for all needs together.
std::uint32_t count_answers(std::span<const Requirement> requirements, std::uint32_t num_jobs) {
  std::vector<std::uint64_t> answers(num_jobs, 0);
  std::uint64_t needs = 0;
  for (const Requirement& requirement : requirements) {
    needs += requirement.least;
    for (const JobId job : requirement.jobs) ++answers[job];
  }
  std::ranges::sort(answers, std::greater<>());
  std::uint32_t taken = 0;
  while (needs > 0) needs -= std::min(needs, answers[taken++]);
  return taken;
}

struct MaskedRequirement {
  std::uint32_t jobs = 0;  // bit i: the i-th job involved
  int least = 1;
};

// True where some `size` of the `count` jobs meet all requirements. Reorders them: those that fail
// often come first.
bool some_set_meets(std::span<MaskedRequirement> requirements, std::size_t count, std::uint32_t size) {
  if (size >= count) return true;
  const std::uint64_t end = std::uint64_t{1} << count;
  for (std::uint64_t set = (std::uint64_t{1} << size) - 1; set < end;) {
    const auto meets = [&](const MaskedRequirement& r) {
      return std::popcount(static_cast<std::uint32_t>(set) & r.jobs) >= r.least;
    };
    const auto failed = std::ranges::find_if_not(requirements, meets);
    if (failed == requirements.end()) return true;
    std::iter_swap(failed, requirements.begin());
    if (size == 0) return false;
    // The next larger number with as many bits set (Gosper, HAKMEM 175).
    const std::uint64_t lowest = set & (~set + 1);
    const std::uint64_t ripple = set + lowest;
    set = ripple | ((set ^ ripple) >> (2 + static_cast<unsigned>(std::countr_zero(lowest))));
  }
  return false;
}

}  // namespace

std::uint64_t least_harmed_units(const SharedCut& cut, std::uint64_t spared, std::uint64_t worst) {
  const auto extra_at = [&](std::uint64_t scale) { return worst / scale - std::min(worst / scale, spared / scale); };
  const auto lost_links = [&](std::uint64_t total, std::uint64_t most_extra) {
    const std::uint64_t excess = cut.units - std::min(cut.units, total);
    return most_extra == 0 ? cut.scales.size() : std::max<std::uint64_t>(1, (excess + most_extra - 1) / most_extra);
  };
  if (std::ranges::all_of(cut.scales, [&](std::uint64_t scale) { return scale == cut.scales.front(); })) {
    const std::uint64_t links = cut.scales.size();
    const std::uint64_t room = spared / cut.scales.front();
    const std::uint64_t lost = std::min(links, lost_links(links * room, extra_at(cut.scales.front())));
    return cut.units - std::min(cut.units, (links - lost) * room);
  }
  std::vector<std::uint64_t> room;  // units per link at `spared`
  std::uint64_t total = 0;
  std::uint64_t most_extra = 0;  // units that a link may take on top when it is above `spared`
  for (const std::uint64_t scale : cut.scales) {
    room.push_back(spared / scale);
    total += room.back();
    most_extra = std::max(most_extra, extra_at(scale));
  }
  const std::uint64_t lost = lost_links(total, most_extra);
  std::ranges::sort(room, std::greater<>());
  for (std::uint64_t i = 0; i < lost && !room.empty(); ++i) {
    total -= room.back();
    room.pop_back();
  }
  return cut.units - std::min(cut.units, total);
}

std::uint32_t least_jobs(std::vector<Requirement> requirements, std::uint32_t num_jobs, std::uint32_t known) {
  std::ranges::stable_sort(requirements, [](const Requirement& a, const Requirement& b) {
    return a.least * b.jobs.size() > b.least * a.jobs.size();
  });
  std::uint32_t least = std::max({known, pack_disjoint(requirements, num_jobs), count_answers(requirements, num_jobs)});

  std::vector<JobId> involved;
  for (const Requirement& requirement : requirements) {
    std::vector<JobId> merged;
    std::ranges::set_union(involved, requirement.jobs, std::back_inserter(merged));
    involved = std::move(merged);
    if (involved.size() > kExactJobs) return least;
  }
  std::vector<MaskedRequirement> masked;
  for (const Requirement& requirement : requirements) {
    MaskedRequirement entry{0, static_cast<int>(requirement.least)};
    for (const JobId job : requirement.jobs)
      entry.jobs |= std::uint32_t{1} << (std::ranges::lower_bound(involved, job) - involved.begin());
    masked.push_back(entry);
  }
  // Of those over the same jobs, the largest need.
  std::ranges::sort(masked, [](const MaskedRequirement& a, const MaskedRequirement& b) {
    return std::pair{a.jobs, b.least} < std::pair{b.jobs, a.least};
  });
  const auto weaker = std::ranges::unique(masked, {}, &MaskedRequirement::jobs);
  masked.erase(weaker.begin(), weaker.end());
  while (!masked.empty() && !some_set_meets(masked, involved.size(), least)) ++least;
  return least;
}

namespace {

// What the cut asks for at threshold `bound`, beyond the jobs that are harmed anyway.
Requirement require(const Problem& problem, const SharedCut& cut, std::uint64_t bound, std::uint64_t worst,
                    const std::vector<bool>& harmed) {
  // A spared job has N < bound; the one with the largest floor bears the most congestion for that.
  std::uint64_t units =
      least_harmed_units(cut, problem.denormalise(cut.loosest, bound - 1), problem.denormalise(cut.loosest, worst));
  Requirement requirement;
  requirement.least = 0;
  bool any_harmed = false;
  for (const SharedCut::Part& part : cut.parts) {
    if (!harmed[part.job]) continue;
    any_harmed = true;
    units -= std::min(units, part.units);
  }
  for (const SharedCut::Part& part : cut.parts) {
    if (harmed[part.job]) continue;
    requirement.jobs.push_back(part.job);
    if (units > 0) ++requirement.least;
    units -= std::min(units, part.units);
  }
  // The pigeonhole may know of one harmed job where the sum of weights does not.
  if (!any_harmed) requirement.least = std::max(requirement.least, 1U);
  std::ranges::sort(requirement.jobs);
  return requirement;
}

// Jobs that have N >= bound in every routing in which no N is above `worst`; at least `known`.
std::uint32_t count_harmed(const Problem& problem, std::span<const std::uint64_t> per_job,
                           std::span<const SharedCut> cuts, std::uint64_t bound, std::uint64_t worst,
                           std::uint32_t known) {
  std::vector<bool> harmed;
  for (const std::uint64_t least : per_job) harmed.push_back(least >= bound);
  std::vector<Requirement> requirements;
  // A requirement that leaves no choice harms its jobs, and the others get by with fewer.
  for (bool settled = false; !settled;) {
    settled = true;
    requirements.clear();
    for (const SharedCut& cut : cuts) {
      if (cut.bound < bound) continue;
      Requirement requirement = require(problem, cut, bound, worst, harmed);
      if (requirement.least == 0) continue;
      if (requirement.least < requirement.jobs.size()) {
        requirements.push_back(std::move(requirement));
        continue;
      }
      settled = false;
      for (const JobId job : requirement.jobs) harmed[job] = true;
    }
  }
  const auto num_harmed = static_cast<std::uint32_t>(std::ranges::count(harmed, true));
  const std::uint32_t known_others = known - std::min(known, num_harmed);
  return num_harmed + least_jobs(std::move(requirements), static_cast<std::uint32_t>(harmed.size()), known_others);
}

// Values of N at which the count of harmed jobs may step, descending; thinned out if they are many.
std::vector<std::uint64_t> choose_thresholds(std::span<const std::uint64_t> per_job, std::span<const SharedCut> cuts) {
  std::vector<std::uint64_t> values(per_job.begin(), per_job.end());
  std::size_t parts = 1;
  for (const SharedCut& cut : cuts) {
    values.push_back(cut.bound);
    parts += cut.parts.size();
  }
  std::ranges::sort(values, std::greater<>());
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
  const std::size_t most = std::clamp<std::size_t>(kMaxPartVisits / parts, 4, kMaxThresholds);
  if (values.size() <= most) return values;
  std::vector<std::uint64_t> thinned;
  for (std::size_t i = 0; i < most; ++i) thinned.push_back(values[i * values.size() / most]);
  return thinned;
}

}  // namespace

std::vector<std::uint64_t> bound_vector(const Problem& problem, std::span<const std::uint64_t> per_job,
                                        std::span<const SharedCut> cuts) {
  std::vector<std::uint64_t> vector(per_job.begin(), per_job.end());
  std::ranges::sort(vector, std::greater<>());
  if (cuts.empty()) return vector;

  const std::vector<std::uint64_t> thresholds = choose_thresholds(per_job, cuts);
  std::vector<std::uint32_t> counts(thresholds.size(), 0);
  const std::size_t chunk = cuts.size() < kParallelCuts ? thresholds.size() : 1;
  util::parallel_chunks(thresholds.size(), chunk, [&](std::size_t begin, std::size_t end) {
    std::uint32_t known = 0;
    for (std::size_t i = begin; i < end && known < per_job.size(); ++i)
      counts[i] = known = count_harmed(problem, per_job, cuts, thresholds[i], thresholds.front(), known);
  });
  for (std::size_t i = 0; i < thresholds.size(); ++i)
    for (std::uint32_t place = 0; place < counts[i]; ++place) vector[place] = std::max(vector[place], thresholds[i]);
  return vector;
}

}  // namespace spineweave
