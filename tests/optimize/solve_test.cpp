#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <ranges>

#include "optimize/solvers.hpp"
#include "reference/reference_evaluator.hpp"
#include "spineweave/error.hpp"
#include "spineweave/optimize.hpp"
#include "spineweave/threads.hpp"
#include "support/random_instances.hpp"
#include "support/spec_problems.hpp"

namespace spineweave::test {
namespace {

Solution run(const std::shared_ptr<const Problem>& problem, Solver solver, std::uint64_t seed = 1) {
  SolveOptions options;
  options.solver = solver;
  options.seed = seed;
  return solve(*make_evaluator(problem), options);
}

constexpr std::array kSolvers = {Solver::ecmp, Solver::greedy, Solver::coloring, Solver::annealing, Solver::weave};
constexpr std::uint64_t kUnharmed = std::uint64_t{1} << kNormalBits;

TEST(Solvers, GiveEveryFlowALivePathAndTheReferencesScore) {
  for (const Shape shape : all_shapes()) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const Instance instance = random_instance(shape, test_seed(seed));
      SCOPED_TRACE(instance.name);
      for (const Solver solver : kSolvers) {
        if (solver == Solver::coloring && instance.problem->paths().kind != PathKind::tiered) continue;
        SCOPED_TRACE(name_of(solver));
        const Solution solution = run(instance.problem, solver);
        EXPECT_NO_THROW(check_routing(*instance.problem, solution.routing));
        EXPECT_EQ(solution.score, reference_score(*instance.problem, solution.routing));
        EXPECT_EQ(solution.job_bottlenecks, reference_bottlenecks(*instance.problem, solution.routing));
        EXPECT_GE(solution.score.normalised, solution.bounds.vector);  // no routing comes before the bounds
      }
    }
  }
}

TEST(Solvers, GiveTheSameDigestForAnyNumberOfThreads) {
  const auto problem = make_problem("leaf-spine:leaves=8,spines=8,hosts=8,gbps=100",
                                    "rings:jobs=4,size=16,placement=random,seed=3", "random:10%,seed=2", "hash:1-100");
  for (const Solver solver : kSolvers) {
    std::vector<std::uint64_t> digests;
    for (const std::uint32_t threads : {1U, 2U, 3U, 8U}) {
      const ThreadScope scope(threads);
      digests.push_back(run(problem, solver).digest);
    }
    EXPECT_THAT(digests, testing::Each(digests.front())) << name_of(solver);
  }
}

TEST(Weave, IsNeverWorseThanGreedyOrColoring) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Instance instance = random_instance(seed % 2 == 0 ? Shape::damaged : Shape::trunked, test_seed(seed));
    SCOPED_TRACE(instance.name);
    const auto woven = run(instance.problem, Solver::weave).score.normalised;
    EXPECT_LE(woven, run(instance.problem, Solver::greedy).score.normalised);
    if (instance.problem->paths().kind == PathKind::tiered) {
      EXPECT_LE(woven, run(instance.problem, Solver::coloring).score.normalised);
    }
  }
}

// Every routing tried.
Score best_of_all(const Problem& problem) {
  Routing routing(problem.num_flows(), 0);
  Score best;
  for (bool done = false; !done;) {
    const bool alive = std::ranges::all_of(std::views::iota(0U, problem.num_flows()),
                                           [&](FlowId f) { return problem.is_alive(f, routing[f]); });
    if (alive) {
      Score score = reference_score(problem, routing);
      if (best.normalised.empty() || score < best) best = std::move(score);
    }
    done = true;
    for (FlowId f = 0; f < problem.num_flows() && done; ++f) {
      done = ++routing[f] == problem.num_paths(f);
      if (done) routing[f] = 0;
    }
  }
  return best;
}

TEST(Weave, FindsTheBestJobsOfAllRoutingsOnSmallInstances) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const std::string jobs = "rings:jobs=2,size=3,placement=random,seed=" + std::to_string(test_seed(seed));
    const auto problem = make_problem("leaf-spine:leaves=3,spines=3,hosts=2,gbps=100", jobs.c_str(),
                                      seed % 2 == 0 ? "leaf-0-spine-0" : "", "hash:1-9");
    SCOPED_TRACE(jobs);
    EXPECT_EQ(run(problem, Solver::weave).score.normalised, best_of_all(*problem).normalised);
  }
}

TEST(Weave, CertifiesThePapersLargestSetting) {
  const Solution solution = run(
      make_problem("leaf-spine:leaves=64,spines=32,hosts=32,gbps=100", "paper:jobs=5,ring=4,seed=1"), Solver::weave);
  EXPECT_TRUE(solution.certificate.vector_proved);
  EXPECT_THAT(solution.score.normalised, testing::Each(kUnharmed));
  EXPECT_FALSE(solution.truncated);
}

