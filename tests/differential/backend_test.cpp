// The CUDA backend as a whole: solvers on it, running out, and devices that are not there.
#include <algorithm>

#include "differential/differential.hpp"
#include "spineweave/error.hpp"
#include "spineweave/optimize.hpp"
#include "spineweave/threads.hpp"

namespace spineweave::test {
namespace {

TEST_F(Differential, SolversFindTheSameRoutings) {
  on_random_problems(4, [](const auto& problem, Random&) {
    for (const Solver solver : {Solver::weave, Solver::greedy, Solver::ecmp}) {
      SolveOptions options;
      options.solver = solver;
      options.rounds = 2;
      expect_equal_solutions(problem, options);
    }
  });
}

TEST_F(Differential, SolutionsAreEqualForEveryNumberOfThreads) {
  const auto fabric = std::make_shared<const Fabric>(build_fabric("leaf-spine:leaves=8,spines=4,hosts=8,gbps=100"));
  const auto jobs =
      std::make_shared<const Workload>(build_workload(*fabric, "rings:jobs=8,size=8,placement=random,seed=4"));
  ProblemOptions options;
  options.weights = WeightMode::hash;
  options.hash_lowest = 1, options.hash_highest = 9;
  const auto problem = std::make_shared<const Problem>(fabric, jobs, options);
  for (const std::uint32_t threads : {1U, 2U, 3U, 8U}) {
    const ThreadScope scope(threads);
    SolveOptions solve_options;
    solve_options.rounds = 2;
    expect_equal_solutions(problem, solve_options);
  }
}

// Everything that a state does, and what comes of it.
std::vector<Score> use_state(SearchState& state, const Problem& problem) {
  std::vector<Score> scores;
  state.assign(Routing(problem.num_flows(), 0));
  scores.push_back(state.score());
  const std::vector<FlowId> flows = all_flows(problem);
  state.begin_round({flows, kNone});
  scores.push_back(state.finish_round().score);
  const Move move{0, kNone, 1};
  state.apply({&move, 1});
  scores.push_back(state.score());
  return scores;
}

TEST_F(Differential, RunningOutOfMemoryAnywhereHasItsOwnErrorAndLeavesTheStateUsable) {
  const auto problem = problem_with_flows(200, false);
  const std::vector<Score> expected = use_state(*make_evaluator(problem, "cpu")->make_state(), *problem);
  if (!limit_device_memory(0)) GTEST_SKIP() << "only a stand-in can pretend to be small";
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<SearchState> state;
  std::size_t failures = 0;
  for (std::size_t limit = 0; limit < (1U << 20U); limit += 4096) {
    limit_device_memory(limit);
    try {
      if (evaluator == nullptr) evaluator = make_evaluator(problem, "cuda");
      if (state == nullptr) state = evaluator->make_state();
      const std::vector<Score> scores = use_state(*state, *problem);
      ASSERT_EQ(scores.size(), expected.size());
      for (std::size_t i = 0; i < scores.size(); ++i) expect_equal(scores[i], expected[i]);
      break;
    } catch (const Error& error) {
      ++failures;
      ASSERT_EQ(error.code(), ErrorCode::out_of_memory) << error.what();
      ASSERT_NE(std::string(error.what()).find("backend cpu"), std::string::npos) << error.what();
    }
  }
  lift_device_memory_limit();
  EXPECT_GT(failures, 3U);
  ASSERT_NE(state, nullptr);
  for (const Score& score : use_state(*state, *problem)) EXPECT_FALSE(score.normalised.empty());
  expect_equal_solutions(problem, {});
}

TEST_F(Differential, AFailedLaunchNamesItsPlaceAndLeavesTheProcessUsable) {
  const auto problem = problem_with_flows(33, false);
  const auto state = make_evaluator(problem, "cuda")->make_state();
  if (!fail_next_launch()) GTEST_SKIP() << "only a stand-in fails on demand";
  try {
    state->assign(Routing(problem->num_flows(), 0));
    ADD_FAILURE() << "the launch did not fail";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
    EXPECT_NE(std::string(error.what()).find("accumulate_loads.cu:"), std::string::npos) << error.what();
  }
  expect_equal_solutions(problem, {});
}

TEST_F(Differential, WithoutADeviceTheBackendIsRefusedByNameAndAutoTakesTheCpu) {
  const auto problem = problem_with_flows(2, false);
  EXPECT_EQ(make_evaluator(problem, "auto")->capabilities().name, "cuda");
  if (!hide_devices()) GTEST_SKIP() << "only a stand-in can hide its device";
  EXPECT_EQ(make_evaluator(problem, "auto")->capabilities().name, "cpu");
  try {
    (void)make_evaluator(problem, "cuda");
    ADD_FAILURE() << "there is no device";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::backend_unavailable) << error.what();
    EXPECT_NE(std::string(error.what()).find("no CUDA device"), std::string::npos) << error.what();
  }
  show_devices();
}

}  // namespace
}  // namespace spineweave::test
