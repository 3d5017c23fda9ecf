#include "optimize/cut_prices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "reference/reference_evaluator.hpp"
#include "spineweave/optimize.hpp"
#include "support/all_routings.hpp"
#include "support/random_instances.hpp"
#include "support/spec_problems.hpp"

namespace spineweave::test {
namespace {

// A few transfers that crowd the uplinks of three leaves; jobs have one or two of them.
std::shared_ptr<const Problem> crowded_leaves(std::uint64_t seed) {
  constexpr std::uint32_t kHosts = 4;
  Random random(seed);
  const std::string spec = "leaf-spine:leaves=3,hosts=4,gbps=100,spines=" + std::to_string(random.between(2, 3));
  auto fabric = std::make_shared<Fabric>(build_fabric(spec));
  Workload workload;
  std::uint32_t flows = 0;
  while (flows < 6) {
    Job job;
    job.id = std::to_string(workload.jobs.size());
    for (std::uint32_t left = random.between(1, 2); left > 0; --left, ++flows) {
      const std::uint32_t src = random.below(2 * kHosts);  // the third leaf only receives
      const std::uint32_t dst = (src / kHosts + 1) % 3 * kHosts + random.below(kHosts);
      job.collectives.push_back({CollectiveKind::p2p, 1, 1000, {src, dst}});
    }
    workload.jobs.push_back(std::move(job));
  }
  ProblemOptions options;
  if (random.one_in(2)) parse_weights("hash:1-3", options);
  return std::make_shared<Problem>(fabric, std::make_shared<Workload>(std::move(workload)), options);
}

// Levels from every distinct vector that the routings show, not only from the best: any may be asked for.
TEST(CutPrices, NeverRaiseTheVectorAboveAnyRoutingOfASmallInstance) {
  int raised = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const auto problem = crowded_leaves(test_seed(seed));
    std::set<std::vector<std::uint64_t>> vectors;
    ASSERT_TRUE(visit_all_routings(*problem, 4096, [&](const Routing& routing) {
      vectors.insert(reference_score(*problem, routing).normalised);
    }));
    // As if nothing were known of jobs after the worst: few jobs are counted exactly otherwise.
    Bounds before = compute_bounds(*problem);
    const std::uint64_t worst = before.vector.front();
    before.vector = before.per_job;
    std::ranges::sort(before.vector, std::greater<>());
    before.vector.front() = worst;
    for (const std::vector<std::uint64_t>& levels : vectors) {
      Bounds bounds = before;
      raise_by_prices(*problem, levels, bounds);
      ASSERT_TRUE(std::ranges::is_sorted(bounds.vector, std::greater<>()));
      ASSERT_GE(bounds.vector, before.vector);
      ASSERT_GE(*vectors.begin(), bounds.vector);
      raised += bounds.vector != before.vector ? 1 : 0;
    }
  }
  EXPECT_GT(raised, 0);
}

std::shared_ptr<const Problem> damaged_fat_tree() {
  return make_problem("fat-tree:k=16,gbps=400", "rings:jobs=64,size=16,placement=random,seed=1", "random:5%,seed=1");
}

TEST(CutPrices, KnowOfMoreHarmedJobsThanTheSumsOfNeedsDo) {
  const auto problem = damaged_fat_tree();
  const Solution solution = solve(*make_evaluator(problem), with_rounds(0));
  Bounds bounds = compute_bounds(*problem);
  ASSERT_EQ(solution.score.normalised.front(), bounds.vector.front());
  const auto count_worst = [&] { return std::ranges::count(bounds.vector, bounds.vector.front()); };
  const auto known = count_worst();
  raise_by_prices(*problem, solution.score.normalised, bounds);
  EXPECT_GT(count_worst(), known);
  EXPECT_GE(solution.score.normalised, bounds.vector);
}

TEST(CutPrices, LeaveTheBoundsAloneWhereTheWorstJobIsOpen) {
  const auto problem = damaged_fat_tree();
  Bounds bounds = compute_bounds(*problem);
  const std::vector<std::uint64_t> before = bounds.vector;
  const std::vector<std::uint64_t> worse(problem->num_jobs(), bounds.vector.front() + 1);
  raise_by_prices(*problem, worse, bounds);
  EXPECT_EQ(bounds.vector, before);
}

}  // namespace
}  // namespace spineweave::test
