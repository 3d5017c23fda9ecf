// What no routing can beat: see Bounds.
#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "optimize/cuts.hpp"
#include "optimize/harm.hpp"
#include "optimize/solvers.hpp"
#include "problem/build.hpp"
#include "spineweave/optimize.hpp"
#include "util/parallel.hpp"

namespace spineweave {
namespace {

constexpr std::size_t kCutChunk = 64;

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

// No bound of a cut passes what dealing flows of at most this weight out evenly would cause.
std::uint64_t dealt_evenly(std::size_t num_flows, std::size_t num_links, std::uint64_t heaviest,
                           std::uint64_t slowest) {
  if (num_flows <= num_links) return heaviest * slowest;  // most often, and without a division
  return (num_flows + num_links - 1) / num_links * heaviest * slowest;
}

// What the cuts of a family prove, cut by cut, given what is known of each job before.
class CutBounder {
 public:
  CutBounder(const Problem& problem, const CutFamily& family, std::span<const std::uint32_t> phases,
             std::span<const std::uint64_t> known)
      : problem_(problem), family_(family), phases_(phases), known_(known), job_of_flow_(problem.view().job_of_flow) {}

  // `flows` of one cut, ascending, thus also by job.
  void add(std::uint32_t cut, std::span<const FlowId> flows) {
    scales_.clear();
    for (const std::uint32_t cell : family_.cells_of(cut)) scales_.push_back(problem_.scales()[cell]);
    slowest_ = *std::ranges::max_element(scales_);
    bound_each_job(flows);
    if (job_of_flow_[flows.front()] != job_of_flow_[flows.back()]) bound_together(flows);
  }

  [[nodiscard]] std::span<const std::pair<JobId, std::uint64_t>> raised() const { return raised_; }
  [[nodiscard]] std::vector<SharedCut>& shared() { return shared_; }
  // Congestion above the job's floor that an even deal of some cut brings it.
  [[nodiscard]] std::span<const std::pair<JobId, std::uint64_t>> dealt() const { return dealt_; }

 private:
  void raise(JobId job, std::uint64_t congestion) {
    const std::uint64_t normalised = problem_.normalise(job, congestion);
    if (normalised > known_[job]) raised_.emplace_back(job, normalised);
  }

  // Each job's own flows over the cut's links.
  void bound_each_job(std::span<const FlowId> flows) {
    for (std::size_t begin = 0, end = 0; begin < flows.size(); begin = end) {
      const JobId job = job_of_flow_[flows[begin]];
      weights_.clear();
      std::uint32_t heaviest = 0;
      for (; end < flows.size() && job_of_flow_[flows[end]] == job; ++end) {
        weights_.push_back(problem_.weights()[flows[end]]);
        heaviest = std::max(heaviest, weights_.back());
      }
      const std::uint64_t most = dealt_evenly(weights_.size(), scales_.size(), heaviest, slowest_);
      if (most > problem_.floors()[job] && problem_.normalise(job, most) > known_[job])
        raise(job, least_congestion(weights_, scales_));
    }
  }

  // All jobs' flows over the cut's links, phase by phase.
  void bound_together(std::span<const FlowId> flows) {
    std::uint32_t heaviest = 0;
    std::uint64_t least_floor = ~std::uint64_t{0};
    for (const FlowId flow : flows) {
      heaviest = std::max(heaviest, problem_.weights()[flow]);
      least_floor = std::min(least_floor, problem_.floors()[job_of_flow_[flow]]);
    }
    if (dealt_evenly(flows.size(), scales_.size(), heaviest, slowest_) <= least_floor) return;  // no N above 1
    for (const std::uint32_t phase : phases_) bound_phase(flows, phase);
  }

  void bound_phase(std::span<const FlowId> flows, std::uint32_t phase) {
    weights_.clear();
    SharedCut cut;
    cut.parts.reserve(flows.size());
    std::uint64_t unit = 0;
    for (const FlowId flow : flows) {
      if (problem_.num_phases() > 1 && (problem_.phase_mask(flow) >> phase & 1U) == 0) continue;
      const JobId job = job_of_flow_[flow];
      const std::uint32_t weight = problem_.weights()[flow];
      if (cut.parts.empty() || cut.parts.back().job != job) cut.parts.push_back({job, 0});
      cut.parts.back().units += weight;
      weights_.push_back(weight);
      if (unit != weight) unit = std::gcd(unit, weight);
    }
    if (cut.parts.size() < 2) return;
    const std::uint64_t congestion = least_congestion(weights_, scales_);
    for (const SharedCut::Part& part : cut.parts)
      if (congestion > problem_.floors()[part.job]) dealt_.emplace_back(part.job, congestion);
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
    if (std::ranges::all_of(cut.parts, [&](const auto& part) { return known_[part.job] >= cut.bound; })) return;
    for (SharedCut::Part& part : cut.parts) {
      part.units /= unit;
      cut.units += part.units;
    }
    // A stable sort takes memory even where there is nothing to do.
    if (!std::ranges::is_sorted(cut.parts, std::greater<>(), &SharedCut::Part::units))
      std::ranges::stable_sort(cut.parts, std::greater<>(), &SharedCut::Part::units);
    for (const std::uint32_t scale : scales_) cut.scales.push_back(scale * unit);
    shared_.push_back(std::move(cut));
  }

