#include "optimize/annealing.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "util/hash.hpp"

namespace spineweave {
namespace {

constexpr std::uint64_t kOne = std::uint64_t{1} << kNormalBits;
constexpr std::uint64_t kStepsPerFlow = 32;
constexpr std::uint64_t kMostScoredFlows = std::uint64_t{1} << 28U;  // over all steps, where rounds are not given
constexpr std::uint64_t kHalvings = 10;                              // of the temperature, from N = 1 on

// 2^-x for x in units of 2^-16, in units of 2^-32: integers, so that every machine takes the same steps.
std::uint64_t power_of_half(std::uint64_t x) {
  // 2^(-1/2), 2^(-1/4), ..., rounded down.
  constexpr std::array<std::uint64_t, kNormalBits> kRoots = {
      0xb504f333, 0xd744fcca, 0xeac0c6e7, 0xf5257d15, 0xfa83b2db, 0xfd3e0c0c, 0xfe9e115c, 0xff4ecb59,
      0xffa75652, 0xffd3a751, 0xffe9d2b2, 0xfff4e91b, 0xfffa747e, 0xfffd3a3b, 0xfffe9d1c, 0xffff4e8e};
  const std::uint64_t whole = x >> kNormalBits;
  if (whole > 32) return 0;
  std::uint64_t power = std::uint64_t{1} << 32U;
  for (std::uint32_t bit = 0; bit < kNormalBits; ++bit)
    if ((x >> (kNormalBits - 1 - bit) & 1U) != 0) power = power * kRoots[bit] >> 32U;
  return power >> whole;
}

// How much worse the score gets, in units of N; 0 where it does not.
std::uint64_t loss(const Score& from, const Score& to, std::uint32_t num_flows) {
  const auto [a, b] = std::ranges::mismatch(from.normalised, to.normalised);
  if (a != from.normalised.end()) return *b > *a ? *b - *a : 0;
  if (to.pressure <= from.pressure) return 0;
  const std::uint64_t unit = from.pressure / num_flows / kOne + 1;
  return (to.pressure - from.pressure) / unit;
}

class Annealing {
 public:
  Annealing(Evaluator& evaluator, const SolveOptions& options)
      : problem_(evaluator.problem()),
        options_(options),
        live_(problem_),
        state_(evaluator.make_state()),
        routing_(route_ecmp(live_, options.ecmp_hash, options.seed)) {
    by_leaf_.resize(problem_.num_flows());
    std::iota(by_leaf_.begin(), by_leaf_.end(), 0U);
    std::ranges::stable_sort(by_leaf_, {}, [&](FlowId flow) { return problem_.blocks(flow).front().src; });
  }

  Annealed run(const std::function<bool()>& stop) {
    if (problem_.num_flows() == 0) return {};
    state_->assign(routing_);
    present_ = state_->score();
    Score best_score = present_;
    Routing best = routing_;
    const std::uint64_t steps = num_steps();
    for (std::uint64_t step = 0; step < steps; ++step) {
      if (stop()) return {std::move(best), true};
      const std::vector<Move> moves = propose(step);
      if (moves.empty()) continue;
      const std::uint64_t temperature = power_of_half((kHalvings * step << kNormalBits) / steps) >> (32 - kNormalBits);
      if (take(moves, temperature, step) && present_ < best_score) best_score = present_, best = routing_;
    }
    return {std::move(best), false};
  }

 private:
  [[nodiscard]] std::uint64_t num_steps() const {
    const std::uint64_t flows = problem_.num_flows();
    if (options_.rounds != kNone) return options_.rounds * flows;
    return std::min(kStepsPerFlow * flows, kMostScoredFlows / flows + 1);
  }

  [[nodiscard]] std::uint64_t random(std::uint64_t step, std::uint64_t use) const {
    return util::random_at(options_.seed, step, use);
  }

  [[nodiscard]] std::vector<Move> propose(std::uint64_t step) const {
    const std::uint64_t place = util::random_below(random(step, 0), problem_.num_flows());
    const FlowId flow = by_leaf_[place];
    if (const FlowId other = neighbour(place, random(step, 1)); (random(step, 2) & 1U) != 0 && can_swap(flow, other))
      return {{flow, routing_[flow], routing_[other]}, {other, routing_[other], routing_[flow]}};
    const PathIndex to = live_.nth(flow, util::random_below(random(step, 3), live_.count(flow)));
    if (to == routing_[flow]) return {};
    return {{flow, routing_[flow], to}};
  }

  // A flow near this one in the order by leaf.
  [[nodiscard]] FlowId neighbour(std::uint64_t place, std::uint64_t random) const {
    constexpr std::uint32_t kReach = 64;
    return by_leaf_[(place + 1 + util::random_below(random, kReach)) % by_leaf_.size()];
  }

  [[nodiscard]] bool can_swap(FlowId a, FlowId b) const {
    const PathIndex to_a = routing_[b], to_b = routing_[a];
    return to_a != to_b && problem_.blocks(a).front().src == problem_.blocks(b).front().src &&
           to_a < problem_.num_paths(a) && to_b < problem_.num_paths(b) && problem_.is_alive(a, to_a) &&
           problem_.is_alive(b, to_b);
  }

  bool take(std::span<const Move> moves, std::uint64_t temperature, std::uint64_t step) {
    state_->apply(moves);
    Score then = state_->score();
    const std::uint64_t worse =
        std::min(loss(present_, then, problem_.num_flows()), std::numeric_limits<std::uint64_t>::max() >> kNormalBits);
    const std::uint64_t chance = power_of_half((worse << kNormalBits) / std::max<std::uint64_t>(temperature, 1));
    if ((random(step, 4) >> 32U) < chance) {
      present_ = std::move(then);
      for (const Move& move : moves) routing_[move.flow] = move.to;
      return true;
    }
    for (const Move& move : moves) state_->apply(std::array{Move{move.flow, move.to, move.from}});
    return false;
  }

  const Problem& problem_;
  const SolveOptions& options_;
  LivePaths live_;
  std::unique_ptr<SearchState> state_;
  Routing routing_;
  Score present_;
  std::vector<FlowId> by_leaf_;
};

}  // namespace

Annealed anneal(Evaluator& evaluator, const SolveOptions& options, const std::function<bool()>& stop) {
  return Annealing(evaluator, options).run(stop);
}

}  // namespace spineweave
