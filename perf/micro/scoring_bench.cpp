// The best of all candidates of every flow, for each instruction set of this machine.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "evaluate/instruction_set.hpp"
#include "perf/micro/micro.hpp"

namespace spineweave::perf {
namespace {

// `cells`: of a candidate, without the access links.
void score(benchmark::State& state, const std::shared_ptr<const Problem>& problem, const Routing& routing,
           const char* instruction_set, std::uint64_t cells) {
  setenv("SPINEWEAVE_CPU", instruction_set, 1);
  const auto search = make_evaluator(problem, "cpu")->make_state();
  unsetenv("SPINEWEAVE_CPU");
  search->assign(routing);
  const std::vector<FlowId> flows = all_flows(*problem);
  const auto begin = std::chrono::steady_clock::now();
  for (auto _ : state) {
    search->begin_best_moves(flows);
    benchmark::DoNotOptimize(search->finish_best_moves().data());
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  const std::uint64_t bytes = problem->num_candidates() * cells * sizeof(std::uint32_t);
  count(state, problem->num_candidates(), bytes);
  compare_with_caches(state, static_cast<double>(bytes) * static_cast<double>(state.iterations()) / elapsed.count(),
                      std::uint64_t{problem->num_cells()} * sizeof(std::uint32_t));
}

struct ScoringCase {
  const char* name;
  std::shared_ptr<const Problem> (*problem)();
  std::uint64_t cells;
  bool placed = true;
};

// Unplaced flows have no path whose congestion could rule out a row of cores: nothing is skipped.
constexpr ScoringCase kCases[] = {
    {"two_tiers", paper_problem, 2},
    {"two_tiers_unplaced", paper_problem, 2, false},
    {"two_tiers_shared_access",
     [] {
       return problem_of("leaf-spine:leaves=64,spines=32,hosts=32,gbps=100",
                         "all-to-all:jobs=16,size=8,placement=random,seed=1");
     },
     2},
    {"two_tiers_mixed_scales",
     [] {
       return problem_of("leaf-spine:leaves=64,spines=32,hosts=32,gbps=100,uplink_gbps=70",
                         "rings:jobs=100,size=8,placement=random,seed=1");
     },
     2},
    {"two_tiers_trunked",
     [] {
       return problem_of("leaf-spine:leaves=64,spines=32,hosts=32,gbps=100,trunk=2", "paper:jobs=5,ring=4,seed=1");
     },
     2},
    {"three_tiers", fat_tree_problem, 4},
    {"three_tiers_unplaced", fat_tree_problem, 4, false},
    {"explicit_lists", [] { return problem_of("irregular", "permutation:seed=1", "random:5%,seed=1"); }, 2},
};

const bool registered = [] {
  for (const ScoringCase& each : kCases) {
    for (const InstructionSet& set : instruction_sets()) {
      if (!set.runs_here()) continue;
      const auto run = [&each, name = set.kernels->name](benchmark::State& state) {
        const auto problem = each.problem();
        const Routing routing = each.placed ? uneven_routing(problem) : Routing(problem->num_flows(), kNone);
        score(state, problem, routing, name, each.cells);
      };
      benchmark::RegisterBenchmark(fmt::format("score/{}/{}", each.name, set.kernels->name).c_str(), run)
          ->Unit(benchmark::kMicrosecond);
    }
  }
  return true;
}();

}  // namespace
}  // namespace spineweave::perf
