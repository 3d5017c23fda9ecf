#include "optimize/sparing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "optimize/row_excess.hpp"
#include "optimize/solvers.hpp"
#include "reference/reference_evaluator.hpp"
#include "spineweave/threads.hpp"
#include "support/random_instances.hpp"
#include "support/spec_problems.hpp"

namespace spineweave::test {
namespace {

const std::function<bool()> kEndless = [] { return false; };

Routing colored(const Problem& problem, Evaluator& evaluator) {
  return complete(*evaluator.make_state(), route_coloring(problem), problem.num_jobs()).routing;
}

constexpr const char* kDamaged = "random:5%,seed=1";

TEST(Sparing, KeepsJobsAtFullSpeedWhereTheColouringHarmsAll) {
  const auto problem =
      make_problem("fat-tree:k=16,gbps=400", "rings:jobs=64,size=16,placement=random,seed=1", kDamaged);
  const auto evaluator = make_evaluator(problem);
  const Routing start = colored(*problem, *evaluator);
  const Routing spared = Sparing(*problem, start, 1, kEndless).spare(compute_bounds(*problem));
  ASSERT_NO_THROW(check_routing(*problem, spared));
  const auto at_full_speed = [&](const Routing& routing) {
    return std::ranges::count(reference_score(*problem, routing).normalised, std::uint64_t{1} << kNormalBits);
  };
  EXPECT_GT(at_full_speed(spared), 2 * at_full_speed(start));
  EXPECT_LT(reference_score(*problem, spared), reference_score(*problem, start));
}

TEST(Sparing, FindsTheSameRoutingForAnyNumberOfThreads) {
  const auto problem =
      make_problem("fat-tree:k=16,gbps=400", "rings:jobs=16,size=64,placement=random,seed=1,qps=4", kDamaged);
  ASSERT_GE(problem->num_flows(), 4096U);
  std::vector<std::uint64_t> digests;
  for (const std::uint32_t threads : {1U, 2U, 3U}) {
    const ThreadScope scope(threads);
    digests.push_back(solve(*make_evaluator(problem), with_rounds(1)).digest);
  }
  EXPECT_THAT(digests, testing::Each(digests.front()));
}

TEST(Sparing, LeavesEveryShapeOfFabricWithAValidRouting) {
  for (const Shape shape : all_shapes()) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const Instance instance = random_instance(shape, test_seed(seed), {.max_phases = 2});
      SCOPED_TRACE(instance.name);
      const Bounds bounds = compute_bounds(*instance.problem);
      Random random(seed);
      const Routing start = random_routing(*instance.problem, random);
      EXPECT_NO_THROW(
          check_routing(*instance.problem, Sparing(*instance.problem, start, seed, kEndless).spare(bounds)));
    }
  }
}

TEST(Repair, MovesNoMoreFlowsThanItMayAndHarmsNoJobMoreThanTheWorst) {
  for (const Shape shape : all_shapes()) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const Instance instance = random_instance(shape, test_seed(seed));
      SCOPED_TRACE(instance.name);
      const Problem& problem = *instance.problem;
      const Bounds bounds = compute_bounds(problem);
      Random random(seed);
      const Routing start = random_routing(problem, random);
      const std::uint64_t worst = reference_score(problem, start).normalised.front();
      for (const std::uint32_t max_moved : {0U, 2U, 7U, 1000U}) {
        const Routing repaired =
            Sparing(problem, start, seed, kEndless).repair(bounds, bounds.per_job, worst, max_moved);
        std::uint32_t moved = 0;
        for (FlowId flow = 0; flow < problem.num_flows(); ++flow) moved += repaired[flow] != start[flow] ? 1 : 0;
        EXPECT_LE(moved, max_moved);
        EXPECT_NO_THROW(check_routing(problem, repaired));
      }
    }
  }
}

struct Repaired {
  Solution before, after;
  std::size_t lost = 0;
};

// Solves, takes the cable down, and solves again from what was there.
Repaired repair_after(const char* cable, std::optional<std::uint32_t> max_moved) {
  constexpr const char* kJobs = "rings:jobs=64,size=16,placement=random,seed=1";
  const auto whole = make_problem("fat-tree:k=16,gbps=400", kJobs, kDamaged);
  const auto broken = make_problem("fat-tree:k=16,gbps=400", kJobs, std::string(kDamaged) + "," + cable);
  Repaired result;
  result.before = solve(*make_evaluator(whole), with_rounds(0));
  result.before.routing = Sparing(*whole, result.before.routing, 1, kEndless).spare(result.before.bounds);
  result.before = rate_routing(*make_evaluator(whole), result.before.routing);
  Routing warm = result.before.routing;
  for (FlowId flow = 0; flow < broken->num_flows(); ++flow) {
    if (broken->is_alive(flow, warm[flow])) continue;
    warm[flow] = kNone;
    ++result.lost;
  }
  SolveOptions options;
  options.warm_start = &warm;
  options.max_moved = max_moved;
  result.after = solve(*make_evaluator(broken), options);
  return result;
}

