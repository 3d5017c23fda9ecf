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

TEST_F(Differential, RunningOutOfMemoryHasItsOwnErrorAndLeavesTheProcessUsable) {
  const auto problem = problem_with_flows(33, false);
  if (!limit_device_memory(4096)) GTEST_SKIP() << "only a stand-in can pretend to be small";
  try {
    (void)make_evaluator(problem, "cuda")->make_state();
    ADD_FAILURE() << "4096 bytes were enough";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory) << error.what();
    EXPECT_NE(std::string(error.what()).find("backend cpu"), std::string::npos) << error.what();
  }
  lift_device_memory_limit();
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
