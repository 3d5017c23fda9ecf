#include "simulate/move_prices.hpp"

#include <algorithm>
#include <numeric>

namespace spineweave {
namespace {

// Of a round where moves cost: fewer take longer to find, more are hardly ever all worth their cost.
constexpr std::uint32_t kLeastPricedMoves = 4, kPricedShare = 512;

}  // namespace

MovePrices::MovePrices(const RoutedSet& set, const Outlook& outlook, const Routing& present, std::uint64_t move_cost_ns)
    : problem_(*set.problem), present_(present), move_cost_ns_(move_cost_ns) {
  if (!moves_cost()) return;
  for (const FlowId flow : set.flows) is_under_way_.push_back(outlook.under_way(flow));
  for (const TurnId turn : set.turns) left_ns_.push_back(outlook.left_ns(turn));
}

Volume MovePrices::price(const Solution& solution) const {
  Volume price = 0;
  for (JobId job = 0; job < left_ns_.size(); ++job)
    price += Volume{problem_.normalise(job, solution.job_bottlenecks[job])} * left_ns_[job];
  for (FlowId flow = 0; flow < present_.size(); ++flow)
    if (is_under_way_[flow] && present_[flow] != kNone && present_[flow] != solution.routing[flow])
      price += Volume{move_cost_ns_} << kNormalBits;
  return price;
}

bool MovePrices::is_worth_it(const Solution& other, const Solution& kept) const {
  return moves_cost() ? price(other) < price(kept) : other.score.normalised < kept.score.normalised;
}

Solution improve(Evaluator& evaluator, const MovePrices& prices, Solution kept, std::uint32_t moves,
                 const std::atomic<bool>* stop) {
  std::vector<FlowId> flows(evaluator.problem().num_flows());
  std::iota(flows.begin(), flows.end(), 0U);
  const std::uint32_t at_once =
      prices.moves_cost() ? std::max(kLeastPricedMoves, evaluator.problem().num_flows() / kPricedShare) : moves;
  const auto state = evaluator.make_state();
  state->assign(kept.routing);
  const auto read = [&](Solution& solution) {
    state->read_routing(solution.routing);
    solution.job_bottlenecks.resize(evaluator.problem().num_jobs());
    solution.score = state->score(solution.job_bottlenecks);
    solution.certificate = certify(solution.score, solution.bounds);
  };
  Solution best = kept;
  while (moves > 0 && (stop == nullptr || !stop->load(std::memory_order_relaxed))) {
    state->begin_round({flows, std::min(moves, at_once)});
    const RoundResult round = state->finish_round();
    if (round.kept.empty() && !round.taken_back) break;
    moves -= static_cast<std::uint32_t>(round.kept.size());
    if (!prices.moves_cost()) continue;
    read(kept);
    if (prices.is_worth_it(kept, best)) best = kept;
  }
  if (prices.moves_cost()) return best;
  read(kept);
  return kept;
}

}  // namespace spineweave
