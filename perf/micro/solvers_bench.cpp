// Whole solvers: colouring, and chains of moves where faults leave no easy answer. Items are flows.
#include "perf/micro/micro.hpp"
#include "spineweave/optimize.hpp"

namespace spineweave::perf {
namespace {

void run_solver(benchmark::State& state, const std::shared_ptr<const Problem>& problem, const SolveOptions& options) {
  const auto evaluator = make_evaluator(problem, "cpu");
  for (auto _ : state) benchmark::DoNotOptimize(solve(*evaluator, options));
  count(state, problem->num_flows());
}

void color(benchmark::State& state, std::shared_ptr<const Problem> (*make_problem)()) {
  SolveOptions options;
  options.solver = Solver::coloring;
  run_solver(state, make_problem(), options);
}
BENCHMARK_CAPTURE(color, paper, paper_problem)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(color, fat_tree, fat_tree_problem)->Unit(benchmark::kMillisecond);

void weave_to_the_certificate(benchmark::State& state) { run_solver(state, paper_problem(), {}); }
BENCHMARK(weave_to_the_certificate)->Unit(benchmark::kMicrosecond);

void weave_with_chains(benchmark::State& state) {
  SolveOptions options;
  options.rounds = 1;
  run_solver(state,
             problem_of("leaf-spine:leaves=16,spines=8,hosts=16,gbps=100",
                        "rings:jobs=16,size=8,placement=random,seed=1", "random:10%,seed=1", "hash:1-100"),
             options);
}
BENCHMARK(weave_with_chains)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace spineweave::perf
