// The reference against the problem's candidates and the CPU backend.
#include "reference/reference_evaluator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/random_instances.hpp"

namespace spineweave {
namespace {

// Runs check(instance, random) on random instances of every shape.
template <class Check>
void on_random_instances(std::uint64_t count, const Check& check) {
  for (const test::Shape shape : test::all_shapes()) {
    for (std::uint64_t seed = 0; seed < count; ++seed) {
      const test::Instance instance = test::random_instance(shape, seed);
      SCOPED_TRACE(instance.name);
      test::Random random(seed);
      check(instance.problem, random);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Reference, FindsTheSamePathsAsTheProblem) {
  on_random_instances(60, [](const auto& problem, test::Random&) {
    for (FlowId flow = 0; flow < problem->num_flows(); ++flow) {
      std::vector<test::LinkPath> alive;
      for (PathIndex path = 0; path < problem->num_paths(flow); ++path) {
        if (!problem->is_alive(flow, path)) continue;
        alive.emplace_back();
        problem->append_links(flow, path, alive.back());
        ASSERT_EQ(problem->find_path(flow, alive.back()), path);
      }
      std::vector<test::LinkPath> expected = test::reference_paths(problem->fabric(), problem->flows()[flow]);
      std::ranges::sort(alive);
      std::ranges::sort(expected);
      ASSERT_EQ(alive, expected);
    }
  });
}

TEST(Reference, GivesTheScoreOfTheBackend) {
  on_random_instances(60, [](const auto& problem, test::Random& random) {
    const auto evaluator = make_evaluator(problem, "cpu");
    const auto state = evaluator->make_state();
    const Routing routing = test::random_routing(*problem, random);
    state->assign(routing);
    std::vector<std::uint64_t> bottlenecks(problem->num_jobs());
    const Score score = state->score(bottlenecks);
    const Score expected = test::reference_score(*problem, routing);
    ASSERT_EQ(score, expected);
    ASSERT_EQ(score.max_congestion, expected.max_congestion);
    ASSERT_EQ(bottlenecks, test::reference_bottlenecks(*problem, routing));
  });
}

TEST(Reference, FindsTheBestMovesOfTheBackend) {
  on_random_instances(60, [](const auto& problem, test::Random& random) {
    const auto evaluator = make_evaluator(problem, "cpu");
    const auto state = evaluator->make_state();
    Routing routing = test::random_routing(*problem, random);
    // Now and then a flow without a path, as a warm start has them.
    for (PathIndex& path : routing)
      if (random.one_in(8)) path = kNone;
    state->assign(routing);
    std::vector<FlowId> flows(problem->num_flows());
    std::iota(flows.begin(), flows.end(), 0U);
    state->begin_best_moves(flows);
    const auto moves = state->finish_best_moves();
    for (const FlowId flow : flows) {
      const BestMove expected = test::reference_best_move(*problem, routing, flow);
      ASSERT_EQ(moves[flow].flow, flow);
      ASSERT_EQ(moves[flow].to, expected.to) << "flow " << flow;
      ASSERT_EQ(moves[flow].congestion, expected.congestion) << "flow " << flow;
      ASSERT_EQ(moves[flow].pressure_change, expected.pressure_change) << "flow " << flow;
    }
  });
}

// Two hosts on one leaf, one on another, one spine: the paths are forced, the numbers known.
TEST(Reference, CountsWhatIsKnownByHand) {
  FabricBuilder builder;
  const auto near = builder.add_switch("leaf0"), far = builder.add_switch("leaf1"), spine = builder.add_switch("spine");
  const std::uint64_t bps = 100'000'000'000;
  builder.add_cable(builder.add_endpoint("h0"), near, bps);
  builder.add_cable(builder.add_endpoint("h1"), near, bps);
  builder.add_cable(builder.add_endpoint("h2"), far, bps);
  builder.add_cable(near, spine, bps);
  builder.add_cable(far, spine, bps / 2);
  Workload workload;
  workload.jobs.resize(2);
  workload.jobs[0].id = "across";
  workload.jobs[0].collectives.push_back({CollectiveKind::p2p, 1, 1000, {0, 2}});
  workload.jobs[1].id = "within";
  workload.jobs[1].collectives.push_back({CollectiveKind::p2p, 1, 1000, {0, 1}});
  const Problem problem(std::make_shared<const Fabric>(builder.finish()),
                        std::make_shared<const Workload>(std::move(workload)), {.weights = WeightMode::equal});
  const Score score = test::reference_score(problem, {0, 0});
  // Both share h0's port; the link to leaf1 is half as fast, which is just as bad.
  const std::uint64_t unit = std::uint64_t{1} << problem.precision_bits();
  EXPECT_EQ(score.normalised, (std::vector<std::uint64_t>{2 * 65536, 2 * 65536}));
  EXPECT_EQ(score.at_bottleneck, (std::vector<std::uint32_t>{1, 1}));
  EXPECT_EQ(score.max_congestion, 2 * unit);
  // Congestion 2 on h0's port and on spine->leaf1; 1 on leaf0->spine, leaf1->h2 and leaf0->h1.
  EXPECT_EQ(score.pressure, (2 * 4 + 3 * 1) * unit * unit);
}

}  // namespace
}  // namespace spineweave
