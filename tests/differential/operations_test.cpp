// Each operation of the CUDA backend against the CPU backend, which is held against the reference.
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

TEST_F(Differential, LoadsOfAssignedRoutingsAreEqual) {
  on_random_problems(kSeedsPerShape, [](const auto& problem, Random& random) {
    const auto expected = make_evaluator(problem, "cpu")->make_state();
    const Routing routing = routing_with_gaps(*problem, random);
    expected->assign(routing);
    on_every_launch_shape([&](gpu::Tuning tuning) {
      // In shared memory, shared by several blocks, and straight to the device's memory.
      for (const auto& [bytes, flows_per_thread] :
           {std::pair<std::size_t, unsigned>{48 * 1024, 8}, {48 * 1024, 1}, {0, 1}}) {
        tuning.private_load_bytes = bytes;
        tuning.flows_per_thread = flows_per_thread;
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
    on_every_launch_shape([&](const gpu::Tuning& tuning) {
      const auto state = gpu::make_cuda_evaluator(problem, tuning)->make_state();
      for (SearchState* each : {state.get(), expected.get()}) {
        each->assign(routing);
        each->apply(std::span(moves).first(5));
        each->snapshot();
        each->apply(std::span(moves).subspan(5));
      }
      expect_equal_states(*state, *expected, *problem);
      state->rollback();
      expected->rollback();
      expect_equal_states(*state, *expected, *problem);
    });
  });
}

TEST_F(Differential, RoundsAreEqualUntilNothingHelps) {
  on_random_problems(kSeedsPerShape, [](const auto& problem, Random& random) {
    const Routing routing = random_routing(*problem, random);
    const std::vector<FlowId> flows = all_flows(*problem);
    on_every_launch_shape([&](const gpu::Tuning& tuning) {
      for (const std::uint32_t max_moves : {kNone, 2U}) {
        const auto expected = make_evaluator(problem, "cpu")->make_state();
        const auto state = gpu::make_cuda_evaluator(problem, tuning)->make_state();
        expected->assign(routing);
        state->assign(routing);
        for (int round = 0; round < 6; ++round) {
          expect_equal_rounds(*state, *expected, {flows, max_moves});
          if (HasFatalFailure()) return;
        }
        expect_equal_states(*state, *expected, *problem);
      }
    });
  });
}

TEST_F(Differential, RoundsOfManyCollidingMovesAreEqual) {
  for (const bool three_tiers : {false, true}) {
    const auto problem = problem_with_flows(400, three_tiers);
    const std::vector<FlowId> flows = all_flows(*problem);
    on_every_launch_shape([&](const gpu::Tuning& tuning) {
      const auto expected = make_evaluator(problem, "cpu")->make_state();
      const auto state = gpu::make_cuda_evaluator(problem, tuning)->make_state();
      // Everything on the first path: as unbalanced as can be, and every candidate ties.
      const Routing worst(problem->num_flows(), 0);
      expected->assign(worst);
      state->assign(worst);
      for (int round = 0; round < 3; ++round) {
        expect_equal_rounds(*state, *expected, {flows, kNone});
        if (HasFatalFailure()) return;
      }
      expect_equal_states(*state, *expected, *problem);
    });
  }
}

TEST_F(Differential, ScoresOfManyRoutingsAreEqual) {
  on_random_problems(1, [](const auto& problem, Random& random) {
    for (const std::size_t count : {0U, 1U, 2U, 33U}) {
      const std::vector<PathIndex> routings = many_routings(*problem, random, count);
      std::vector<Score> expected(count);
      make_evaluator(problem, "cpu")->score_routings(routings, expected);
      on_every_launch_shape([&](gpu::Tuning tuning) {
        // At once, and in batches of a few.
        for (const std::size_t batch_bytes : {std::size_t{1} << 28U, std::size_t{20000}}) {
          tuning.batch_bytes = batch_bytes;
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