  const Problem& problem_;
  const CutFamily& family_;
  std::span<const std::uint32_t> phases_;
  std::span<const std::uint64_t> known_;  // [num_jobs]
  const JobId* job_of_flow_;
  std::vector<std::pair<JobId, std::uint64_t>> raised_, dealt_;
  std::vector<SharedCut> shared_;
  std::vector<std::uint32_t> weights_, scales_;  // of the cut in hand
  std::uint64_t slowest_ = 0;                    // the largest of scales_
};

class BoundsBuilder {
 public:
  explicit BoundsBuilder(const Problem& problem)
      : problem_(problem),
        phases_(distinct_phases(problem)),
        least_floor_(problem.num_jobs() == 0 ? 0 : *std::ranges::min_element(problem.floors())),
        per_job_(problem.num_jobs(), 0),
        dealt_(problem.num_jobs(), 0) {
    for (const FlowSpec& flow : problem.flows()) per_job_[flow.job] = std::uint64_t{1} << kNormalBits;
  }

  Bounds run() {
    constexpr std::array kFamilies = {endpoint_cuts, switch_cuts, pod_cuts, pair_cuts};
    struct Gathered {
      CutFamily family;
      CutMembers members;
    };
    std::array<Gathered, 2 * kFamilies.size()> gathered;
    const std::size_t chunk = problem_.num_flows() < kParallelFlows ? gathered.size() : 1;
    util::parallel_chunks(gathered.size(), chunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const CutSide side = i < kFamilies.size() ? CutSide::out : CutSide::in;
        gathered[i].family = kFamilies[i % kFamilies.size()](problem_, side);
        gathered[i].members = harmful_members(gathered[i].family);
      }
    });
    for (const auto& [family, members] : gathered) add_family(family, members);
    // What all jobs of a cut suffer anyway, it cannot raise.
    std::erase_if(shared_, [&](const SharedCut& cut) {
      return std::ranges::all_of(cut.parts, [&](const auto& part) { return per_job_[part.job] >= cut.bound; });
    });
    Bounds bounds;
    bounds.vector = bound_vector(problem_, per_job_, shared_);
    for (JobId job = 0; job < problem_.num_jobs(); ++job)
      bounds.even_share.push_back(std::max(per_job_[job], problem_.normalise(job, dealt_[job])));
    bounds.per_job = std::move(per_job_);
    return bounds;
  }

 private:
  // The flows of each cut that may harm a job.
  struct CutMembers {
    std::vector<std::uint32_t> cuts;  // ascending
    std::vector<std::uint32_t> flow_begin{0};
    std::vector<FlowId> flows;

    [[nodiscard]] std::span<const FlowId> of(std::size_t i) const {
      return std::span(flows).subspan(flow_begin[i], flow_begin[i + 1] - flow_begin[i]);
    }
  };

  void add_family(const CutFamily& family, const CutMembers& members) {
    const std::size_t num_cuts = members.cuts.size();
    const std::size_t chunks = (num_cuts + kCutChunk - 1) / kCutChunk;
    std::vector<CutBounder> bounders(chunks, CutBounder(problem_, family, phases_, per_job_));
    util::parallel_chunks(num_cuts, kCutChunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) bounders[begin / kCutChunk].add(members.cuts[i], members.of(i));
    });
    for (CutBounder& bounder : bounders) std::ranges::move(bounder.shared(), std::back_inserter(shared_));
    for (const CutBounder& bounder : bounders) {
      for (const auto& [job, normalised] : bounder.raised()) per_job_[job] = std::max(per_job_[job], normalised);
      for (const auto& [job, congestion] : bounder.dealt()) dealt_[job] = std::max(dealt_[job], congestion);
    }
  }

  // Most cuts harm nobody, and their size shows it.
  [[nodiscard]] CutMembers harmful_members(const CutFamily& family) const {
    std::vector<std::uint32_t> num_flows(family.num_cuts(), 0), heaviest(family.num_cuts(), 0);
    for (FlowId flow = 0; flow < problem_.num_flows(); ++flow) {
      const std::uint32_t cut = family.cut_of_flow[flow];
      if (cut == kNone) continue;
      ++num_flows[cut];
      heaviest[cut] = std::max(heaviest[cut], problem_.weights()[flow]);
    }
    CutMembers members;
    std::vector<std::uint32_t> next(family.num_cuts(), kNone);  // where the cut's next flow goes
    for (std::uint32_t cut = 0; cut < family.num_cuts(); ++cut) {
      if (num_flows[cut] == 0) continue;
      const std::span<const std::uint32_t> cells = family.cells_of(cut);
      std::uint64_t slowest = 0;
      for (const std::uint32_t cell : cells) slowest = std::max<std::uint64_t>(slowest, problem_.scales()[cell]);
      if (dealt_evenly(num_flows[cut], cells.size(), heaviest[cut], slowest) <= least_floor_) continue;
      next[cut] = members.flow_begin.back();
      members.cuts.push_back(cut);
      members.flow_begin.push_back(next[cut] + num_flows[cut]);
    }
    if (members.cuts.empty()) return members;
    members.flows.resize(members.flow_begin.back());
    for (FlowId flow = 0; flow < problem_.num_flows(); ++flow) {
      const std::uint32_t cut = family.cut_of_flow[flow];
      if (cut != kNone && next[cut] != kNone) members.flows[next[cut]++] = flow;
    }
    return members;
  }

  const Problem& problem_;
  std::vector<std::uint32_t> phases_;
  std::uint64_t least_floor_;
  std::vector<std::uint64_t> per_job_;
  std::vector<std::uint64_t> dealt_;  // [num_jobs] the most congestion of a shared cut, dealt evenly; 0: no harm
  std::vector<SharedCut> shared_;
};

}  // namespace

Bounds compute_bounds(const Problem& problem) { return BoundsBuilder(problem).run(); }

}  // namespace spineweave
