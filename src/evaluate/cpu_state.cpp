#include "evaluate/cpu_state.hpp"

#include <algorithm>
#include <functional>

#include "util/parallel.hpp"

namespace spineweave {
namespace {

constexpr std::size_t kFlowChunk = 8192;
constexpr std::size_t kCellChunk = 65536;

std::size_t num_places(const Problem& problem) { return std::size_t{problem.num_phases()} * problem.num_cells(); }

}  // namespace

const MoveScorer& CpuProblem::scorer() {
  std::call_once(scorer_made_, [this] { scorer_.emplace(*problem_, kernels_); });
  return *scorer_;
}

CpuState::CpuState(std::shared_ptr<CpuProblem> shared)
    : shared_(std::move(shared)),
      problem_(shared_->problem()),
      walk_(shared_->walk()),
      congestion_(num_places(problem_)),
      unplaced_(problem_.num_flows()),
      routing_(problem_.num_flows(), kNone),
      resting_(problem_.num_flows(), false),
      selection_(walk_),
      bottlenecks_(problem_.num_jobs()),
      flow_congestion_(problem_.num_flows()),
      ranking_(problem_.num_jobs()) {}

void CpuState::assign(std::span<const PathIndex> routing) {
  const std::uint32_t cells = problem_.num_cells();
  const std::uint32_t* const scales = problem_.scales().data();
  for (std::uint32_t phase = 0; phase < problem_.num_phases(); ++phase) {
    std::uint32_t* const row = congestion_.data() + std::size_t{phase} * cells;
    for (std::uint32_t cell = 0; cell < cells; ++cell) row[cell] = scales[cell] == 0 ? kDeadCongestion : 0;
  }
  scored_.reset();
  std::copy(routing.begin(), routing.end(), routing_.begin());
  unplaced_ = static_cast<std::size_t>(std::count(routing_.begin(), routing_.end(), kNone));
  // Copies of its own: a store to a cell could change anything that is reached through `this`.
  const CellWalk walk = walk_;
  std::uint32_t* const congestion = congestion_.data();
  std::uint32_t peak = 0;
  for (FlowId flow = 0; flow < routing.size(); ++flow) {
    if (routing[flow] == kNone) continue;
    walk.visit_loads(flow, routing[flow], [&](std::size_t place, std::uint32_t amount) {
      const std::uint32_t now = congestion[place] + amount;
      congestion[place] = now;
      peak = std::max(peak, amount == 0 ? 0 : now);  // dead cells take no load
    });
  }
  peak_ = peak;
  journal_.clear();
  std::fill(resting_.begin(), resting_.end(), false);
}

void CpuState::load(FlowId flow, PathIndex path) {
  scored_.reset();
  walk_.visit_loads(flow, path, [&](std::size_t place, std::uint32_t amount) {
    congestion_[place] += amount;
    if (amount != 0) peak_ = std::max(peak_, congestion_[place]);
  });
}

void CpuState::unload(FlowId flow, PathIndex path) {
  scored_.reset();
  walk_.visit_loads(flow, path, [&](std::size_t place, std::uint32_t amount) { congestion_[place] -= amount; });
}

void CpuState::reroute(FlowId flow, PathIndex to) {
  if (routing_[flow] != kNone) unload(flow, routing_[flow]), ++unplaced_;
  if (to != kNone) load(flow, to), --unplaced_;
  routing_[flow] = to;
}

void CpuState::apply(std::span<const Move> moves) {
  for (const Move& move : moves) reroute(move.flow, move.to);
  journal_.insert(journal_.end(), moves.begin(), moves.end());
}

void CpuState::rollback() {
  for (auto move = journal_.rbegin(); move != journal_.rend(); ++move) reroute(move->flow, move->from);
  journal_.clear();
}

Score CpuState::score(std::span<std::uint64_t> job_bottlenecks) {
  if (!scored_) {
    measure_flows();
    Score score;
    rank_jobs(score);
    add_pressure(score);
    peak_ = static_cast<std::uint32_t>(score.max_congestion);
    scored_ = std::move(score);
  }
  std::copy_n(bottlenecks_.begin(), job_bottlenecks.size(), job_bottlenecks.begin());
  return *scored_;
}

// The largest congestion that each flow meets.
void CpuState::measure_flows() {
  util::parallel_chunks(problem_.num_flows(), kFlowChunk, [this](std::size_t begin, std::size_t end) {
    const CellWalk walk = walk_;
    const std::uint32_t* const congestion = congestion_.data();
    const PathIndex* const routing = routing_.data();
    std::uint32_t* const out = flow_congestion_.data();
    for (auto flow = static_cast<FlowId>(begin); flow < end; ++flow)
      out[flow] = walk.congestion(congestion, flow, routing[flow]);
  });
}

// A job's flows follow each other.
void CpuState::rank_jobs(Score& score) {
  const JobId* const job_of_flow = walk_.problem().job_of_flow;
  std::fill(bottlenecks_.begin(), bottlenecks_.end(), 0);
  std::fill(ranking_.begin(), ranking_.end(), std::pair<std::uint64_t, std::uint32_t>{});
  for (FlowId begin = 0, end = 0; begin < problem_.num_flows(); begin = end) {
    const JobId job = job_of_flow[begin];
    while (end < problem_.num_flows() && job_of_flow[end] == job) ++end;
    const auto first = flow_congestion_.begin() + begin, last = flow_congestion_.begin() + end;
    const std::uint32_t bottleneck = *std::max_element(first, last);
    bottlenecks_[job] = bottleneck;
    ranking_[job].second = static_cast<std::uint32_t>(std::count(first, last, bottleneck));
  }
  for (JobId job = 0; job < ranking_.size(); ++job) ranking_[job].first = problem_.normalise(job, bottlenecks_[job]);
  std::sort(ranking_.begin(), ranking_.end(), std::greater<>());
  score.normalised.reserve(ranking_.size());
  score.at_bottleneck.reserve(ranking_.size());
  for (const auto& [normalised, flows] : ranking_) {
    score.normalised.push_back(normalised);
    score.at_bottleneck.push_back(flows);
  }
}

void CpuState::add_pressure(Score& score) {
  const std::size_t cells = problem_.num_cells();
  for (std::uint32_t phase = 0; phase < problem_.num_phases(); ++phase) {
    const std::uint32_t* const row = congestion_.data() + phase * cells;
    sums_.assign((cells + kCellChunk - 1) / kCellChunk, {});
    util::parallel_chunks(cells, kCellChunk, [&](std::size_t begin, std::size_t end) {
      sums_[begin / kCellChunk] = shared_->kernels().sum_squares(row + begin, static_cast<std::uint32_t>(end - begin));
    });
    for (const auto& [squares, most] : sums_) {
      score.pressure += squares * problem_.phase_weights()[phase];
      score.max_congestion = std::max<std::uint64_t>(score.max_congestion, most);
    }
  }
}

void CpuState::begin_best_moves(std::span<const FlowId> flows) {
  const MoveScorer& scorer = shared_->scorer();
  const FrozenLoads loads{congestion_.data(), routing_.data(), peak_, unplaced_ == 0};
  best_moves_.resize(flows.size());
  util::parallel_chunks(flows.size(), scorer.chunk(), [&](std::size_t begin, std::size_t end) {
    scorer.find_best_moves(loads, flows.subspan(begin, end - begin), best_moves_.data() + begin);
  });
}

void CpuState::begin_round(const RoundSpec& spec) {
  const Score before = score({});
  round_ = {};
  round_.score = before;
  awake_.clear();
  for (const FlowId f : spec.flows)
    if (!resting_[f]) awake_.push_back(f);
  begin_best_moves(awake_);
  std::vector<Move> kept;
  selection_.select(best_moves_, routing_.data(), spec.max_moves, kept);
  while (!kept.empty()) {
    for (const Move& move : kept) reroute(move.flow, move.to);
    Score after = score({});
    if (after < before) {
      journal_.insert(journal_.end(), kept.begin(), kept.end());
      round_.score = std::move(after);
      round_.kept = std::move(kept);
      return;
    }
    for (auto move = kept.rbegin(); move != kept.rend(); ++move) reroute(move->flow, move->from);
    round_.taken_back = true;
    if (kept.size() == 1) resting_[kept.front().flow] = true;
    kept.resize(kept.size() / 2);
  }
}

void CpuState::read_congestion(std::span<std::uint32_t> out) const {
  std::copy_n(congestion_.data(), congestion_.size(), out.begin());
}

void CpuState::read_routing(std::span<PathIndex> out) const {
  std::copy(routing_.begin(), routing_.end(), out.begin());
}

}  // namespace spineweave
