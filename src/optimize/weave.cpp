#include "optimize/weave.hpp"

#include <algorithm>
#include <numeric>

#include "optimize/chain_search.hpp"
#include "optimize/solvers.hpp"
#include "optimize/sparing.hpp"
#include "util/hash.hpp"
#include "util/parallel.hpp"

namespace spineweave {
namespace {

constexpr std::uint32_t kSeedsPerGeneration = 4;
constexpr std::uint32_t kGenerations = 12;
constexpr std::uint32_t kMaxRounds = 64;
constexpr std::uint32_t kFruitlessRounds = 4;       // in a row, then the rounds end
constexpr std::uint32_t kFruitlessGenerations = 3;  // in a row, then the search ends
constexpr std::uint64_t kStepsPerFlow = 16;         // of one seed's walk, within these limits:
constexpr std::uint64_t kLeastSteps = 2000, kMostSteps = 24000;
constexpr std::uint32_t kWarmShare = 100;             // one flow in so many may leave its path of a warm start
constexpr std::uint64_t kGreedyCandidates = 8000000;  // above, the colouring alone is the start
// From so many flows on jobs are spared level by level first; the chains alone find as much in fewer.
constexpr std::uint32_t kSparingFlows = 4096;
constexpr std::uint32_t kChainFlows = 16384;                          // above, no chains unless asked for
constexpr std::uint64_t kPolishCandidates = std::uint64_t{1} << 28U;  // scored by all rounds of one polish

using Candidate = RatedRouting;

// Lowers jobs' bottlenecks in the order that fairness asks for, worst job first.
class Improver {
 public:
  Improver(const Problem& problem, const Bounds& bounds, std::uint64_t seed, const std::function<bool()>& stop)
      : problem_(problem), bounds_(bounds), stop_(stop), search_(problem, seed, stop) {}

  Routing run(const Routing& start, std::uint32_t kicks, std::uint64_t steps) {
    search_.load(start);
    search_.kick(kicks);
    const std::uint64_t end = search_.steps() + steps;
    lower_the_worst(steps / 2);
    lower_the_rest(end);
    return search_.routing();
  }

 private:
  // Every job below `worst`, and no better than its bound allows.
  [[nodiscard]] std::vector<std::uint64_t> targets_at(std::uint64_t worst) const {
    std::vector<std::uint64_t> targets = bounds_.per_job;
    for (std::uint64_t& target : targets) target = std::max(target, worst);
    return targets;
  }

  // Tries the bound at once, then halves what lies between it and the worst job.
  void lower_the_worst(std::uint64_t steps) {
    const auto worst_now = [&] {
      const auto n = search_.normalised();
      return *std::max_element(n.begin(), n.end());
    };
    std::uint64_t low = bounds_.vector.front();
    std::uint64_t high = worst_now();
    if (high <= low) return;
    const Routing before = search_.routing();
    Routing best = before;
    for (std::uint64_t target = low; high > low && !stop_(); target = low + (high - low) / 2) {
      const bool found = search_.walk(targets_at(target), target == bounds_.vector.front() ? steps / 2 : steps / 8);
      const std::uint64_t reached = worst_now();
      if (found && reached >= high) break;
      if (reached < high) high = reached, best = search_.routing();
      if (!found) {
        // Nothing proves that the target is out of reach; this seed goes on with an easier one.
        if (high - low <= low / 256) break;
        low = std::max(low + 1, target);
        search_.load(best);
      }
    }
    search_.load(best);
  }

  // Job by job, worst first: the job lower, those that are as bad no worse, the others anywhere below
  // it. Whatever is found so is better in the order of the score.
  void lower_the_rest(std::uint64_t end) {
    if (problem_.num_jobs() == 1) return;
    // First all at once: every job at its own bound.
    improve_towards(bounds_.per_job, (end - std::min(end, search_.steps())) / 4);
    std::vector<bool> stuck(problem_.num_jobs(), false);
    while (search_.steps() < end && !stop_()) {
      const std::vector<std::uint64_t> n = search_.normalised();
      JobId worst = kNone;
      for (JobId j = 0; j < n.size(); ++j)
        if (!stuck[j] && n[j] > bounds_.per_job[j] && (worst == kNone || n[j] > n[worst])) worst = j;
      if (worst == kNone) return;
      std::vector<std::uint64_t> target(n.size());
      for (JobId j = 0; j < n.size(); ++j)
        target[j] = n[j] >= n[worst] ? n[j] : std::max(bounds_.per_job[j], n[worst] - 1);
      const std::uint64_t steps = std::max<std::uint64_t>(500, (end - search_.steps()) / 8);
      bool lowered = false;
      for (const std::uint64_t goal : {bounds_.per_job[worst], (bounds_.per_job[worst] + n[worst]) / 2, n[worst] - 1}) {
        target[worst] = std::max(goal, bounds_.per_job[worst]);
        if (lowered = improve_towards(target, steps); lowered) break;
      }
      if (!lowered) stuck[worst] = true;
    }
  }

