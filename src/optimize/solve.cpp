#include <chrono>

#include "optimize/annealing.hpp"
#include "optimize/cut_prices.hpp"
#include "optimize/exact.hpp"
#include "optimize/solvers.hpp"
#include "optimize/weave.hpp"
#include "spineweave/error.hpp"
#include "util/clock.hpp"

namespace spineweave {
namespace {

constexpr std::string_view kSolverNames[] = {"ecmp", "greedy", "coloring", "annealing", "exact", "weave"};

using util::Clock;

Solution solution_of(RatedRouting rated) {
  Solution solution;
  solution.routing = std::move(rated.routing);
  solution.score = std::move(rated.score);
  solution.job_bottlenecks = std::move(rated.job_bottlenecks);
  return solution;
}

std::uint32_t jobs_in_even_share(const Problem& problem, const Solution& solution) {
  std::uint32_t jobs = 0;
  for (JobId job = 0; job < problem.num_jobs(); ++job)
    if (problem.normalise(job, solution.job_bottlenecks[job]) <= solution.bounds.even_share[job]) ++jobs;
  return jobs;
}

RatedRouting complete_alone(Evaluator& evaluator, Routing routing) {
  return complete(*evaluator.make_state(), std::move(routing), evaluator.problem().num_jobs());
}

Outcome route(Evaluator& evaluator, const SolveOptions& options, const std::function<bool()>& stop) {
  const Problem& problem = evaluator.problem();
  const auto outcome_of = [&](Routing routing) {
    return Outcome{complete_alone(evaluator, std::move(routing)), compute_bounds(problem)};
  };
  switch (options.solver) {
    case Solver::ecmp:
      return outcome_of(route_ecmp(LivePaths(problem), options.ecmp_hash, options.seed));
    case Solver::greedy:
      return outcome_of(route_greedy(problem, options.tie_order));
    case Solver::coloring:
      return outcome_of(route_coloring(problem));
    case Solver::annealing: {
      auto [routing, truncated] = anneal(evaluator, options, stop);
      Outcome outcome = outcome_of(std::move(routing));
      outcome.truncated = truncated;
      return outcome;
    }
    case Solver::exact:
      return solve_exactly(evaluator, stop);
    case Solver::weave:
      return weave(evaluator, options, stop);
  }
  throw Error(ErrorCode::internal, "a solver without a case");
}

}  // namespace

RatedRouting rate(SearchState& state, Routing routing, std::uint32_t num_jobs) {
  RatedRouting rated;
  rated.job_bottlenecks.resize(num_jobs);
  rated.score = state.score(rated.job_bottlenecks);
  rated.routing = std::move(routing);
  return rated;
}

RatedRouting complete(SearchState& state, Routing routing, std::uint32_t num_jobs) {
  state.assign(routing);
  place_missing(state, routing);
  return rate(state, std::move(routing), num_jobs);
}

std::string_view name_of(Solver solver) { return kSolverNames[static_cast<std::size_t>(solver)]; }

std::optional<Solver> solver_of(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kSolverNames); ++i)
    if (kSolverNames[i] == name) return static_cast<Solver>(i);
  return std::nullopt;
}

Solution solve(Evaluator& evaluator, const SolveOptions& options) {
  const auto begin = Clock::now();
  const Problem& problem = evaluator.problem();
  const auto deadline = begin + std::chrono::microseconds(options.time_limit_us);
  const std::function<bool()> stop = [&options, deadline] {
    return (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) ||
           (options.time_limit_us > 0 && Clock::now() >= deadline);
  };
  auto [best, bounds, truncated] = route(evaluator, options, stop);
  Solution solution = solution_of(std::move(best));
  solution.certificate = certify(solution.score, bounds);
  // A repair has to be quick; the bounds that prices add say nothing about the few flows it moves.
  if (options.solver == Solver::weave && options.warm_start == nullptr && !truncated &&
      !solution.certificate.vector_proved) {
    raise_by_prices(problem, solution.score.normalised, bounds);
    solution.certificate = certify(solution.score, bounds);
  }
  solution.solve_us = util::microseconds_since(begin);
  solution.digest = result_digest(problem, solution.routing, solution.score);
  solution.bounds = std::move(bounds);
  solution.certificate.jobs_in_even_share = jobs_in_even_share(problem, solution);
  solution.truncated = truncated;
  solution.warm = options.warm_start != nullptr;
  for (FlowId f = 0; solution.warm && f < problem.num_flows(); ++f) {
    const PathIndex before = (*options.warm_start)[f];
    if (before != solution.routing[f]) ++solution.moved;
    if (before == kNone) ++solution.placed;
  }
  return solution;
}

Solution rate_routing(Evaluator& evaluator, Routing routing) {
  check_routing(evaluator.problem(), routing);
  Solution solution = solution_of(complete_alone(evaluator, std::move(routing)));
  solution.digest = result_digest(evaluator.problem(), solution.routing, solution.score);
  solution.bounds = compute_bounds(evaluator.problem());
  solution.certificate = certify(solution.score, solution.bounds);
  solution.certificate.jobs_in_even_share = jobs_in_even_share(evaluator.problem(), solution);
  return solution;
}

}  // namespace spineweave
