#include "optimize/sparing.hpp"

#include <algorithm>
#include <vector>

#include "optimize/admission.hpp"
#include "optimize/chain_search.hpp"
#include "optimize/cut_prices.hpp"

namespace spineweave {
namespace {

constexpr std::uint32_t kMostLevels = 24;
constexpr std::uint32_t kPriceSteps = 40;  // enough to tell jobs apart
constexpr std::size_t kShareGivenUp = 16;  // one in so many of the jobs in the way, and one more
constexpr std::size_t kShareLeft = 4;
constexpr std::uint64_t kLeastSteps = 2000, kStepsPerCrowdedLink = 4;  // of a walk

}  // namespace

Sparing::Sparing(const Problem& problem, const Routing& start, std::uint64_t seed, const std::function<bool()>& stop)
    : problem_(problem), stop_(stop), search_(problem, seed, stop) {
  search_.load(start);
}

Routing Sparing::spare(const Bounds& bounds) {
  bounds_ = bounds.per_job;
  const std::vector<std::uint64_t> present = search_.normalised();
  const auto worst = std::ranges::max_element(present);
  const std::uint64_t least = *std::ranges::min_element(bounds_);
  target_.assign(present.size(), *worst);
  // Loads are whole units, so levels are a unit apart on the fastest link.
  const auto worst_job = static_cast<JobId>(worst - present.begin());
  const std::uint64_t congestion = problem_.denormalise(worst_job, *worst);
  const std::uint64_t spread = congestion - std::min(congestion, problem_.denormalise(worst_job, least));
  const std::uint64_t step = std::max<std::uint64_t>(unit(), spread / kMostLevels);
  const CutShares shares(problem_);
  CutPrices prices(problem_, shares, *worst);
  settled_.assign(present.size(), kNone);
  std::uint64_t high = *worst;
  for (std::uint64_t below = step; below <= spread && !stop_(); below += step) {
    const std::uint64_t low = problem_.normalise(worst_job, congestion - below);
    if (low < high && !lower(shares, prices, high, low)) break;
    high = low;
  }
  return search_.routing();
}

Routing Sparing::repair(const Bounds& bounds, std::span<const std::uint64_t> wanted, std::uint64_t worst,
                        std::uint32_t max_moved) {
  bounds_ = bounds.per_job;
  std::vector<std::uint64_t> target(wanted.begin(), wanted.end());
  std::vector<JobId> admitted;
  for (JobId job = 0; job < target.size(); ++job) {
    target[job] = std::min(std::max(target[job], bounds_[job]), worst);
    if (target[job] < worst) admitted.push_back(job);
  }
  // A step moves two flows at most.
  const std::uint64_t end = search_.steps() + max_moved / 2;
  while (!admitted.empty() && search_.steps() < end && !stop_()) {
    const std::uint64_t steps = std::min(kLeastSteps, (end - search_.steps() + 1) / 2);
    if (search_.walk(target, steps, ChainSearch::Pace::hasty)) break;
    give_up(worst, target, admitted);
  }
  return search_.routing();
}

std::uint64_t Sparing::unit() const {
  std::uint64_t least = kNone;
  for (const std::uint32_t scale : problem_.scales())
    if (scale > 0) least = std::min<std::uint64_t>(least, scale);
  return least;
}

// Looks for a routing that keeps some jobs at `low`, and those settled where they are. True where it is
// worth while to go on below.
bool Sparing::lower(const CutShares& shares, CutPrices& prices, std::uint64_t high, std::uint64_t low) {
  prices.add_level(low + 1);
  const std::vector<std::int64_t> price_of_job = price_jobs(prices, high);
  std::vector<std::uint64_t> target = target_;
  std::vector<JobId> admitted = lower_targets(problem_, shares, high, low, bounds_, price_of_job, target);
  const std::size_t asked = admitted.size();
  const Routing before = search_.routing();
  std::size_t least = problem_.num_cells() * std::size_t{problem_.num_phases()};
  while (!admitted.empty() && !stop_()) {
    const std::uint64_t steps = kLeastSteps + kStepsPerCrowdedLink * search_.crowded().size();
    if (search_.walk(target, steps, ChainSearch::Pace::hasty)) {
      const auto last = static_cast<std::uint32_t>(prices.levels().size() - 1);
      for (JobId job = 0; job < target.size(); ++job)
        if (settled_[job] == kNone && target[job] > low) settled_[job] = last - 1;
      target_ = std::move(target);
      // Where most had to be given up, the levels below are out of reach.
      return admitted.size() >= asked / kShareLeft;
    }
    // As long as the walk gets somewhere, nobody is given up.
    const std::size_t left = search_.crowded().size();
    if (left + (least + 2) / 3 > least) give_up(high, target, admitted);
    least = std::min(least, left);
  }
  search_.load(before);
  return false;
}

// What each job takes from others if it keeps at the last level, where those that are settled stay.
std::vector<std::int64_t> Sparing::price_jobs(CutPrices& prices, std::uint64_t high) const {
  const auto last = static_cast<std::uint32_t>(prices.levels().size() - 1);
  std::vector<CutPrices::Range> ranges(target_.size());
  for (JobId job = 0; job < ranges.size(); ++job) {
    ranges[job] = {settled_[job], settled_[job]};
    if (settled_[job] == kNone) ranges[job] = {last - 1, bounds_[job] < high ? last : last - 1};
  }
  (void)prices.least_above(ranges, {}, kPriceSteps);
  std::vector<std::int64_t> price_of_job;
  for (JobId job = 0; job < ranges.size(); ++job) price_of_job.push_back(prices.price_of_last(job));
  return price_of_job;
}

// Puts some of the admitted jobs back to `high`: those on the most links with excess first, or where no
// such link has one, those admitted last.
void Sparing::give_up(std::uint64_t high, std::vector<std::uint64_t>& target, std::vector<JobId>& admitted) const {
  std::vector<std::uint32_t> crowded_links(target.size(), 0);
  for (const std::uint32_t crowded : search_.crowded())
    search_.visit_flows(crowded, [&](FlowId flow) { ++crowded_links[problem_.flows()[flow].job]; });
  const auto on_crowded =
      static_cast<std::size_t>(std::ranges::count_if(admitted, [&](JobId job) { return crowded_links[job] > 0; }));
  const std::size_t most = 1 + (on_crowded > 0 ? on_crowded : admitted.size()) / kShareGivenUp;
  std::ranges::stable_sort(admitted, [&](JobId a, JobId b) { return crowded_links[a] < crowded_links[b]; });
  for (std::size_t i = 0; i < most && !admitted.empty(); ++i) {
    target[admitted.back()] = high;
    admitted.pop_back();
  }
}

}  // namespace spineweave
