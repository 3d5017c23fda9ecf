// Building problems: candidate sets, weights and precision.
#include "perf/micro/micro.hpp"

namespace spineweave::perf {
namespace {

void build_problem(benchmark::State& state, const std::shared_ptr<const Problem>& problem) {
  const auto fabric = std::make_shared<const Fabric>(problem->fabric());
  const auto workload = std::make_shared<const Workload>(problem->workload());
  for (auto _ : state) benchmark::DoNotOptimize(std::make_unique<Problem>(fabric, workload));
  count(state, problem->num_candidates());
}

void build_two_tiers(benchmark::State& state) { build_problem(state, paper_problem()); }
void build_three_tiers(benchmark::State& state) { build_problem(state, fat_tree_problem()); }
void build_explicit_lists(benchmark::State& state) {
  build_problem(state, problem_of("irregular", "permutation:seed=1", "random:5%,seed=1"));
}
BENCHMARK(build_two_tiers)->Unit(benchmark::kMicrosecond);
BENCHMARK(build_three_tiers)->Unit(benchmark::kMillisecond);
BENCHMARK(build_explicit_lists)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace spineweave::perf
