// Reading the project's own files from memory. Items are links, jobs and routes.
#include "perf/micro/micro.hpp"
#include "spineweave/io.hpp"

namespace spineweave::perf {
namespace {

void read_fabric_json(benchmark::State& state) {
  const Fabric& fabric = paper_problem()->fabric();
  const std::string text = write_fabric_json(fabric);
  for (auto _ : state) benchmark::DoNotOptimize(parse_fabric(text, "fabric.json"));
  count(state, fabric.num_links(), text.size());
}
BENCHMARK(read_fabric_json)->Unit(benchmark::kMillisecond);

void read_jobs_json(benchmark::State& state) {
  const auto problem = paper_problem();
  const std::string text = write_workload_json(problem->fabric(), problem->workload());
  for (auto _ : state) benchmark::DoNotOptimize(parse_workload(problem->fabric(), text, "jobs.json"));
  count(state, problem->num_jobs(), text.size());
}
BENCHMARK(read_jobs_json)->Unit(benchmark::kMicrosecond);

void read_routing_json(benchmark::State& state) {
  const auto problem = paper_problem();
  const std::string text = write_routing_json(name_routes(*problem, uneven_routing(problem)));
  for (auto _ : state) benchmark::DoNotOptimize(parse_routing(text, "routing.json"));
  count(state, problem->num_flows(), text.size());
}
BENCHMARK(read_routing_json)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace spineweave::perf
