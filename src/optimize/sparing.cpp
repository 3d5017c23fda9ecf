#include "optimize/sparing.hpp"

#include <algorithm>
#include <vector>

#include "optimize/admission.hpp"
#include "optimize/chain_search.hpp"

namespace spineweave {
namespace {

constexpr std::uint32_t kMostLevels = 24;
constexpr std::size_t kShareGivenUp = 16;  // one in so many of the jobs in the way, and one more
constexpr std::uint64_t kLeastSteps = 2000, kStepsPerCrowdedLink = 4;  // of a walk

class Sparing {
 public:
  Sparing(const Problem& problem, const Bounds& bounds, std::uint64_t seed, const std::function<bool()>& stop)
      : problem_(problem), bounds_(bounds), stop_(stop), search_(problem, seed, stop) {}

  Routing run(const Routing& start) {
    const Admission admission(problem_);
    search_.load(start);
    present_ = normalised();
    const auto worst = std::ranges::max_element(present_);
    const std::uint64_t least = *std::ranges::min_element(bounds_.per_job);
    target_.assign(present_.size(), *worst);
    // Loads are whole units, so levels are a unit apart on the fastest link.
    const auto worst_job = static_cast<JobId>(worst - present_.begin());
    const std::uint64_t congestion = problem_.denormalise(worst_job, *worst);
    const std::uint64_t spread = congestion - std::min(congestion, problem_.denormalise(worst_job, least));
    const std::uint64_t step = std::max<std::uint64_t>(unit(), spread / kMostLevels);
    std::uint64_t high = *worst;
    for (std::uint64_t below = step; below <= spread && !stop_(); below += step) {
      const std::uint64_t low = problem_.normalise(worst_job, congestion - below);
      if (low < high && !lower(admission, high, low)) break;
      high = low;
    }
    return search_.routing();
  }

  Routing repair(const Routing& start, std::span<const std::uint64_t> wanted, std::uint32_t max_moved) {
    search_.load(start);
    present_ = normalised();
    const std::uint64_t worst = *std::ranges::max_element(present_);
    std::vector<std::uint64_t> target(wanted.begin(), wanted.end());
    std::vector<JobId> admitted;
    for (JobId job = 0; job < target.size(); ++job) {
      target[job] = std::min(std::max(target[job], bounds_.per_job[job]), worst);
      if (target[job] < worst) admitted.push_back(job);
    }
    // A hasty walk moves one flow a step.
    const std::uint64_t end = search_.steps() + max_moved;
    while (!admitted.empty() && search_.steps() < end && !stop_()) {
      const std::uint64_t steps = std::min(kLeastSteps, (end - search_.steps() + 1) / 2);
      if (walk(target, steps)) break;
      give_up(worst, target, admitted);
    }
    return search_.routing();
  }

 private:
  [[nodiscard]] std::vector<std::uint64_t> normalised() const {
    std::vector<std::uint64_t> n = search_.job_bottlenecks();
    for (JobId j = 0; j < n.size(); ++j) n[j] = problem_.normalise(j, n[j]);
    return n;
  }

  [[nodiscard]] std::uint64_t unit() const {
    std::uint64_t least = kNone;
    for (const std::uint32_t scale : problem_.scales())
      if (scale > 0) least = std::min<std::uint64_t>(least, scale);
    return least;
  }

  // True where a routing was found that keeps some jobs at `low`, and those settled where they are.
  bool lower(const Admission& admission, std::uint64_t high, std::uint64_t low) {
    std::vector<std::uint64_t> target = target_;
    std::vector<JobId> admitted = admission.lower(high, low, bounds_.per_job, present_, target);
    const Routing before = search_.routing();
    while (!admitted.empty() && !stop_()) {
      if (walk(target, kLeastSteps + kStepsPerCrowdedLink * search_.crowded().size())) {
        target_ = std::move(target);
        present_ = normalised();
        return true;
      }
      give_up(high, target, admitted);
    }
    search_.load(before);
    return false;
  }

  bool walk(const std::vector<std::uint64_t>& target, std::uint64_t steps) {
    std::vector<std::uint64_t> limits(target.size());
    for (JobId j = 0; j < limits.size(); ++j) limits[j] = problem_.denormalise(j, target[j]);
    return search_.walk(limits, steps, ChainSearch::Pace::hasty);
  }

  // Puts some of the admitted jobs back to `high`: those on the most links with excess first, or where no
  // such link has one, those admitted last.
  void give_up(std::uint64_t high, std::vector<std::uint64_t>& target, std::vector<JobId>& admitted) const {
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

  const Problem& problem_;
  const Bounds& bounds_;
  const std::function<bool()>& stop_;
  ChainSearch search_;
  std::vector<std::uint64_t> present_;  // [jobs] N in the routing at hand
  std::vector<std::uint64_t> target_;   // [jobs] N that the levels so far settled on
};

}  // namespace

Routing repair_jobs(const Problem& problem, const Bounds& bounds, const Routing& start,
                    std::span<const std::uint64_t> wanted, std::uint32_t max_moved, std::uint64_t seed,
                    const std::function<bool()>& stop) {
  return Sparing(problem, bounds, seed, stop).repair(start, wanted, max_moved);
}

Routing spare_jobs(const Problem& problem, const Bounds& bounds, const Routing& start, std::uint64_t seed,
                   const std::function<bool()>& stop) {
  return Sparing(problem, bounds, seed, stop).run(start);
}

}  // namespace spineweave
