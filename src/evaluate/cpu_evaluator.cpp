// The CPU backend: loads in one array, scoring in parallel chunks.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>

#include "evaluate/aligned_cells.hpp"
#include "evaluate/backends.hpp"
#include "evaluate/best_move.hpp"
#include "evaluate/instruction_set.hpp"
#include "evaluate/processor_name.hpp"
#include "evaluate/score_core.hpp"
#include "spineweave/error.hpp"
#include "spineweave/threads.hpp"
#include "util/parallel.hpp"

namespace spineweave {
namespace {

constexpr std::size_t kFlowChunk = 4096;
constexpr std::size_t kCellChunk = 65536;

// Made when the first state looks for moves: a routing that is only scored needs none.
class LazyScorer {
 public:
  LazyScorer(std::shared_ptr<const Problem> problem, const ScoreKernels& kernels)
      : problem_(std::move(problem)), kernels_(kernels) {}

  [[nodiscard]] const MoveScorer& get() {
    std::call_once(made_, [this] { scorer_.emplace(*problem_, kernels_); });
    return *scorer_;
  }

 private:
  std::shared_ptr<const Problem> problem_;
  const ScoreKernels& kernels_;
  std::once_flag made_;
  std::optional<MoveScorer> scorer_;
};

class CpuState final : public SearchState {
 public:
  CpuState(std::shared_ptr<const Problem> problem, std::shared_ptr<LazyScorer> scorer)
      : problem_(std::move(problem)),
        scorer_(std::move(scorer)),
        view_(problem_->view()),
        congestion_(std::size_t{problem_->num_phases()} * problem_->num_cells()),
        routing_(problem_->num_flows(), kNone),
        flow_congestion_(problem_->num_flows()),
        claimed_(problem_->num_cells(), 0),
        resting_(problem_->num_flows(), false) {}

  void assign(std::span<const PathIndex> routing) override {
    for (std::uint32_t phase = 0; phase < problem_->num_phases(); ++phase) {
      std::uint32_t* row = congestion_.data() + std::size_t{phase} * problem_->num_cells();
      for (std::uint32_t cell = 0; cell < problem_->num_cells(); ++cell)
        row[cell] = problem_->scales()[cell] == 0 ? kDeadCongestion : 0;
    }
    std::copy(routing.begin(), routing.end(), routing_.begin());
    peak_ = 0;
    for (FlowId f = 0; f < problem_->num_flows(); ++f)
      if (routing_[f] != kNone) load(f, routing_[f], true);
    journal_.clear();
    std::fill(resting_.begin(), resting_.end(), false);
  }

  void apply(std::span<const Move> moves) override {
    for (const Move& move : moves) {
      reroute(move.flow, move.to);
      journal_.push_back(move);
    }
  }

  Score score(std::span<std::uint64_t> job_bottlenecks) override {
    measure_flows();
    Score score = summarise(job_bottlenecks);
    peak_ = static_cast<std::uint32_t>(score.max_congestion);
    return score;
  }

  void begin_best_moves(std::span<const FlowId> flows) override {
    const MoveScorer& scorer = scorer_->get();
    const FrozenLoads loads{congestion_.data(), routing_.data(), peak_};
    best_moves_.resize(flows.size());
    util::parallel_chunks(flows.size(), scorer.chunk(), [&](std::size_t begin, std::size_t end) {
      scorer.find_best_moves(loads, flows.subspan(begin, end - begin), best_moves_.data() + begin);
    });
  }

  std::span<const BestMove> finish_best_moves() override { return best_moves_; }

  void begin_round(const RoundSpec& spec) override {
    const Score before = score({});
    round_ = {};
    round_.score = before;
    std::vector<FlowId> awake;
    for (const FlowId f : spec.flows)
      if (!resting_[f]) awake.push_back(f);
    begin_best_moves(awake);
    std::vector<Move> kept = select(spec.max_moves);
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

  RoundResult finish_round() override { return std::move(round_); }

  void snapshot() override { journal_.clear(); }

  void rollback() override {
    for (auto move = journal_.rbegin(); move != journal_.rend(); ++move) reroute(move->flow, move->from);
    journal_.clear();
  }

  void read_congestion(std::span<std::uint32_t> out) const override {
    std::copy_n(congestion_.data(), congestion_.size(), out.begin());
  }
  void read_routing(std::span<PathIndex> out) const override {
    std::copy(routing_.begin(), routing_.end(), out.begin());
  }

 private:
  void load(FlowId flow, PathIndex path, bool add) {
    visit_loads(view_, flow, path, [&](std::size_t place, std::uint32_t amount) {
      congestion_[place] = add ? congestion_[place] + amount : congestion_[place] - amount;
      if (congestion_[place] < kDeadCongestion) peak_ = std::max(peak_, congestion_[place]);
    });
  }

  void reroute(FlowId flow, PathIndex to) {
    if (routing_[flow] != kNone) load(flow, routing_[flow], false);
    if (to != kNone) load(flow, to, true);
    routing_[flow] = to;
  }

  // The largest congestion that each flow meets.
  void measure_flows() {
    util::parallel_chunks(problem_->num_flows(), kFlowChunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto f = static_cast<FlowId>(i);
        flow_congestion_[i] = flow_congestion(view_, congestion_.data(), f, routing_[f]);
      }
    });
  }

