#include "optimize/exact.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/reference_evaluator.hpp"
#include "spineweave/error.hpp"
#include "support/all_routings.hpp"
#include "support/random_instances.hpp"
#include "support/spec_problems.hpp"

namespace spineweave::test {
namespace {

Solution solve_with(const std::shared_ptr<const Problem>& problem, Solver solver) {
  SolveOptions options;
  options.solver = solver;
  return solve(*make_evaluator(problem), options);
}

TEST(Exact, FindsAndProvesTheLeastWorstJobOfAllRoutings) {
  std::uint32_t compared = 0;
  for (const Shape shape : all_shapes()) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Instance instance = random_instance(shape, test_seed(seed));
      SCOPED_TRACE(instance.name);
      std::uint64_t least = ~std::uint64_t{0};
      const bool few = visit_all_routings(*instance.problem, 1024, [&](const Routing& routing) {
        least = std::min(least, reference_score(*instance.problem, routing).normalised.front());
      });
      if (!few || instance.problem->num_flows() == 0) continue;
      ++compared;
      const Solution solution = solve_with(instance.problem, Solver::exact);
      EXPECT_EQ(solution.score.normalised.front(), least);
      EXPECT_TRUE(solution.certificate.max_proved);
      EXPECT_GE(solution.score.normalised, solution.bounds.vector);
    }
  }
  EXPECT_GE(compared, 10U);
}

TEST(Exact, AgreesWithWeaveWhereWeaveProvesTheWorstJob) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto problem = make_problem("leaf-spine:leaves=6,spines=6,hosts=6,gbps=100",
                                      "rings:jobs=4,size=8,placement=random,seed=" + std::to_string(test_seed(seed)),
                                      "random:15%,seed=" + std::to_string(test_seed(seed)));
    const Solution woven = solve_with(problem, Solver::weave);
    const Solution exact = solve_with(problem, Solver::exact);
    EXPECT_TRUE(exact.certificate.max_proved);
    EXPECT_LE(exact.score.normalised.front(), woven.score.normalised.front());
    if (woven.certificate.max_proved) {
      EXPECT_EQ(exact.score.normalised.front(), woven.score.normalised.front());
    }
  }
}

TEST(Exact, RefusesWhatIsTooLargeForAnIntegerProgram) {
  const auto problem = make_problem("fat-tree:k=32,gbps=400", "permutation:seed=1");
  EXPECT_THROW((void)solve_with(problem, Solver::exact), Error);
}

}  // namespace
}  // namespace spineweave::test
