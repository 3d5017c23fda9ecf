// What a search state does beside scoring candidates. Items are flows.
#include "perf/micro/micro.hpp"

namespace spineweave::perf {
namespace {

void assign(benchmark::State& state, std::shared_ptr<const Problem> (*make_problem)()) {
  const auto problem = make_problem();
  const auto search = make_evaluator(problem, "cpu")->make_state();
  const Routing routing = uneven_routing(problem);
  for (auto _ : state) search->assign(routing);
  count(state, problem->num_flows());
}
BENCHMARK_CAPTURE(assign, paper, paper_problem)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(assign, fat_tree, fat_tree_problem)->Unit(benchmark::kMicrosecond);

// A state remembers the score of loads that have not changed, so each is of new loads.
void assign_and_score(benchmark::State& state, std::shared_ptr<const Problem> (*make_problem)()) {
  const auto problem = make_problem();
  const auto search = make_evaluator(problem, "cpu")->make_state();
  const Routing routing = uneven_routing(problem);
  for (auto _ : state) {
    search->assign(routing);
    benchmark::DoNotOptimize(search->score());
  }
  count(state, problem->num_flows());
}
BENCHMARK_CAPTURE(assign_and_score, paper, paper_problem)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(assign_and_score, fat_tree, fat_tree_problem)->Unit(benchmark::kMicrosecond);

// From one routing each time; giving it to the state is part of the time.
void assign_and_round(benchmark::State& state, std::shared_ptr<const Problem> (*make_problem)()) {
  const auto problem = make_problem();
  const auto search = make_evaluator(problem, "cpu")->make_state();
  const Routing routing = uneven_routing(problem);
  const std::vector<FlowId> flows = all_flows(*problem);
  for (auto _ : state) {
    search->assign(routing);
    search->begin_round({flows, kNone});
    benchmark::DoNotOptimize(search->finish_round());
  }
  count(state, problem->num_flows());
}
BENCHMARK_CAPTURE(assign_and_round, paper, paper_problem)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(assign_and_round, fat_tree, fat_tree_problem)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace spineweave::perf
