#include <gtest/gtest.h>

#include <bit>

#include "reference/reference_evaluator.hpp"
#include "spineweave/error.hpp"
#include "spineweave/evaluator.hpp"
#include "support/random_instances.hpp"
#include "support/search_states.hpp"

namespace spineweave::test {
namespace {

constexpr std::uint64_t kSeedsPerShape = 12;

// Calls check(instance, random) for instances of every shape.
template <class Check>
void for_random_instances(Check&& check) {
  for (const Shape shape : all_shapes()) {
    for (std::uint64_t seed = 0; seed < kSeedsPerShape; ++seed) {
      const Instance instance = random_instance(shape, test_seed(seed));
      SCOPED_TRACE(instance.name);
      Random random(seed + 1000);
      check(instance, random);
    }
  }
}

void expect_same(const Score& a, const Score& b) {
  EXPECT_EQ(a.normalised, b.normalised);
  EXPECT_EQ(a.at_bottleneck, b.at_bottleneck);
  EXPECT_EQ(a.pressure, b.pressure);
  EXPECT_EQ(a.max_congestion, b.max_congestion);
}

TEST(CpuEvaluator, ScoresAsTheReferenceDoes) {
  for_random_instances([](const Instance& instance, Random& random) {
    const auto state = make_evaluator(instance.problem, "cpu")->make_state();
    const Routing routing = random_routing(*instance.problem, random);
    state->assign(routing);
    std::vector<std::uint64_t> bottlenecks(instance.problem->num_jobs());
    expect_same(state->score(bottlenecks), reference_score(*instance.problem, routing));
    EXPECT_EQ(bottlenecks, reference_bottlenecks(*instance.problem, routing));
  });
}

TEST(CpuEvaluator, ScoresAgainWhateverHappenedSinceTheLastScore) {
  for_random_instances([](const Instance& instance, Random& random) {
    const Problem& problem = *instance.problem;
    const auto state = make_evaluator(instance.problem, "cpu")->make_state();
    Routing routing = random_routing(problem, random);
    state->assign(routing);
    expect_same(state->score(), reference_score(problem, routing));
    state->snapshot();
    const FlowId flow = random.below(problem.num_flows());
    const Move move{flow, routing[flow], random_routing(problem, random)[flow]};
    state->apply({&move, 1});
    Routing moved = routing;
    moved[flow] = move.to;
    std::vector<std::uint64_t> bottlenecks(problem.num_jobs());
    for (int time = 0; time < 2; ++time) {
      expect_same(state->score(bottlenecks), reference_score(problem, moved));
      EXPECT_EQ(bottlenecks, reference_bottlenecks(problem, moved));
    }
    state->rollback();
    expect_same(state->score(), reference_score(problem, routing));
    state->assign(moved);
    expect_same(state->score(), reference_score(problem, moved));
  });
}

TEST(CpuEvaluator, FindsTheBestMoveThatTheReferenceFinds) {
  for_random_instances([](const Instance& instance, Random& random) {
    const auto state = make_evaluator(instance.problem, "cpu")->make_state();
    const Routing routing = random_routing(*instance.problem, random);
    state->assign(routing);
    const std::vector<FlowId> flows = all_flows(*instance.problem);
    state->begin_best_moves(flows);
    for (const BestMove& move : state->finish_best_moves()) {
      const BestMove expected = reference_best_move(*instance.problem, routing, move.flow);
      ASSERT_EQ(move.to, expected.to) << "flow " << move.flow;
      ASSERT_EQ(move.congestion, expected.congestion) << "flow " << move.flow;
      ASSERT_EQ(move.pressure_change, expected.pressure_change) << "flow " << move.flow;
    }
  });
}

TEST(CpuEvaluator, PredictsThePressureThatAMoveLeavesBehind) {
  for_random_instances([](const Instance& instance, Random& random) {
    const auto state = make_evaluator(instance.problem, "cpu")->make_state();
    const Routing routing = random_routing(*instance.problem, random);
    state->assign(routing);
    const Score before = state->score();
    const std::vector<FlowId> flows = all_flows(*instance.problem);
    state->begin_best_moves(flows);
    const std::vector<BestMove> moves(state->finish_best_moves().begin(), state->finish_best_moves().end());
    for (const BestMove& best : moves) {
      state->snapshot();
      const Move move{best.flow, routing[best.flow], best.to};
      state->apply({&move, 1});
      ASSERT_EQ(static_cast<std::int64_t>(state->score().pressure - before.pressure), best.pressure_change);
      state->rollback();
    }
  });
}

TEST(CpuEvaluator, RestoresLoadsAndRoutingOnRollback) {
  for_random_instances([](const Instance& instance, Random& random) {
    const Problem& problem = *instance.problem;
    const auto state = make_evaluator(instance.problem, "cpu")->make_state();
    const Routing routing = random_routing(problem, random);
    state->assign(routing);
    const auto before = congestion_of(*state, problem);
    state->snapshot();
    const Routing other = random_routing(problem, random);
    for (FlowId f = 0; f < problem.num_flows(); ++f) {
      const Move move{f, routing[f], other[f]};
      state->apply({&move, 1});
    }
    state->rollback();
    Routing after(problem.num_flows());
    state->read_routing(after);
    EXPECT_EQ(after, routing);
    EXPECT_EQ(congestion_of(*state, problem), before);
  });
}

TEST(CpuEvaluator, KeepsTheSumOfLoadsEqualToDemandTimesHops) {
  for_random_instances([](const Instance& instance, Random& random) {
    const Problem& problem = *instance.problem;
    const auto state = make_evaluator(instance.problem, "cpu")->make_state();
    const Routing routing = random_routing(problem, random);
    state->assign(routing);
    std::uint64_t loads = 0;
    const auto congestion = congestion_of(*state, problem);
    for (std::size_t i = 0; i < congestion.size(); ++i)
      if (congestion[i] != kDeadCongestion && congestion[i] > 0)
        loads += congestion[i] / problem.scales()[i % problem.num_cells()];
    std::uint64_t expected = 0;
    for (FlowId f = 0; f < problem.num_flows(); ++f)
      expected += reference_links(problem, routing, f).size() * problem.weights()[f] *
                  static_cast<std::uint64_t>(std::popcount(problem.phase_mask(f)));
    EXPECT_EQ(loads, expected);
  });
}

TEST(CpuEvaluator, GainsInARoundExactlyWhatItsKeptMovesPromise) {
  for_random_instances([](const Instance& instance, Random& random) {
    const Problem& problem = *instance.problem;
    const auto state = make_evaluator(instance.problem, "cpu")->make_state();
    Routing routing = random_routing(problem, random);
    state->assign(routing);
    const std::vector<FlowId> flows = all_flows(problem);
    for (int round = 0; round < 6; ++round) {
      const Score before = state->score();
      state->begin_best_moves(flows);
      std::vector<std::int64_t> promised(problem.num_flows());
      for (const BestMove& move : state->finish_best_moves()) promised[move.flow] = move.pressure_change;
      state->begin_round({flows, kNone});
      const RoundResult result = state->finish_round();
      std::int64_t gained = 0;
      for (const Move& move : result.kept) {
        ASSERT_EQ(move.from, routing[move.flow]);
        routing[move.flow] = move.to;
        gained += promised[move.flow];
      }
      EXPECT_EQ(static_cast<std::int64_t>(result.score.pressure - before.pressure), gained);
      expect_same(result.score, reference_score(problem, routing));
      if (result.kept.empty()) break;
      EXPECT_LT(result.score, before);
    }
  });
}

TEST(CpuEvaluator, ScoresManyRoutingsAtOnceAsOneByOne) {
  const Instance instance = random_instance(Shape::fat_tree, test_seed(7));
  const Problem& problem = *instance.problem;
  Random random(3);
  std::vector<PathIndex> all;
  std::vector<Score> expected;
  for (int k = 0; k < 33; ++k) {
    const Routing routing = random_routing(problem, random);
    all.insert(all.end(), routing.begin(), routing.end());
    expected.push_back(reference_score(problem, routing));
  }
  std::vector<Score> scores(33);
  make_evaluator(instance.problem, "cpu")->score_routings(all, scores);
  for (std::size_t k = 0; k < scores.size(); ++k) expect_same(scores[k], expected[k]);
}

TEST(Backends, RefuseANameThatCannotRunInsteadOfFallingBack) {
  const Instance instance = random_instance(Shape::leaf_spine, 1);
  EXPECT_EQ(make_evaluator(instance.problem, "auto")->capabilities().name, "cpu");
  for (const auto& [name, code] : {std::pair{"cuda", ErrorCode::backend_unavailable}, {"gpu", ErrorCode::usage}}) {
    try {
      (void)make_evaluator(instance.problem, name);
      ADD_FAILURE() << name << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
    }
  }
}

}  // namespace
}  // namespace spineweave::test
