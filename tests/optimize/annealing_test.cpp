#include "optimize/annealing.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "support/spec_problems.hpp"

namespace spineweave::test {
namespace {

SolveOptions annealing(std::uint32_t rounds = kNone) {
  SolveOptions options = with_rounds(rounds);
  options.solver = Solver::annealing;
  return options;
}

Solution ecmp(Evaluator& evaluator) {
  SolveOptions options;
  options.solver = Solver::ecmp;
  return solve(evaluator, options);
}

TEST(Annealing, FindsTheOptimumOfASmallFabric) {
  const auto evaluator = make_evaluator(
      make_problem("leaf-spine:leaves=8,spines=7,hosts=8,gbps=100", "rings:jobs=4,size=16,placement=random,seed=3"));
  const Solution solution = solve(*evaluator, annealing());
  EXPECT_TRUE(solution.certificate.max_proved);
  EXPECT_LT(solution.score, ecmp(*evaluator).score);
}

TEST(Annealing, IsNeverWorseThanWhereItStarted) {
  const auto evaluator =
      make_evaluator(make_problem("leaf-spine:leaves=8,spines=8,hosts=8,gbps=100",
                                  "rings:jobs=4,size=16,placement=random,seed=3", "random:20%,seed=1"));
  const Score start = ecmp(*evaluator).score;
  EXPECT_EQ(solve(*evaluator, annealing(0)).score, start);
  for (const std::uint32_t rounds : {1U, 2U, 5U}) EXPECT_LE(solve(*evaluator, annealing(rounds)).score, start);
}

TEST(Annealing, EndsWithWhatItHasWhereItIsStopped) {
  const auto problem = make_problem("leaf-spine:leaves=8,spines=8,hosts=8,gbps=100", "permutation:seed=1");
  const auto evaluator = make_evaluator(problem);
  const std::atomic<bool> stop = true;
  SolveOptions options = annealing();
  options.stop = &stop;
  const Solution solution = solve(*evaluator, options);
  EXPECT_TRUE(solution.truncated);
  EXPECT_EQ(solution.score, ecmp(*evaluator).score);
}

}  // namespace
}  // namespace spineweave::test
