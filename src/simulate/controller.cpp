#include "simulate/controller.hpp"

#include <algorithm>

#include "util/clock.hpp"

namespace spineweave {
namespace {

using util::Clock;
using util::microseconds_since;

constexpr std::uint32_t kShares = 16;  // of what a turn's slowest collective has left

bool is_alive(const Fabric& fabric, const Route& route) {
  return std::ranges::none_of(route, [&](LinkId link) { return fabric.link(link).state == LinkState::down; });
}

}  // namespace

Controller::Controller(const Scenario& scenario, Solver solver, const SimulationOptions& options)
    : scenario_(scenario),
      solver_(solver),
      options_(options),
      routes_(scenario.intact_ecmp),
      placed_(scenario.traffic.flows.size(), false) {}

std::span<const FlowId> Controller::follow(const Stage& stage) {
  rerouted_.clear();
  return_to_recovered(*stage.state.fabric);
  // Without some collectives the flows have other numbers, and other hashes: then only lost ones are sent anew.
  const bool all_anew = solver_ == Solver::ecmp && std::ranges::find(stage.cut_off, true) == stage.cut_off.end();
  for (FlowId flow = 0; flow < routes_.size(); ++flow) {
    if (stage.ecmp[flow].empty() || stage.ecmp[flow] == routes_[flow]) continue;
    if (!all_anew && is_alive(*stage.state.fabric, routes_[flow])) continue;
    if (placed_[flow]) lost_[flow] = routes_[flow];
    routes_[flow] = stage.ecmp[flow];
    placed_[flow] = false;
    rerouted_.push_back(flow);
  }
  std::ranges::sort(rerouted_);
  return rerouted_;
}

void Controller::return_to_recovered(const Fabric& fabric) {
  for (auto lost = lost_.begin(); lost != lost_.end();) {
    auto& [flow, route] = *lost;
    if (!is_alive(fabric, route)) {
      ++lost;
      continue;
    }
    routes_[flow] = std::move(route);
    placed_[flow] = true;
    rerouted_.push_back(flow);
    lost = lost_.erase(lost);
  }
}

std::span<const FlowId> Controller::recompute(const Stage& stage, std::span<const CollectiveId> collectives,
                                              const Outlook& outlook, RecomputationRecord& record) {
  const auto begin = Clock::now();
  const RoutedSet set =
      build_routed_set(stage.state.fabric, *scenario_.workload, scenario_.traffic, collectives,
                       weigh_what_is_left(collectives, outlook), outlook.phases, scenario_.problem_options);
  record.build_us = microseconds_since(begin);
  const Solution solution = choose(set, outlook);
  if (options_.on_chosen) options_.on_chosen(solver_, set.problem, solution);
  rerouted_.clear();
  Route route;
  for (FlowId i = 0; i < set.flows.size(); ++i) {
    const FlowId flow = set.flows[i];
    placed_[flow] = true;
    lost_.erase(flow);
    route.clear();
    set.problem->append_links(i, solution.routing[i], route);
    if (route == routes_[flow]) continue;
    routes_[flow] = route;
    rerouted_.push_back(flow);
  }
  record.flows = static_cast<std::uint32_t>(set.flows.size());
  record.phases = set.problem->num_phases();
  record.worst_job = static_cast<double>(solution.score.normalised.front()) / (1U << kNormalBits);
  record.proved = solution.certificate.vector_proved;
  record.run_us = microseconds_since(begin);
  return rerouted_;
}

// A collective that has less left than the slowest of its turn can share a link and still not hold the job up. Loads
// of such weights are the time that links need, as far as flows of one job go. (The paper's schemes know nothing
// of it.)
std::vector<std::uint32_t> Controller::weigh_what_is_left(std::span<const CollectiveId> collectives,
                                                          const Outlook& outlook) const {
  if (solver_ == Solver::ecmp || solver_ == Solver::greedy || solver_ == Solver::coloring) return {};
  std::vector<Volume> left;
  std::map<TurnId, Volume> most;
  for (const CollectiveId id : collectives) {
    left.push_back(std::max<Volume>(1, outlook.left(id)));
    Volume& of_turn = most[scenario_.traffic.collectives[id].turn];
    of_turn = std::max(of_turn, left.back());
  }
  std::vector<std::uint32_t> factors;
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const Volume of_turn = most[scenario_.traffic.collectives[collectives[i]].turn];
    factors.push_back(static_cast<std::uint32_t>((left[i] * kShares + of_turn - 1) / of_turn));
  }
  return factors;
}

// kNone where the controller has not placed a flow, or its path is gone. Where ECMP placed it, it is as good as not
// placed, unless moves count and to place it elsewhere is one.
Routing Controller::present_routing(const RoutedSet& set, const Outlook& outlook) const {
  Routing routing(set.flows.size(), kNone);
  for (FlowId i = 0; i < routing.size(); ++i) {
    const FlowId flow = set.flows[i];
    if (!placed_[flow] && !(counts_moves() && outlook.under_way(flow))) continue;
    const PathIndex path = set.problem->find_path(i, routes_[flow]);
    if (path != kNone && set.problem->is_alive(i, path)) routing[i] = path;
  }
  return routing;
}

Solution Controller::choose(const RoutedSet& set, const Outlook& outlook) const {
  const auto evaluator = make_evaluator(set.problem, options_.backend);
  SolveOptions options;
  options.solver = solver_;
  options.ecmp_hash = options_.ecmp_hash;
  options.seed = options_.seed;
  options.tie_order = options_.tie_order;
  options.rounds = options_.rounds;
  options.time_limit_us = options_.time_limit_us;
  options.stop = options_.stop;
  if (solver_ != Solver::weave) return solve(*evaluator, options);
  const Routing present = present_routing(set, outlook);
  return weave(*evaluator, options, present, MovePrices(set, outlook, present, options_.move_cost_ns));
}

// From the present routes, which moves few flows. Where that is not proved to be the best there is, from nothing
// as well, unless moves are bounded; another routing must be worth its moves.
Solution Controller::weave(Evaluator& evaluator, const SolveOptions& options, const Routing& present,
                           const MovePrices& prices) const {
  const bool starts = std::ranges::all_of(present, [](PathIndex path) { return path == kNone; });
  if (starts) return solve(evaluator, options);
  const std::uint32_t all = evaluator.problem().num_flows();
  SolveOptions warm = options;
  warm.warm_start = &present;
  warm.max_moved = prices.moves_cost() ? 0 : options_.max_moves.value_or(all);
  Solution kept = solve(evaluator, warm);
  if (kept.certificate.vector_proved) return kept;
  const std::uint32_t moved = kept.moved - kept.placed;
  kept =
      improve(evaluator, prices, std::move(kept), options_.max_moves ? *options_.max_moves - moved : all, options.stop);
  if (options_.max_moves || kept.certificate.vector_proved) return kept;
  Solution fresh = solve(evaluator, options);
  return prices.is_worth_it(fresh, kept) ? fresh : kept;
}

}  // namespace spineweave
