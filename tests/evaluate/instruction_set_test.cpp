// Every instruction set that this machine has gives the moves of the slow reference.
#include "evaluate/instruction_set.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "reference/reference_evaluator.hpp"
#include "spineweave/error.hpp"
#include "spineweave/evaluator.hpp"
#include "spineweave/optimize.hpp"
#include "support/forced_cpu.hpp"
#include "support/program.hpp"
#include "support/random_instances.hpp"
#include "support/search_states.hpp"

namespace spineweave::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

const Capabilities& cpu_in(const std::vector<Capabilities>& backends) {
  return *std::find_if(backends.begin(), backends.end(), [](const Capabilities& each) { return each.name == "cpu"; });
}

// Tests of one forced instruction set; skipped, with the reason, where it cannot be had.
class ForcedInstructionSet : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (const KernelChoice choice = choose_kernels(); choice.kernels == nullptr) GTEST_SKIP() << choice.why_not;
  }

  ForcedCpu forced_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Each, ForcedInstructionSet, testing::Values("scalar", "sse42", "avx2", "avx512"),
                         [](const auto& set) { return std::string(set.param); });

// Some flows without a path yet, as a warm start has them.
Routing routing_with_gaps(const Problem& problem, Random& random) {
  Routing routing = random_routing(problem, random);
  for (PathIndex& path : routing)
    if (random.one_in(8)) path = kNone;
  return routing;
}

void expect_reference_moves(const Problem& problem, SearchState& state, const Routing& routing) {
  state.begin_best_moves(all_flows(problem));
  for (const BestMove& move : state.finish_best_moves()) {
    const BestMove expected = reference_best_move(problem, routing, move.flow);
    ASSERT_EQ(move.to, expected.to) << "flow " << move.flow;
    ASSERT_EQ(move.congestion, expected.congestion) << "flow " << move.flow;
    ASSERT_EQ(move.pressure_change, expected.pressure_change) << "flow " << move.flow;
  }
}

// Where all flows have a path, and where some have none.
void expect_reference_moves(const std::shared_ptr<const Problem>& problem, std::uint64_t seed) {
  Random random(seed);
  const auto state = make_evaluator(problem, "cpu")->make_state();
  for (const Routing& routing : {random_routing(*problem, random), routing_with_gaps(*problem, random)}) {
    state->assign(routing);
    expect_reference_moves(*problem, *state, routing);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST_P(ForcedInstructionSet, IsTheOneThatRuns) {
  EXPECT_STREQ(choose_kernels().kernels->name, GetParam());
  const Instance instance = random_instance(Shape::leaf_spine, 1);
  EXPECT_THAT(make_evaluator(instance.problem, "cpu")->capabilities().device,
              EndsWith(fmt::format(", {}", GetParam())));
  EXPECT_THAT(cpu_in(list_backends()).device, EndsWith(fmt::format(", {}", GetParam())));
}

TEST_P(ForcedInstructionSet, FindsTheReferencesMovesOnEveryShape) {
  for (const Shape shape : all_shapes()) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const Instance instance = random_instance(shape, 900 + seed);
      SCOPED_TRACE(instance.name);
      expect_reference_moves(instance.problem, seed + 2000);
      if (HasFatalFailure()) return;
    }
  }
}

// What a width of rows is tried with.
struct RowCase {
  const char* down = "";  // faults
  std::uint32_t lowest_weight = 1, highest_weight = 2;
  std::uint32_t phases = 1;
};

std::shared_ptr<const Problem> problem_with_rows(const std::string& spec, const RowCase& row_case,
                                                 const char* jobs = "rings:size=3,placement=random,seed=4") {
  Fabric intact = build_fabric(spec);
  const auto shared =
      std::make_shared<const Fabric>(*row_case.down == '\0' ? std::move(intact) : with_faults(intact, row_case.down));
  Workload workload = build_workload(*shared, jobs);
  for (std::uint32_t phase = 0; row_case.phases > 1 && phase < row_case.phases; ++phase)
    workload.phases.push_back({fmt::format("phase{}", phase), 1000 + phase});
  for (std::size_t job = 0; job < workload.jobs.size() && row_case.phases > 1; ++job)
    workload.jobs[job].phase_mask = 1U + job % ((1U << row_case.phases) - 1);
  ProblemOptions options;
  options.weights = WeightMode::hash;
  options.hash_lowest = row_case.lowest_weight, options.hash_highest = row_case.highest_weight;
  return std::make_shared<const Problem>(shared, std::make_shared<const Workload>(std::move(workload)), options);
}

constexpr RowCase kRowCases[] = {{},
                                 {.down = "random:20%,seed=3"},
                                 {.lowest_weight = 32767, .highest_weight = 65535},
                                 {.down = "random:10%,seed=5", .phases = 3}};
