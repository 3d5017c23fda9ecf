// Each operation of the CUDA backend against the CPU backend, which is held against the reference.
#include <fmt/format.h>

#include <algorithm>

#include "differential/differential.hpp"
#include "reference/reference_evaluator.hpp"

namespace spineweave::test {
namespace {

constexpr std::uint64_t kSeedsPerShape = 2;

std::vector<PathIndex> many_routings(const Problem& problem, Random& random, std::size_t count) {
  std::vector<PathIndex> routings;
  for (std::size_t k = 0; k < count; ++k) {
    const Routing routing = random_routing(problem, random);
    routings.insert(routings.end(), routing.begin(), routing.end());
  }
  return routings;
}

// A routing in which some flows have no path yet, as a warm start has them.
Routing routing_with_gaps(const Problem& problem, Random& random) {
  Routing routing = random_routing(problem, random);
  for (PathIndex& path : routing)
    if (random.one_in(8)) path = kNone;
  return routing;
}

// Plays rounds on both backends from one routing: every round and the states at the end must be equal.
std::vector<RoundResult> play_rounds(const std::shared_ptr<const Problem>& problem, const gpu::Tuning& tuning,
                                     const Routing& routing, const RoundSpec& spec, int rounds) {
  const auto expected = make_evaluator(problem, "cpu")->make_state();
  const auto state = gpu::make_cuda_evaluator(problem, tuning)->make_state();
  expected->assign(routing);
  state->assign(routing);
  std::vector<RoundResult> results;
  for (int round = 0; round < rounds; ++round) {
    results.push_back(expect_equal_rounds(*state, *expected, spec));
    if (testing::Test::HasFatalFailure()) return results;
  }
  expect_equal_states(*state, *expected, *problem);
  return results;
}

TEST_F(Differential, LoadsOfAssignedRoutingsAreEqual) {
  on_random_problems(kSeedsPerShape, [](const auto& problem, Random& random) {
    const auto expected = make_evaluator(problem, "cpu")->make_state();
    const Routing routing = routing_with_gaps(*problem, random);
    expected->assign(routing);
    on_every_launch_shape([&](gpu::Tuning tuning) {
      // In shared memory, and straight to the device's.
      for (const unsigned private_routings : {1U, 2U}) {
        tuning.private_routings = private_routings;
        const auto state = gpu::make_cuda_evaluator(problem, tuning)->make_state();
        state->assign(routing);
        ASSERT_EQ(congestion_of(*state, *problem), congestion_of(*expected, *problem));
      }
    });
  });
}

TEST_F(Differential, ScoresAreTheReferences) {
  on_random_problems(kSeedsPerShape, [](const auto& problem, Random& random) {
    const Routing routing = random_routing(*problem, random);
    const Score expected = reference_score(*problem, routing);
    const std::vector<std::uint64_t> expected_bottlenecks = reference_bottlenecks(*problem, routing);
    on_every_launch_shape([&](const gpu::Tuning& tuning) {
      const auto state = gpu::make_cuda_evaluator(problem, tuning)->make_state();
      state->assign(routing);
      std::vector<std::uint64_t> bottlenecks(problem->num_jobs());
      expect_equal(state->score(bottlenecks), expected);
      ASSERT_EQ(bottlenecks, expected_bottlenecks);
    });
  });
}

TEST_F(Differential, BestMovesAreTheReferences) {
  on_random_problems(kSeedsPerShape, [](const auto& problem, Random& random) {
    const Routing routing = routing_with_gaps(*problem, random);
    on_every_launch_shape([&](const gpu::Tuning& tuning) {
      const auto state = gpu::make_cuda_evaluator(problem, tuning)->make_state();
      state->assign(routing);
      const std::vector<FlowId> flows = all_flows(*problem);
      state->begin_best_moves(flows);
      for (const BestMove& move : state->finish_best_moves()) {
        const BestMove expected = reference_best_move(*problem, routing, move.flow);
        ASSERT_EQ(move.to, expected.to) << "flow " << move.flow;
        ASSERT_EQ(move.congestion, expected.congestion) << "flow " << move.flow;
        ASSERT_EQ(move.pressure_change, expected.pressure_change) << "flow " << move.flow;
      }
    });
  });
}

TEST_F(Differential, BestMovesAreEqualForEveryNumberOfFlows) {
  for (const bool three_tiers : {false, true}) {
    for (const std::uint32_t count : {1U, 2U, 31U, 32U, 33U, 1023U}) {
      SCOPED_TRACE(std::to_string(count) + (three_tiers ? " flows, three tiers" : " flows, two tiers"));
      const auto problem = problem_with_flows(count, three_tiers);
      Random random(count);
      const Routing routing = random_routing(*problem, random);
      const auto expected = make_evaluator(problem, "cpu")->make_state();
      expected->assign(routing);
      on_every_launch_shape([&](const gpu::Tuning& tuning) {
        const auto state = gpu::make_cuda_evaluator(problem, tuning)->make_state();
        state->assign(routing);
        expect_equal_states(*state, *expected, *problem);
        std::vector<FlowId> flows = all_flows(*problem);
        expect_equal_best_moves(*state, *expected, flows);
        std::reverse(flows.begin(), flows.end());
        expect_equal_best_moves(*state, *expected, std::span(flows).first((count + 1) / 2));
        expect_equal_best_moves(*state, *expected, {});
      });
    }
  }
}

TEST_F(Differential, SixtyFourPhasesAreKeptApart) {
  const auto fabric = std::make_shared<const Fabric>(build_fabric("leaf-spine:leaves=4,spines=3,hosts=4,gbps=100"));
  Workload workload = build_workload(*fabric, "rings:jobs=4,size=4,placement=random,seed=1");
  for (std::uint32_t phase = 0; phase < 64; ++phase)
    workload.phases.push_back({fmt::format("phase{}", phase), 1000 + phase});
  for (std::size_t job = 0; job < workload.jobs.size(); ++job)
    workload.jobs[job].phase_mask = (std::uint64_t{0x8000000080000001} >> job) | std::uint64_t{1} << (40 + job);
  const auto problem =
      std::make_shared<const Problem>(fabric, std::make_shared<const Workload>(std::move(workload)), ProblemOptions{});
  Random random(64);
  const Routing routing = random_routing(*problem, random);
  const auto expected = make_evaluator(problem, "cpu")->make_state();
  expected->assign(routing);
  on_every_launch_shape([&](const gpu::Tuning& tuning) {
    const auto state = gpu::make_cuda_evaluator(problem, tuning)->make_state();
    state->assign(routing);
    expect_equal_states(*state, *expected, *problem);
    expect_equal_best_moves(*state, *expected, all_flows(*problem));
  });
}

TEST_F(Differential, MovesAreAppliedAndRolledBackEqually) {
  on_random_problems(kSeedsPerShape, [](const auto& problem, Random& random) {
    const Routing routing = random_routing(*problem, random);
    // Flows may occur several times in one call.
    std::vector<Move> moves;
    Routing at = routing;
    for (int i = 0; i < 20; ++i) {
      const FlowId flow = random.below(problem->num_flows());
      const PathIndex to = random_routing(*problem, random)[flow];
      moves.push_back({flow, at[flow], to});
      at[flow] = to;
    }
    const auto expected = make_evaluator(problem, "cpu")->make_state();
    on_launch_shapes_in_turn([&](const gpu::Tuning& tuning) {
      const auto state = gpu::make_cuda_evaluator(problem, tuning)->make_state();
      for (SearchState* each : {state.get(), expected.get()}) {
        each->assign(routing);
        each->apply(std::span(moves).first(5));
        each->snapshot();
      }
      // Scores in between: none may be taken for the one after the next move.
      expect_equal(state->score(), expected->score());
      for (SearchState* each : {state.get(), expected.get()}) each->apply(std::span(moves).subspan(5));
      expect_equal_states(*state, *expected, *problem);
      state->rollback();
      expected->rollback();
      expect_equal_states(*state, *expected, *problem);
    });
  });
}

TEST_F(Differential, RoundsAreEqualUntilNothingHelps) {
  on_random_problems(kSeedsPerShape, [](const auto& problem, Random& random) {
    const Routing routing = routing_with_gaps(*problem, random);
    const std::vector<FlowId> flows = all_flows(*problem);
    on_launch_shapes_in_turn([&](const gpu::Tuning& tuning) {
      for (const std::uint32_t max_moves : {kNone, 2U}) play_rounds(problem, tuning, routing, {flows, max_moves}, 4);
    });
  });
}

TEST_F(Differential, RoundsOfManyCollidingMovesAreEqual) {
  for (const bool three_tiers : {false, true}) {
    const auto problem = problem_with_flows(400, three_tiers);
    const std::vector<FlowId> flows = all_flows(*problem);
    // Everything on the first path: as unbalanced as can be, and every candidate ties.
    const Routing worst(problem->num_flows(), 0);
    on_launch_shapes_in_turn([&](const gpu::Tuning& tuning) {
      play_rounds(problem, tuning, worst, {flows, kNone}, 3);
    });
  }
}

// Moves that each lower the pressure but together raise some job's bottleneck: rounds that take back.
TEST_F(Differential, RoundsThatTakeMovesBackAreEqual) {
  const auto fabric = std::make_shared<const Fabric>(build_fabric("leaf-spine:leaves=8,spines=4,hosts=8,gbps=100"));
  std::size_t taken_back = 0, halved = 0, in_vain = 0;
  for (const std::uint64_t seed : {2U, 4U, 8U}) {
    const auto jobs = std::make_shared<const Workload>(
        build_workload(*fabric, fmt::format("rings:jobs=8,size=8,placement=random,seed={}", seed)));
    ProblemOptions options;
    options.weights = WeightMode::hash;
    options.hash_highest = 9;
    options.seed = seed;
    const auto problem = std::make_shared<const Problem>(fabric, jobs, options);
    Random random(seed);
    const Routing routing = random_routing(*problem, random);
    const std::vector<FlowId> flows = all_flows(*problem);
    on_launch_shapes_in_turn([&](const gpu::Tuning& tuning) {
      for (const RoundResult& result : play_rounds(problem, tuning, routing, {flows, kNone}, 8)) {
        taken_back += result.taken_back ? 1 : 0;
        halved += result.taken_back && !result.kept.empty() ? 1 : 0;
        in_vain += result.taken_back && result.kept.empty() ? 1 : 0;
      }
    });
  }
  EXPECT_GT(taken_back, 0U);
  EXPECT_GT(halved, 0U);
  EXPECT_GT(in_vain, 0U) << "no flow came to rest";
}

TEST_F(Differential, ScoresOfManyRoutingsAreEqual) {
  on_random_problems(1, [](const auto& problem, Random& random) {
    for (const std::size_t count : {0U, 1U, 2U, 33U}) {
      const std::vector<PathIndex> routings = many_routings(*problem, random, count);
      std::vector<Score> expected(count);
      make_evaluator(problem, "cpu")->score_routings(routings, expected);
      on_launch_shapes_in_turn([&](gpu::Tuning tuning) {
        // At once, in launches of a few, and in batches of a few.
        for (const auto& [batch_bytes, grid_rows] :
             {std::pair{std::size_t{1} << 28U, 65535U}, {std::size_t{1} << 28U, 3U}, {std::size_t{20000}, 65535U}}) {
          tuning.batch_bytes = batch_bytes;
          tuning.grid_rows = grid_rows;
          std::vector<Score> scores(count);
          gpu::make_cuda_evaluator(problem, tuning)->score_routings(routings, scores);
          for (std::size_t k = 0; k < count; ++k) expect_equal(scores[k], expected[k]);
        }
      });
    }
  });
}

TEST_F(Differential, ScoresOfAThousandRoutingsAreEqual) {
  const auto problem = problem_with_flows(32, false);
  Random random(5);
  const std::vector<PathIndex> routings = many_routings(*problem, random, 1023);
  std::vector<Score> expected(1023), scores(1023);
  make_evaluator(problem, "cpu")->score_routings(routings, expected);
  make_evaluator(problem, "cuda")->score_routings(routings, scores);
  for (std::size_t k = 0; k < scores.size(); ++k) expect_equal(scores[k], expected[k]);
}

}  // namespace
}  // namespace spineweave::test