TEST(Weave, ProvesTheWorstJobWithDeadSpines) {
  const Solution solution = run(make_problem("leaf-spine:leaves=64,spines=32,hosts=32,gbps=100",
                                             "paper:jobs=5,ring=4,seed=1", "spine:31,spine:30,spine:29,spine:28"),
                                Solver::weave);
  EXPECT_TRUE(solution.certificate.max_proved);
  EXPECT_EQ(solution.score.normalised.front(), 2 * kUnharmed);
}

// Three flows from one leaf to another over two spines, the last one as heavy as the others together.
TEST(Greedy, TakesHeavyFlowsFirstWhereAskedTo) {
  const auto fabric = std::make_shared<Fabric>(build_fabric("leaf-spine:leaves=2,spines=2,hosts=3,gbps=100"));
  auto workload = std::make_shared<Workload>();
  for (const EndpointId host : {0U, 1U, 2U}) {
    workload->jobs.emplace_back().id = std::to_string(host);
    workload->jobs.back().collectives = {{CollectiveKind::p2p, 1, 1000, {host, host + 3}}};
  }
  ProblemOptions options;
  options.factors = {1, 1, 2};
  const Problem problem(fabric, workload, options);
  const Routing by_id = route_greedy(problem), heaviest_first = route_heaviest_first(problem);
  EXPECT_NE(by_id[0], by_id[1]);
  EXPECT_EQ(heaviest_first[0], heaviest_first[1]);
  EXPECT_NE(heaviest_first[0], heaviest_first[2]);
}

TEST(Weave, LosesLittleWithFourQueuePairsAndADeadSpine) {
  const auto fabric = std::make_shared<Fabric>(
      with_faults(build_fabric("leaf-spine:leaves=64,spines=32,hosts=32,gbps=100"), "spine:31"));
  Workload workload = build_workload(*fabric, "paper:jobs=5,ring=4,seed=1");
  for (Job& job : workload.jobs)
    for (Collective& collective : job.collectives) collective.qps = 4;
  const Solution solution =
      run(std::make_shared<Problem>(fabric, std::make_shared<Workload>(std::move(workload))), Solver::weave);
  EXPECT_TRUE(solution.certificate.max_proved);
  EXPECT_LE(solution.score.normalised.front(), kUnharmed * 5 / 4);
}

TEST(Weave, StartsFromAWarmStartAndCountsWhatItMoved) {
  const auto problem =
      make_problem("leaf-spine:leaves=8,spines=8,hosts=8,gbps=100", "rings:jobs=4,size=16,placement=random,seed=3");
  const auto evaluator = make_evaluator(problem);
  SolveOptions options;
  Routing warm = solve(*evaluator, options).routing;
  options.warm_start = &warm;
  EXPECT_EQ(solve(*evaluator, options).moved, 0U);
  warm[3] = kNone;
  EXPECT_EQ(solve(*evaluator, options).moved, 1U);
}

TEST(Weave, MarksAResultThatWasStopped) {
  const auto problem = make_problem("leaf-spine:leaves=8,spines=8,hosts=8,gbps=100",
                                    "rings:jobs=4,size=16,placement=random,seed=3", "random:20%,seed=2", "hash:1-100");
  const std::atomic<bool> stop = true;
  SolveOptions options;
  options.stop = &stop;
  const Solution solution = solve(*make_evaluator(problem), options);
  EXPECT_TRUE(solution.truncated);
  EXPECT_NO_THROW(check_routing(*problem, solution.routing));
}

TEST(Coloring, IsOptimalOnASymmetricFatTree) {
  const auto problem = make_problem("fat-tree:k=8,gbps=400", "permutation:seed=5");
  const Solution solution = run(problem, Solver::coloring);
  EXPECT_TRUE(solution.certificate.vector_proved);
  EXPECT_EQ(solution.score.normalised.front(), kUnharmed);
}

TEST(Coloring, RefusesAFabricThatIsNoClos) {
  const Instance instance = random_instance(Shape::irregular, test_seed(2));
  EXPECT_THROW((void)run(instance.problem, Solver::coloring), Error);
}

TEST(Ecmp, SpreadsWithItsSeedAndOnlyOverLivePaths) {
  const auto problem =
      make_problem("leaf-spine:leaves=4,spines=8,hosts=8,gbps=100", "permutation:seed=5", "spine:7,leaf-0-spine-1");
  const Routing a = route_ecmp(LivePaths(*problem), EcmpHash::crc32, 1);
  const Routing b = route_ecmp(LivePaths(*problem), EcmpHash::crc32, 2);
  EXPECT_NE(a, b);
  EXPECT_NO_THROW(check_routing(*problem, a));
  // The artifact's hash knows no seed.
  EXPECT_EQ(route_ecmp(LivePaths(*problem), EcmpHash::artifact, 1),
            route_ecmp(LivePaths(*problem), EcmpHash::artifact, 2));
}

}  // namespace
}  // namespace spineweave::test