constexpr RowCase kCoreCases[] = {{},
                                  {.down = "random:4%,seed=3"},
                                  {.lowest_weight = 32767, .highest_weight = 65535},
                                  {.down = "random:3%,seed=5", .phases = 3}};

TEST_P(ForcedInstructionSet, FindsTheReferencesMovesInRowsOfEveryWidth) {
  for (const std::uint32_t spines : {1U, 2U, 15U, 16U, 17U, 31U, 32U, 33U, 63U, 64U, 65U, 257U, 1023U}) {
    for (const RowCase& row_case : kRowCases) {
      if (spines < 15 && *row_case.down != '\0') continue;  // would cut leaves off
      SCOPED_TRACE(
          fmt::format("{} spines, faults '{}', weights from {}", spines, row_case.down, row_case.lowest_weight));
      const auto problem =
          problem_with_rows(fmt::format("leaf-spine:leaves=3,spines={},hosts=3,gbps=100", spines), row_case);
      expect_reference_moves(problem, spines);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(ForcedInstructionSet, FindsTheReferencesMovesInRowsOfCores) {
  for (const std::uint32_t k : {2U, 4U, 6U, 8U}) {
    for (const RowCase& row_case : kCoreCases) {
      if (k < 8 && *row_case.down != '\0') continue;
      SCOPED_TRACE(fmt::format("k={}, faults '{}', weights from {}", k, row_case.down, row_case.lowest_weight));
      const auto problem = problem_with_rows(fmt::format("fat-tree:k={},gbps=100", k), row_case, "permutation:seed=3");
      expect_reference_moves(problem, k);
      if (HasFatalFailure()) return;
    }
  }
}

// More flows than are scored at a time, with others between them that turn lower or higher; endpoints of
// one flow, and of several that fill the access links.
TEST_P(ForcedInstructionSet, FindsTheReferencesMovesAmongFlowsOfSeveralKinds) {
  for (const char* const fabric : {"leaf-spine:leaves=4,spines=16,hosts=32,gbps=100", "fat-tree:k=8,gbps=100",
                                   "leaf-spine:leaves=12,spines=33,hosts=16,gbps=100"}) {
    for (const char* const jobs : {"permutation:seed=3", "rings:size=5,placement=random,seed=6",
                                   "all-to-all:jobs=4,size=8,placement=random,seed=2"}) {
      for (const char* const down : {"", "random:4%,seed=5"}) {
        SCOPED_TRACE(fmt::format("{} {} '{}'", fabric, jobs, down));
        RowCase row_case;
        row_case.down = down;
        expect_reference_moves(problem_with_rows(fabric, row_case, jobs), 7);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Loads of access links are not looked at where all flows have a path.
TEST_P(ForcedInstructionSet, FindsTheReferencesMovesWhileFlowsComeAndGo) {
  const auto problem = problem_with_rows("leaf-spine:leaves=4,spines=16,hosts=8,gbps=100", {},
                                         "all-to-all:jobs=4,size=8,placement=random,seed=2");
  Random random(3);
  Routing routing = random_routing(*problem, random);
  const auto state = make_evaluator(problem, "cpu")->make_state();
  state->assign(routing);
  for (const PathIndex to : {kNone, PathIndex{0}, kNone, routing[5]}) {
    state->apply(std::vector<Move>{{5, routing[5], to}});
    routing[5] = to;
    expect_reference_moves(*problem, *state, routing);
    if (HasFatalFailure()) return;
  }
}

// The flow's own slot is the first or the last, and all candidates tie.
TEST_P(ForcedInstructionSet, LeavesFlowsWhereTheyAreWhenNothingIsBetter) {
  for (const std::uint32_t spines : {16U, 31U, 33U}) {
    const auto problem = problem_with_rows(fmt::format("leaf-spine:leaves=2,spines={},hosts=1,gbps=100", spines), {},
                                           "permutation:seed=1");
    for (const PathIndex own : {0U, spines - 1}) {
      const Routing routing(problem->num_flows(), own);
      const auto state = make_evaluator(problem, "cpu")->make_state();
      state->assign(routing);
      state->begin_best_moves(all_flows(*problem));
      for (const BestMove& move : state->finish_best_moves()) EXPECT_EQ(move.to, own);
    }
  }
}

TEST_P(ForcedInstructionSet, SolvesToTheDigestOfScalarCode) {
  for (const auto& [fabric, jobs, down] :
       {std::tuple{"leaf-spine:leaves=8,spines=6,hosts=8,gbps=100", "rings:jobs=16,size=4,placement=random,seed=2", ""},
        {"leaf-spine:leaves=8,spines=6,hosts=8,gbps=100", "all-to-all:jobs=4,size=8,placement=random,seed=2",
         "random:10%,seed=1"},
        {"fat-tree:k=8,gbps=100", "permutation:seed=2", "random:5%,seed=2"},
        {"leaf-spine:leaves=4,spines=4,hosts=8,gbps=100,ports=2", "rings:jobs=2,size=8,placement=random,seed=3", ""}}) {
    SCOPED_TRACE(fmt::format("{} {} {}", fabric, jobs, down));
    RowCase row_case;
    row_case.down = down, row_case.highest_weight = 9;
    const auto problem = problem_with_rows(fabric, row_case, jobs);
    SolveOptions options;
    options.rounds = 1;
    const std::uint64_t digest = solve(*make_evaluator(problem, "cpu"), options).digest;
    const ForcedCpu scalar("scalar");
    EXPECT_EQ(digest, solve(*make_evaluator(problem, "cpu"), options).digest);
  }
}

TEST_P(ForcedInstructionSet, RaisesRowsUpToTheLargestCongestion) {
  Random random(31);
  for (const std::uint32_t cells : {0U, 16U, 32U, 1024U}) {
    std::vector<std::uint32_t> up(cells), down(cells), up_scales(cells), down_scales(cells), worst(cells);
    const std::uint32_t weight = 65535;
    std::vector<std::uint32_t> expected(cells);
    std::uint32_t least = 0xffffffffU;
    for (std::uint32_t i = 0; i < cells; ++i) {
      worst[i] = random.below(kDeadCongestion);
      up_scales[i] = random.one_in(4) ? 0 : random.below(32767);
      down_scales[i] = random.below(2);
      up[i] = up_scales[i] == 0 ? kDeadCongestion : kDeadCongestion - 1 - weight * up_scales[i];
      down[i] = down_scales[i] == 0 ? kDeadCongestion : random.below(kDeadCongestion - weight);
      expected[i] = std::max({worst[i], up[i] + weight * up_scales[i], down[i] + weight * down_scales[i]});
      least = std::min(least, expected[i]);
    }
    const RowPair pair{up.data(), down.data(), up_scales.data(), down_scales.data(), weight, cells};
    EXPECT_EQ(choose_kernels().kernels->raise_row(pair, worst.data()), least);
    EXPECT_EQ(worst, expected);
  }
}

TEST_P(ForcedInstructionSet, SumsTheSquaresOfLiveCellsAlone) {
  Random random(41);
  for (const std::uint32_t count : {0U, 1U, 2U, 31U, 32U, 33U, 1023U}) {
    std::vector<std::uint32_t> cells(count);
    std::uint64_t squares = 0;
    std::uint32_t most = 0;
    for (std::uint32_t& cell : cells) {
      cell = random.one_in(3) ? kDeadCongestion : random.below(kDeadCongestion >> random.below(31));
      if (cell == kDeadCongestion) continue;
      squares += std::uint64_t{cell} * cell;  // may wrap, like the kernel
      most = std::max(most, cell);
    }
    const RowSum sum = choose_kernels().kernels->sum_squares(cells.data(), count);
    EXPECT_EQ(sum.squares, squares);
    EXPECT_EQ(sum.most, most);
  }
}

TEST(InstructionSets, TheFirstThatRunsHereIsTaken) {
  const ForcedCpu free(nullptr);
  const auto sets = instruction_sets();
  const auto first = std::find_if(sets.begin(), sets.end(), [](const InstructionSet& set) { return set.runs_here(); });
  EXPECT_EQ(choose_kernels().kernels, first->kernels);
}

TEST(InstructionSets, OneThatCannotBeHadMakesTheBackendUnavailable) {
  const ForcedCpu forced("avx3");
  EXPECT_FALSE(cpu_in(list_backends()).usable);
  const Instance instance = random_instance(Shape::leaf_spine, 1);
  try {
    (void)make_evaluator(instance.problem, "cpu");
    ADD_FAILURE() << "avx3 was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::backend_unavailable);
    EXPECT_THAT(error.what(), HasSubstr("SPINEWEAVE_CPU='avx3': expected scalar, sse42, avx2, avx512"));
  }
}

TEST(InstructionSets, TheProgramSaysWhichOneRunsAndRefusesOneItDoesNotKnow) {
  const ScratchFolder folder;
  {
    const ForcedCpu forced("scalar");
    EXPECT_THAT(folder.run({"backends"}).out, HasSubstr(", scalar"));
  }
  const ForcedCpu forced("avx3");
  EXPECT_THAT(folder.run({"backends"}).out, HasSubstr("did you mean avx2?"));
  const Outcome outcome = folder.run({"optimize", "--fabric", "leaf-spine:leaves=2,spines=2,hosts=2,gbps=100", "--jobs",
                                      "permutation:seed=1", "--backend", "cpu"});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.err, HasSubstr("backend cpu cannot run here: SPINEWEAVE_CPU='avx3'"));
}

}  // namespace
}  // namespace spineweave::test
