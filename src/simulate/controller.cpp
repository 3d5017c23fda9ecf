#include "simulate/controller.hpp"

#include <algorithm>
#include <chrono>

namespace spineweave {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

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
                                              const std::function<bool(FlowId)>& under_way,
                                              RecomputationRecord& record) {
  const auto begin = Clock::now();
  const RoutedSet set = build_routed_set(stage.state.fabric, *scenario_.workload, scenario_.traffic, collectives,
                                         scenario_.problem_options);
  record.build_us = microseconds_since(begin);
  const Solution solution = choose(set, under_way);
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
  record.proved = solution.certificate.vector_proved;
  record.run_us = microseconds_since(begin);
  return rerouted_;
}

// kNone where the controller has not placed a flow, or its path is gone. Where ECMP placed it, it is as good as not
// placed, unless moves are bounded and to place it elsewhere is one.
Routing Controller::present_routing(const RoutedSet& set, const std::function<bool(FlowId)>& under_way) const {
  Routing routing(set.flows.size(), kNone);
  for (FlowId i = 0; i < routing.size(); ++i) {
    const FlowId flow = set.flows[i];
    if (!placed_[flow] && !(options_.max_moves && under_way(flow))) continue;
    const PathIndex path = set.problem->find_path(i, routes_[flow]);
    if (path != kNone && set.problem->is_alive(i, path)) routing[i] = path;
  }
  return routing;
}

Solution Controller::choose(const RoutedSet& set, const std::function<bool(FlowId)>& under_way) const {
  const auto evaluator = make_evaluator(set.problem, options_.backend);
  SolveOptions options;
  options.solver = solver_;
  options.ecmp_hash = options_.ecmp_hash;
  options.seed = options_.seed;
  options.rounds = options_.rounds;
  options.stop = options_.stop;
  if (solver_ != Solver::weave) return solve(*evaluator, options);
  return weave(*evaluator, options, present_routing(set, under_way));
}

// From the present routes, which moves few flows; where that is not proved to be the best there is, from
// nothing as well, unless moves are bounded.
Solution Controller::weave(Evaluator& evaluator, const SolveOptions& options, const Routing& present) const {
  const bool starts = std::ranges::all_of(present, [](PathIndex path) { return path == kNone; });
  if (starts) return solve(evaluator, options);
  SolveOptions warm = options;
  warm.warm_start = &present;
  warm.max_moved = options_.max_moves.value_or(evaluator.problem().num_flows());
  Solution kept = solve(evaluator, warm);
  if (options_.max_moves || kept.certificate.vector_proved) return kept;
  Solution fresh = solve(evaluator, options);
  return fresh.score < kept.score ? fresh : kept;
}

}  // namespace spineweave