  // Keeps what the walk reached only where the sorted vector got better.
  bool improve_towards(const std::vector<std::uint64_t>& target, std::uint64_t steps) {
    const Routing before = search_.routing();
    auto n_before = search_.normalised();
    search_.walk(target, steps);
    auto n_after = search_.normalised();
    std::sort(n_before.begin(), n_before.end(), std::greater<>());
    std::sort(n_after.begin(), n_after.end(), std::greater<>());
    if (n_after < n_before) return true;
    search_.load(before);
    return false;
  }

  const Problem& problem_;
  const Bounds& bounds_;
  const std::function<bool()>& stop_;
  ChainSearch search_;
};

class Weave {
 public:
  Weave(Evaluator& evaluator, const SolveOptions& options, const std::function<bool()>& stop)
      : evaluator_(evaluator),
        problem_(evaluator.problem()),
        options_(options),
        stop_(stop),
        all_flows_(problem_.num_flows()) {
    std::iota(all_flows_.begin(), all_flows_.end(), 0U);
    states_.push_back(evaluator.make_state());
  }

  Outcome run() {
    // The bounds and the first routing do not need each other.
    const std::size_t chunk = problem_.num_flows() < kParallelFlows ? 2 : 1;
    util::parallel_chunks(2, chunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (i == 0)
          bounds_ = compute_bounds(problem_);
        else
          best_ = start();
      }
    });
    start_again();
    report("start", 0);
    if (!proved() && moves_left_ != kNone) {
      repair();
    } else if (!proved() && options_.rounds > 0) {
      spare();
      polish(*states_.front(), best_);
      if (!proved()) stopped();
      report("rounds", 0);
      search();
    }
    return {std::move(best_), std::move(bounds_), truncated_};
  }

 private:
  // Also remembers that the search did not end by itself.
  bool stopped() {
    truncated_ = truncated_ || stop_();
    return truncated_;
  }
  [[nodiscard]] bool proved() const { return certify(best_.score, bounds_).vector_proved; }

  void report(std::string_view stage, std::uint32_t step) const {
    if (!options_.on_progress) return;
    const Certificate certificate = certify(best_.score, bounds_);
    options_.on_progress({stage, step, static_cast<double>(best_.score.normalised.front()) / (1U << kNormalBits),
                          certificate.jobs_at_bound});
  }

  Candidate finish(Routing routing) { return complete(*states_.front(), std::move(routing), problem_.num_jobs()); }

  // Remembers what the jobs suffered before their lost flows were placed anew.
  Candidate resume(const Routing& warm_start) {
    Routing routing = warm_start;
    SearchState& state = *states_.front();
    state.assign(routing);
    before_.resize(problem_.num_jobs());
    (void)state.score(before_);
    for (JobId j = 0; j < before_.size(); ++j)
      before_[j] = options_.improve ? 0 : problem_.normalise(j, before_[j]);  // then the bounds are what is wanted
    place_missing(state, routing);
    moves_left_ = options_.max_moved.value_or(problem_.num_flows() / kWarmShare);
    if (moves_left_ != kNone) repairing_ = std::make_unique<Sparing>(problem_, routing, options_.seed, stop_);
    if (repairing_) repairing_->prepare_repair(before_);
    return rate(state, std::move(routing), problem_.num_jobs());
  }

  // Nothing to do where no job suffers more than before.
  void repair() {
    if (!suffers_more()) return;
    Routing routing = repairing_->repair(bounds_, before_, best_.score.normalised.front(), moves_left_);
    std::vector<Move> moves;
    for (FlowId f = 0; f < routing.size(); ++f)
      if (routing[f] != best_.routing[f]) moves.push_back({f, best_.routing[f], routing[f]});
    SearchState& state = *states_.front();  // holds the best
    state.apply(moves);
    Candidate repaired = rate(state, std::move(routing), problem_.num_jobs());
    take_if_better(std::move(repaired));
    if (!proved()) stopped();
    report("repair", 0);
  }

  // The warm start if there is one; else the colouring, or greedy where there is no Clos.
  Candidate start() {
    if (options_.warm_start != nullptr) return resume(*options_.warm_start);
    if (problem_.paths().kind != PathKind::tiered) return finish(route_greedy(problem_));
    return finish(route_coloring(problem_));
  }