  Score summarise(std::span<std::uint64_t> job_bottlenecks) const {
    std::vector<std::uint64_t> bottleneck(problem_->num_jobs(), 0);
    std::vector<std::uint32_t> at_bottleneck(problem_->num_jobs(), 0);
    for (FlowId f = 0; f < problem_->num_flows(); ++f) {
      const JobId job = problem_->flows()[f].job;
      if (flow_congestion_[f] > bottleneck[job]) bottleneck[job] = flow_congestion_[f], at_bottleneck[job] = 0;
      if (flow_congestion_[f] == bottleneck[job]) ++at_bottleneck[job];
    }
    std::vector<std::pair<std::uint64_t, std::uint32_t>> jobs(problem_->num_jobs());
    for (JobId j = 0; j < jobs.size(); ++j) jobs[j] = {problem_->normalise(j, bottleneck[j]), at_bottleneck[j]};
    std::sort(jobs.begin(), jobs.end(), std::greater<>());
    Score score;
    for (const auto& [normalised, flows] : jobs) {
      score.normalised.push_back(normalised);
      score.at_bottleneck.push_back(flows);
    }
    if (!job_bottlenecks.empty()) std::copy(bottleneck.begin(), bottleneck.end(), job_bottlenecks.begin());
    add_pressure(score);
    return score;
  }

  void add_pressure(Score& score) const {
    const std::size_t chunks = (congestion_.size() + kCellChunk - 1) / kCellChunk;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> partial(chunks);  // pressure, most
    util::parallel_chunks(congestion_.size(), kCellChunk, [&](std::size_t begin, std::size_t end) {
      auto& [pressure, most] = partial[begin / kCellChunk];
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint64_t c = congestion_[i];
        if (c == 0 || c >= kDeadCongestion) continue;
        pressure += c * c * problem_->phase_weights()[i / problem_->num_cells()];
        most = std::max(most, c);
      }
    });
    for (const auto& [pressure, most] : partial) {
      score.pressure += pressure;
      score.max_congestion = std::max(score.max_congestion, most);
    }
  }

  // The moves that help, best first, each touching no cell that an earlier one changes.
  std::vector<Move> select(std::uint32_t max_moves) {
    std::vector<BestMove> helping;
    for (const BestMove& move : best_moves_)
      if (move.to != routing_[move.flow]) helping.push_back(move);
    std::sort(helping.begin(), helping.end(), [](const BestMove& a, const BestMove& b) {
      return a.pressure_change != b.pressure_change ? a.pressure_change < b.pressure_change : a.flow < b.flow;
    });
    if (++claim_ == 0) std::fill(claimed_.begin(), claimed_.end(), 0), claim_ = 1;
    std::vector<Move> kept;
    for (const BestMove& move : helping) {
      if (kept.size() >= max_moves) break;
      const PathIndex from = routing_[move.flow];
      bool free = true;
      visit_changed_cells(view_, move.flow, from, move.to,
                          [&](std::uint32_t cell) { free = free && claimed_[cell] != claim_; });
      if (!free) continue;
      visit_changed_cells(view_, move.flow, from, move.to, [&](std::uint32_t cell) { claimed_[cell] = claim_; });
      kept.push_back({move.flow, from, move.to});
    }
    return kept;
  }

  std::shared_ptr<const Problem> problem_;
  std::shared_ptr<LazyScorer> scorer_;
  ProblemView view_;
  AlignedCells congestion_;  // [phases * cells]
  std::uint32_t peak_ = 0;   // no live cell has more
  std::vector<PathIndex> routing_;
  std::vector<std::uint32_t> flow_congestion_;
  std::vector<BestMove> best_moves_;
  std::vector<std::uint32_t> claimed_;  // [cells] == claim_: a kept move of this round changes it
  std::uint32_t claim_ = 0;
  std::vector<bool> resting_;  // flows whose best move alone made the score worse
  std::vector<Move> journal_;  // since the last snapshot
  RoundResult round_;
};

class CpuEvaluator final : public Evaluator {
 public:
  CpuEvaluator(std::shared_ptr<const Problem> problem, Capabilities capabilities, const ScoreKernels& kernels)
      : problem_(std::move(problem)),
        capabilities_(std::move(capabilities)),
        scorer_(std::make_shared<LazyScorer>(problem_, kernels)) {}

  const Problem& problem() const override { return *problem_; }
  const Capabilities& capabilities() const override { return capabilities_; }
  std::unique_ptr<SearchState> make_state() override { return std::make_unique<CpuState>(problem_, scorer_); }

  void score_routings(std::span<const PathIndex> routings, std::span<Score> out) override {
    const std::size_t flows = problem_->num_flows();
    check_routings_fill_scores(problem_->num_flows(), routings, out);
    util::parallel_chunks(out.size(), 1, [&](std::size_t begin, std::size_t end) {
      CpuState state(problem_, scorer_);
      for (std::size_t k = begin; k < end; ++k) {
        state.assign(routings.subspan(k * flows, flows));
        out[k] = state.score({});
      }
    });
  }

 private:
  std::shared_ptr<const Problem> problem_;
  Capabilities capabilities_;
  std::shared_ptr<LazyScorer> scorer_;
};

}  // namespace

Capabilities cpu_capabilities() {
  const KernelChoice choice = choose_kernels();
  Capabilities capabilities;
  capabilities.name = "cpu";
  capabilities.usable = choice.kernels != nullptr;
  capabilities.why_not = choice.why_not;
  if (capabilities.usable) capabilities.device = fmt::format("{}, {}", processor_name(), choice.kernels->name);
  capabilities.overlap = hardware_threads();
  return capabilities;
}

std::unique_ptr<Evaluator> make_cpu_evaluator(std::shared_ptr<const Problem> problem) {
  const KernelChoice choice = choose_kernels();
  if (choice.kernels == nullptr) throw Error(ErrorCode::backend_unavailable, choice.why_not);
  return std::make_unique<CpuEvaluator>(std::move(problem), cpu_capabilities(), *choice.kernels);
}

}  // namespace spineweave
