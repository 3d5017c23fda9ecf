#include "service/control/transition.hpp"

#include <gmock/gmock.h>

#include <memory>

namespace spineweave::service::test {
namespace {

using testing::ElementsAre;

// Four endpoints on each of two leaves under four spines; flow i goes from the i-th on leaf-0 to the i-th on leaf-1.
class TransitionTest : public testing::Test {
 protected:
  TransitionTest() {
    Workload workload;
    for (EndpointId i = 0; i < 4; ++i)
      workload.jobs.push_back(
          {std::to_string(i), "", 0, 0, 0, kAllPhases, {{CollectiveKind::p2p, 1, 1000, {i, i + 4}}}});
    problem_ = std::make_shared<const Problem>(fabric_, std::make_shared<const Workload>(std::move(workload)));
  }

  [[nodiscard]] std::vector<LinkId> over(FlowId flow, PathIndex spine) const {
    std::vector<LinkId> path;
    problem_->append_links(flow, spine, path);
    return path;
  }
  // Each flow from one spine to another.
  [[nodiscard]] TransitionPlan plan(const std::vector<PathIndex>& from, const std::vector<PathIndex>& to) {
    std::vector<std::vector<LinkId>> paths;
    std::vector<FlowId> flows;
    for (FlowId flow = 0; flow < from.size(); ++flow) {
      if (from[flow] == to[flow]) continue;
      flows.push_back(flow);
      paths.push_back(over(flow, from[flow]));
      paths.push_back(over(flow, to[flow]));
    }
    std::vector<MovedFlow> moves;
    for (std::size_t i = 0; i < flows.size(); ++i) moves.push_back({flows[i], paths[2 * i], paths[2 * i + 1]});
    return plan_transition(*problem_, to, moves, {});
  }

  std::shared_ptr<const Fabric> fabric_ =
      std::make_shared<const Fabric>(build_fabric("leaf-spine:leaves=2,spines=4,hosts=4,gbps=100"));
  std::shared_ptr<const Problem> problem_;
};

TEST_F(TransitionTest, MovesToFreeLinksNeedOneBatch) {
  const TransitionPlan transition = plan({0, 0, 0, 0}, {0, 1, 2, 3});
  EXPECT_THAT(transition.batch, ElementsAre(0, 0, 0));
  EXPECT_EQ(transition.transition.num_batches, 1U);
  EXPECT_DOUBLE_EQ(transition.transition.max_before, 4.0);
  EXPECT_DOUBLE_EQ(transition.transition.max_utilisation, 4.0);
}

TEST_F(TransitionTest, AFlowWaitsForTheOneWhosePlaceItTakes) {
  // Two spines with two flows each; one flow of each goes, the second onto the place of the first.
  const TransitionPlan transition = plan({0, 0, 1, 1}, {2, 0, 0, 1});
  EXPECT_THAT(transition.batch, ElementsAre(0, 1));
  EXPECT_EQ(transition.transition.num_batches, 2U);
  EXPECT_DOUBLE_EQ(transition.transition.max_before, 2.0);
  EXPECT_DOUBLE_EQ(transition.transition.max_all_at_once, 3.0);
  EXPECT_DOUBLE_EQ(transition.transition.max_utilisation, 2.0);
}

TEST_F(TransitionTest, WhereFlowsOnlyTradePlacesSomeLinkIsFullerForAWhile) {
  const TransitionPlan transition = plan({0, 1, 2, 3}, {1, 0, 2, 3});
  EXPECT_THAT(transition.batch, ElementsAre(0, 1));
  EXPECT_DOUBLE_EQ(transition.transition.max_utilisation, 2.0);
  EXPECT_DOUBLE_EQ(transition.transition.max_all_at_once, 2.0);
}

TEST_F(TransitionTest, FlowsFromNowhereGoFirst) {
  const std::vector<LinkId> from = over(0, 0), to = over(0, 1), placed = over(1, 0);
  const std::vector<MovedFlow> moves = {{0, from, to}, {1, {}, placed}};
  const std::vector<PathIndex> routing = {1, 0, 1, 2};
  const TransitionPlan transition = plan_transition(*problem_, routing, moves, {});
  EXPECT_EQ(transition.batch[1], 0U);
}

TEST_F(TransitionTest, AFlowWhoseHostIsBehindLoadsBothItsPaths) {
  const std::vector<LinkId> stray_path = over(3, 0);
  const std::vector<StrayFlow> strays = {{3, stray_path}};
  const std::vector<LinkId> from = over(0, 1), to = over(0, 0);
  const std::vector<MovedFlow> moves = {{0, from, to}};
  const std::vector<PathIndex> routing = {0, 1, 2, 3};
  const TransitionPlan transition = plan_transition(*problem_, routing, moves, strays);
  EXPECT_DOUBLE_EQ(transition.transition.max_utilisation, 2.0);
}

}  // namespace
}  // namespace spineweave::service::test
