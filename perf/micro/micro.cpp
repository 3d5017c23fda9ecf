#include "perf/micro/micro.hpp"

#include <map>
#include <numeric>
#include <tuple>

#include "perf/irregular_fabric.hpp"
#include "spineweave/optimize.hpp"
#include "spineweave/threads.hpp"

namespace spineweave::perf {

std::shared_ptr<const Problem> problem_of(const std::string& fabric, const std::string& jobs, const std::string& faults,
                                          const char* weights) {
  static std::map<std::tuple<std::string, std::string, std::string, std::string>, std::shared_ptr<const Problem>> made;
  auto& problem = made[{fabric, jobs, faults, weights}];
  if (problem == nullptr) {
    Fabric intact = fabric == "irregular" ? irregular_fabric() : build_fabric(fabric);
    const auto shared =
        std::make_shared<const Fabric>(faults.empty() ? std::move(intact) : with_faults(intact, faults));
    ProblemOptions options;
    parse_weights(weights, options);
    problem = std::make_shared<const Problem>(shared, std::make_shared<const Workload>(build_workload(*shared, jobs)),
                                              options);
  }
  return problem;
}

std::shared_ptr<const Problem> paper_problem() {
  return problem_of("leaf-spine:leaves=64,spines=32,hosts=32,gbps=100", "paper:jobs=5,ring=4,seed=1");
}

std::shared_ptr<const Problem> fat_tree_problem() { return problem_of("fat-tree:k=64,gbps=400", "permutation:seed=1"); }

Routing uneven_routing(const std::shared_ptr<const Problem>& problem) {
  SolveOptions options;
  options.solver = Solver::ecmp;
  return solve(*make_evaluator(problem, "cpu"), options).routing;
}

std::vector<FlowId> all_flows(const Problem& problem) {
  std::vector<FlowId> flows(problem.num_flows());
  std::iota(flows.begin(), flows.end(), 0U);
  return flows;
}

void count(benchmark::State& state, std::uint64_t items, std::uint64_t bytes) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items));
  if (bytes > 0) state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

void compare_with_caches(benchmark::State& state, double bytes_per_second, std::uint64_t working_set) {
  const bool fits_l1 = working_set <= 2 * kL1Bytes;
  state.counters[fits_l1 ? "of_l1" : "of_l2"] = bytes_per_second / read_rate(fits_l1 ? kL1Bytes : kL2Bytes);
}

}  // namespace spineweave::perf

int main(int argc, char** argv) {
  const spineweave::ThreadScope one_core(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