  // Greedy may do better where the colouring is not at its bound.
  void start_again() {
    if (options_.warm_start != nullptr || problem_.paths().kind != PathKind::tiered || proved() ||
        problem_.num_candidates() > kGreedyCandidates)
      return;
    take_if_better(finish(route_greedy(problem_)));
    const auto [least, most] = std::ranges::minmax(problem_.weights());
    if (least < most && !proved()) take_if_better(finish(route_heaviest_first(problem_)));
  }

  void take_if_better(Candidate candidate) {
    if (candidate.score < best_.score) best_ = std::move(candidate);
  }

  [[nodiscard]] bool suffers_more() const {
    for (JobId j = 0; j < before_.size(); ++j)
      if (problem_.normalise(j, best_.job_bottlenecks[j]) > std::max(before_[j], bounds_.per_job[j])) return true;
    return false;
  }

  // Gives the fabric's shortage to as few jobs as it can.
  void spare() {
    if (problem_.num_flows() < kSparingFlows || problem_.num_jobs() < 2) return;
    take_if_better(finish(Sparing(problem_, best_.routing, options_.seed, stop_).spare(bounds_)));
    report("levels", 0);
  }

  // Synchronous rounds over all flows until nothing helps.
  void polish(SearchState& state, Candidate& candidate) const {
    const auto most_rounds = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(kPolishCandidates / (problem_.num_candidates() + 1), 1, kMaxRounds));
    state.assign(candidate.routing);
    std::uint32_t fruitless = 0;
    for (std::uint32_t round = 0; round < most_rounds && fruitless < kFruitlessRounds && !stop_(); ++round) {
      state.begin_round({all_flows_, kNone});
      const RoundResult result = state.finish_round();
      fruitless = result.kept.empty() ? fruitless + 1 : 0;
      if (result.kept.empty() && !result.taken_back) break;
    }
    state.read_routing(candidate.routing);
    candidate = rate(state, std::move(candidate.routing), problem_.num_jobs());
  }

  // What one seed found: the N that its walk reached, and the candidate, polished unless those are worse
  // than the best so far.
  struct Found {
    std::vector<std::uint64_t> normalised;
    Candidate candidate;
  };
  Found search_from(std::uint32_t generation, std::size_t seed, SearchState& state) const {
    const std::uint64_t steps = std::clamp(kStepsPerFlow * problem_.num_flows(), kLeastSteps, kMostSteps);
    Improver improver(problem_, bounds_, util::random_at(options_.seed, generation, seed), stop_);
    const std::uint32_t kicks =
        seed == 0 ? 0 : std::max(2U, problem_.num_flows() / 100) * static_cast<std::uint32_t>(seed);
    Found found;
    found.candidate.routing = improver.run(best_.routing, kicks, steps);
    state.assign(found.candidate.routing);
    found.normalised = state.score().normalised;
    if (found.normalised <= best_.score.normalised) polish(state, found.candidate);
    return found;
  }

  void search() {
    const std::uint32_t most = options_.rounds != kNone              ? options_.rounds
                               : problem_.num_flows() <= kChainFlows ? kGenerations
                                                                     : 0;
    std::uint32_t fruitless = 0;
    for (std::uint32_t generation = 0; generation < most && fruitless < kFruitlessGenerations; ++generation) {
      if (proved() || stopped()) return;
      while (states_.size() < kSeedsPerGeneration) states_.push_back(evaluator_.make_state());
      std::vector<Found> found(kSeedsPerGeneration);
      util::parallel_chunks(kSeedsPerGeneration, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) found[s] = search_from(generation, s, *states_[s]);
      });
      // The least seed wins ties, whatever thread was first.
      bool better = false;
      for (auto& [normalised, candidate] : found) {
        if (normalised > best_.score.normalised || !(candidate.score < best_.score)) continue;
        better = better || candidate.score.normalised < best_.score.normalised;
        best_ = std::move(candidate);
      }
      fruitless = better ? 0 : fruitless + 1;
      if (!proved()) stopped();
      report("chains", generation + 1);
    }
  }

  Evaluator& evaluator_;
  const Problem& problem_;
  const SolveOptions& options_;
  const std::function<bool()>& stop_;
  std::vector<std::unique_ptr<SearchState>> states_;  // one for each seed of a generation
  std::vector<FlowId> all_flows_;
  Bounds bounds_;
  Candidate best_;
  std::vector<std::uint64_t> before_;   // [jobs] N in the warm start, flows without a path left out
  std::unique_ptr<Sparing> repairing_;  // made beside the bounds
  std::uint32_t moves_left_ = kNone;    // from a warm start; kNone: as many as it takes
  bool truncated_ = false;
};

}  // namespace

Outcome weave(Evaluator& evaluator, const SolveOptions& options, const std::function<bool()>& stop) {
  return Weave(evaluator, options, stop).run();
}

}  // namespace spineweave
