// What no routing can beat: see Bounds.
#include <algorithm>
#include <functional>
#include <numeric>

#include "optimize/cuts.hpp"
#include "optimize/harm.hpp"
#include "problem/build.hpp"
#include "spineweave/optimize.hpp"

namespace spineweave {
namespace {

// One phase for each distinct set of jobs that communicate together.
std::vector<std::uint32_t> distinct_phases(const Problem& problem) {
  std::vector<std::uint64_t> masks;
  for (FlowId flow = 0; flow < problem.num_flows(); ++flow)
    if (flow == 0 || problem.flows()[flow].job != problem.flows()[flow - 1].job)
      masks.push_back(problem.phase_mask(flow));
  std::ranges::sort(masks);
  const auto repeated = std::ranges::unique(masks);
  masks.erase(repeated.begin(), repeated.end());

  const auto same_jobs = [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::all_of(masks, [&](std::uint64_t mask) { return ((mask >> a ^ mask >> b) & 1U) == 0; });
  };
  std::vector<std::uint32_t> phases;
  for (std::uint32_t phase = 0; phase < problem.num_phases(); ++phase)
    if (std::ranges::none_of(phases, [&](std::uint32_t other) { return same_jobs(phase, other); }))
      phases.push_back(phase);
  return phases;
}

class BoundsBuilder {
 public:
  explicit BoundsBuilder(const Problem& problem)
      : problem_(problem), phases_(distinct_phases(problem)), per_job_(problem.num_jobs(), 0) {
    for (const FlowSpec& flow : problem.flows()) per_job_[flow.job] = std::uint64_t{1} << kNormalBits;
  }

  Bounds run() {
    for (const CutSide side : {CutSide::out, CutSide::in}) {
      add_family(endpoint_cuts(problem_, side));
      add_family(switch_cuts(problem_, side));
      add_family(pod_cuts(problem_, side));
      add_family(pair_cuts(problem_, side));
    }
    // What all jobs of a cut suffer anyway, it cannot raise.
    std::erase_if(shared_, [&](const SharedCut& cut) {
      return std::ranges::all_of(cut.parts, [&](const auto& part) { return per_job_[part.job] >= cut.bound; });
    });
    Bounds bounds;
    bounds.vector = bound_vector(problem_, per_job_, shared_);
    bounds.per_job = std::move(per_job_);
    return bounds;
  }

 private:
  void add_family(const CutFamily& family) {
    const CutMembers members = members_of(family);
    for (std::uint32_t cut = 0; cut < family.num_cuts(); ++cut) {
      const std::span<const FlowId> flows = members.of(cut);
      if (flows.empty()) continue;
      scales_.clear();
      for (const LinkId link : family.links_of(cut)) scales_.push_back(problem_.scales()[problem_.cell_of(link)]);
      slowest_ = *std::ranges::max_element(scales_);
      bound_each_job(flows);
      if (problem_.flows()[flows.front()].job != problem_.flows()[flows.back()].job) bound_together(flows);
    }
  }

  void raise(JobId job, std::uint64_t congestion) {
    per_job_[job] = std::max(per_job_[job], problem_.normalise(job, congestion));
  }

  // No bound passes what dealing flows of at most this weight out evenly would cause: most cuts harm
  // nobody, and this is quicker to see than the bound itself.
  [[nodiscard]] std::uint64_t dealt_evenly(std::size_t num_flows, std::uint64_t heaviest) const {
    return (num_flows + scales_.size() - 1) / scales_.size() * heaviest * slowest_;
  }

  // Each job's own flows over the cut's links.
  void bound_each_job(std::span<const FlowId> flows) {
    for (std::size_t begin = 0, end = 0; begin < flows.size(); begin = end) {
      const JobId job = problem_.flows()[flows[begin]].job;
      weights_.clear();
      std::uint32_t heaviest = 0;
      for (; end < flows.size() && problem_.flows()[flows[end]].job == job; ++end) {
        weights_.push_back(problem_.weights()[flows[end]]);
        heaviest = std::max(heaviest, weights_.back());
      }
      if (problem_.normalise(job, dealt_evenly(weights_.size(), heaviest)) > per_job_[job])
        raise(job, least_congestion(weights_, scales_));
    }
  }

  // All jobs' flows over the cut's links, phase by phase.
  void bound_together(std::span<const FlowId> flows) {
    std::uint32_t heaviest = 0;
    std::uint64_t least_floor = ~std::uint64_t{0};
    for (const FlowId flow : flows) {
      heaviest = std::max(heaviest, problem_.weights()[flow]);
      least_floor = std::min(least_floor, problem_.floors()[problem_.flows()[flow].job]);
    }
    if (dealt_evenly(flows.size(), heaviest) <= least_floor) return;  // no N above 1
    for (const std::uint32_t phase : phases_) bound_phase(flows, phase);
  }

  void bound_phase(std::span<const FlowId> flows, std::uint32_t phase) {
    weights_.clear();
    SharedCut cut;
    std::uint64_t unit = 0;
    for (const FlowId flow : flows) {
      if ((problem_.phase_mask(flow) >> phase & 1U) == 0) continue;
      const JobId job = problem_.flows()[flow].job;
      const std::uint32_t weight = problem_.weights()[flow];
      if (cut.parts.empty() || cut.parts.back().job != job) cut.parts.push_back({job, 0});
      cut.parts.back().units += weight;
      weights_.push_back(weight);
      unit = std::gcd(unit, weight);
    }
    if (cut.parts.size() < 2) return;
    const std::uint64_t congestion = least_congestion(weights_, scales_);
    if (scales_.size() == 1) {
      for (const SharedCut::Part& part : cut.parts) raise(part.job, congestion);
    } else {
      keep_shared(std::move(cut), unit, congestion);
    }
  }

  void keep_shared(SharedCut cut, std::uint64_t unit, std::uint64_t congestion) {
    const auto floor_of = [&](const SharedCut::Part& part) { return problem_.floors()[part.job]; };
    cut.loosest = std::ranges::max_element(cut.parts, {}, floor_of)->job;
    cut.bound = problem_.normalise(cut.loosest, congestion);
    if (std::ranges::all_of(cut.parts, [&](const auto& part) { return per_job_[part.job] >= cut.bound; })) return;
    for (SharedCut::Part& part : cut.parts) {
      part.units /= unit;
      cut.units += part.units;
    }
    std::ranges::stable_sort(cut.parts, std::greater<>(), &SharedCut::Part::units);
    for (const std::uint32_t scale : scales_) cut.scales.push_back(scale * unit);
    shared_.push_back(std::move(cut));
  }

  const Problem& problem_;
  std::vector<std::uint32_t> phases_;
  std::vector<std::uint64_t> per_job_;
  std::vector<SharedCut> shared_;
  std::vector<std::uint32_t> weights_, scales_;  // of the cut in hand
  std::uint64_t slowest_ = 0;                    // the largest of scales_
};

}  // namespace

Bounds compute_bounds(const Problem& problem) { return BoundsBuilder(problem).run(); }

}  // namespace spineweave
