// Water-filling: max-min fair rates of all flows. Items are flows.
#include "perf/micro/micro.hpp"
#include "spineweave/assess.hpp"

namespace spineweave::perf {
namespace {

void fill(benchmark::State& state, std::shared_ptr<const Problem> (*make_problem)()) {
  const auto problem = make_problem();
  const Routing routing = uneven_routing(problem);
  for (auto _ : state) benchmark::DoNotOptimize(assess(*problem, routing));
  count(state, problem->num_flows());
}
BENCHMARK_CAPTURE(fill, paper, paper_problem)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(fill, fat_tree, fat_tree_problem)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace spineweave::perf
