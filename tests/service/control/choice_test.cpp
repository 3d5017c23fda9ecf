#include "service/control/choice.hpp"

#include <gtest/gtest.h>

#include "service/control/moving.hpp"
#include "spineweave/workload.hpp"

namespace spineweave::service::test {
namespace {

// Rings on a small fabric, hashed badly.
class ChoiceTest : public testing::Test {
 protected:
  ChoiceTest() {
    const auto fabric = std::make_shared<const Fabric>(build_fabric("leaf-spine:leaves=8,spines=4,hosts=4,gbps=100"));
    const auto jobs =
        std::make_shared<const Workload>(build_workload(*fabric, "rings:jobs=4,size=8,placement=random,seed=2"));
    evaluator_ = make_evaluator(std::make_shared<const Problem>(fabric, jobs), "cpu");
    SolveOptions options;
    options.solver = Solver::ecmp;
    hashed_ = solve(*evaluator_, options);
    present_ = {hashed_.routing, hashed_.routing, {}};
  }

  std::unique_ptr<Evaluator> evaluator_;
  Solution hashed_;
  Present present_;
};

TEST_F(ChoiceTest, PlacingMovesNothingThatHasAPath) {
  present_.wanted[3] = present_.used[3] = kNone;
  const Choice choice = choose_routes(*evaluator_, present_, {.effort = Effort::place});
  EXPECT_FALSE(choice.improved);
  EXPECT_LE(count_moves(hashed_.routing, choice.solution.routing), 1U);
}

TEST_F(ChoiceTest, ASearchFindsWhatNoMoveOfAFewFinds) {
  const Choice choice = choose_routes(*evaluator_, present_, {.effort = Effort::search});
  EXPECT_TRUE(choice.improved);
  EXPECT_TRUE(choice.solution.certificate.vector_proved);
}

TEST_F(ChoiceTest, BoundedMovesLeadThereInSeveralSteps) {
  constexpr std::uint32_t kMost = 3;
  for (int steps = 0; steps < 32; ++steps) {
    Choice choice = choose_routes(*evaluator_, present_, {.effort = Effort::search, .max_moved = kMost});
    EXPECT_LE(count_moves(present_.wanted, choice.solution.routing), kMost);
    if (!choice.improved) break;
    present_.wanted = present_.used = choice.solution.routing;
  }
  const Solution last = rate_routing(*evaluator_, present_.wanted);
  EXPECT_LT(last.score.normalised, hashed_.score.normalised);
}

TEST_F(ChoiceTest, WithinTheMarginNothingMoves) {
  const Choice choice = choose_routes(*evaluator_, present_, {.effort = Effort::search, .margin = 1000});
  EXPECT_FALSE(choice.improved);
  EXPECT_EQ(choice.solution.routing, hashed_.routing);
}

TEST_F(ChoiceTest, PinnedFlowsStay) {
  for (FlowId flow = 0; flow < present_.wanted.size(); flow += 2) present_.pinned.push_back(flow);
  const Choice choice = choose_routes(*evaluator_, present_, {.effort = Effort::search});
  for (const FlowId flow : present_.pinned) EXPECT_EQ(choice.solution.routing[flow], hashed_.routing[flow]);
}

TEST_F(ChoiceTest, WhatHostsUseIsWhereASearchStarts) {
  const Routing best = choose_routes(*evaluator_, present_, {.effort = Effort::search}).solution.routing;
  present_.wanted = best;
  const Choice choice = choose_routes(*evaluator_, present_, {.effort = Effort::search});
  EXPECT_FALSE(choice.improved);
  EXPECT_EQ(choice.solution.routing, best) << "hosts are on their way there";
}

TEST_F(ChoiceTest, MovesThatChangeNothingAreTakenBack) {
  const Routing best = choose_routes(*evaluator_, present_, {.effort = Effort::search}).solution.routing;
  const Score goal = rate_routing(*evaluator_, best).score;
  const Routing fewer = take_back_moves(
      *evaluator_, {hashed_.routing, best, 0, [&](const Score& score) { return score.normalised <= goal.normalised; },
                    [] { return false; }});
  EXPECT_LE(count_moves(hashed_.routing, fewer), count_moves(hashed_.routing, best));
  EXPECT_LE(rate_routing(*evaluator_, fewer).score.normalised, goal.normalised);
}

TEST(Better, IsDecidedByTheFirstPlaceThatDiffersByMoreThanTheMargin) {
  const auto score = [](std::vector<std::uint64_t> normalised) {
    Score result;
    result.normalised = std::move(normalised);
    return result;
  };
  EXPECT_TRUE(is_better(score({90, 50}), score({100, 50}), 0.05));
  EXPECT_FALSE(is_better(score({98, 50}), score({100, 50}), 0.05));
  EXPECT_TRUE(is_better(score({98, 40}), score({100, 50}), 0.05));
  EXPECT_FALSE(is_better(score({101, 10}), score({100, 50}), 0.05));
  EXPECT_FALSE(is_better(score({100, 50}), score({100, 50}), 0.0));
}

}  // namespace
}  // namespace spineweave::service::test