TEST(WarmStart, RepairsALinkFailureWithFewMoves) {
  const Repaired result = repair_after("agg-0-0-leaf-0-1", {});
  ASSERT_GT(result.lost, 0U);
  EXPECT_LE(result.after.moved, result.lost + 1024 / 100);
  EXPECT_EQ(result.after.score.normalised.front(), result.before.score.normalised.front());
}

TEST(WarmStart, MovesOnlyLostFlowsWhereNoOtherMayMove) {
  const Repaired result = repair_after("agg-0-0-leaf-0-1", 0);
  EXPECT_EQ(result.after.moved, result.lost);
}

TEST(WarmStart, PlacesTheFlowsOfAJobThatCameLater) {
  const auto problem = make_problem("fat-tree:k=8,gbps=400", "rings:jobs=8,size=16,placement=random,seed=1", kDamaged);
  Routing warm = solve(*make_evaluator(problem), {}).routing;
  std::uint32_t added = 0;
  for (FlowId flow = 0; flow < problem->num_flows(); ++flow)
    if (problem->flows()[flow].job == 3) warm[flow] = kNone, ++added;
  SolveOptions options;
  options.warm_start = &warm;
  const Solution solution = solve(*make_evaluator(problem), options);
  EXPECT_NO_THROW(check_routing(*problem, solution.routing));
  EXPECT_LE(solution.moved, added + problem->num_flows() / 100);
}

TEST(WarmStart, ImprovesWhatWasBadBeforeOnlyWhereThatIsAskedFor) {
  const auto problem = make_problem("fat-tree:k=8,gbps=400", "rings:jobs=8,size=16,placement=random,seed=1", {});
  const auto evaluator = make_evaluator(problem);
  SolveOptions options;
  options.solver = Solver::ecmp;
  const Solution hashed = solve(*evaluator, options);
  options.solver = Solver::weave;
  options.warm_start = &hashed.routing;
  options.max_moved = 64;
  EXPECT_EQ(solve(*evaluator, options).moved, 0U);
  options.improve = true;
  const Solution improved = solve(*evaluator, options);
  EXPECT_LT(improved.score, hashed.score);
  EXPECT_LE(improved.moved, 64U);
}

TEST(LivePaths, CountAndNameTheCandidatesThatAreAlive) {
  for (const Shape shape : all_shapes()) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Instance instance = random_instance(shape, test_seed(seed));
      SCOPED_TRACE(instance.name);
      const Problem& problem = *instance.problem;
      const LivePaths live(problem);
      for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
        std::uint32_t rank = 0;
        for (PathIndex path = 0; path < problem.num_paths(flow); ++path) {
          if (!problem.is_alive(flow, path)) continue;
          ASSERT_EQ(live.nth(flow, rank++), path);
        }
        ASSERT_EQ(live.count(flow), rank);
      }
    }
  }
}

TEST(RowExcess, IsWhatEachCellWouldAdd) {
  Random random(test_seed(5));
  for (const std::uint32_t slots : {1U, 2U, 31U, 32U, 33U, 100U}) {
    std::vector<std::uint32_t> cells[6];
    for (auto& row : cells)
      for (std::uint32_t i = 0; i < slots; ++i) row.push_back(random.below(8));
    std::vector<std::uint32_t> added(slots);
    for (const std::uint32_t weight : {1U, 3U}) {
      for (const std::uint32_t job_limit : {2U, 5U, 0x7fffffffU}) {
        add_excess_of_rows({cells[0].data(), cells[1].data(), cells[2].data()},
                           {cells[3].data(), cells[4].data(), cells[5].data()}, weight, job_limit, added);
        for (std::uint32_t i = 0; i < slots; ++i) {
          std::uint32_t expected = 0;
          for (const std::uint32_t row : {0U, 3U}) {
            const std::uint32_t load = cells[row][i], limit = cells[row + 1][i];
            const std::uint32_t after = load + weight * cells[row + 2][i], least = std::min(limit, job_limit);
            expected += (after > least ? after - least : 0) - (load > limit ? load - limit : 0);
          }
          if (cells[2][i] == 0 || cells[5][i] == 0) expected = kUnusable;
          ASSERT_EQ(added[i], expected) << slots << " slots, slot " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace spineweave::test
