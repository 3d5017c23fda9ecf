// Jobs played over time under ECMP, where flows collide: one epoch, and the step after it. Items are flows in steps.
#include "perf/micro/micro.hpp"
#include "spineweave/simulate.hpp"

namespace spineweave::perf {
namespace {

void play(benchmark::State& state, const char* fabric, const char* jobs) {
  const auto problem = problem_of(fabric, jobs);
  const auto shared_fabric = std::make_shared<const Fabric>(problem->fabric());
  const auto workload = std::make_shared<const Workload>(problem->workload());
  SimulationOptions options;
  options.epochs = 1;
  options.record_flows = true;
  std::uint64_t played = 0;
  for (auto _ : state) played = simulate(shared_fabric, workload, {}, {Solver::ecmp}, options).front().flows.size();
  count(state, played);
}
// More flows of one job, all alike.
BENCHMARK_CAPTURE(play, flows_1k, "fat-tree:k=16,gbps=400", "permutation:seed=1")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(play, flows_8k, "fat-tree:k=32,gbps=400", "permutation:seed=1")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(play, flows_65k, "fat-tree:k=64,gbps=400", "permutation:seed=1")->Unit(benchmark::kMillisecond);
// More jobs on one fabric, whose steps drift apart.
BENCHMARK_CAPTURE(play, jobs_16, "fat-tree:k=32,gbps=400", "rings:jobs=16,size=8,placement=random,seed=1")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(play, jobs_128, "fat-tree:k=32,gbps=400", "rings:jobs=128,size=8,placement=random,seed=1")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(play, jobs_1024, "fat-tree:k=32,gbps=400", "rings:jobs=1024,size=8,placement=random,seed=1")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace spineweave::perf
