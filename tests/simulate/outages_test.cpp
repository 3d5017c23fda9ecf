#include "simulate/outages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "spineweave/error.hpp"
#include "support/error_text.hpp"

namespace spineweave::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<const Fabric> small_fabric() {
  return std::make_shared<const Fabric>(build_fabric("leaf-spine:leaves=2,spines=2,hosts=2,gbps=100"));
}

std::vector<std::size_t> links_down(const std::vector<FabricState>& states) {
  std::vector<std::size_t> down;
  for (const FabricState& state : states)
    down.push_back(static_cast<std::size_t>(std::ranges::count(state.fabric->links(), LinkState::down, &Link::state)));
  return down;
}

TEST(Outages, FollowFailuresAndRecoveriesInTheOrderOfTime) {
  const auto fabric = small_fabric();
  const std::vector<FabricEvent> events = {{20, false, "spine:0"}, {10, true, "spine:0"}, {15, true, "spine:1"}};
  const auto states = play_outages(fabric, events);
  EXPECT_THAT(links_down(states), ElementsAre(0U, 4U, 8U, 4U));
  EXPECT_EQ(states[1].from_ns, 10U);
  EXPECT_EQ(states[3].from_ns, 20U);
}

TEST(Outages, AtTimeZeroAreThereFromTheStart) {
  const auto states = play_outages(small_fabric(), std::vector<FabricEvent>{{0, true, "spine:0"}});
  EXPECT_THAT(links_down(states), ElementsAre(4U));
}

TEST(Outages, WhatAnotherFailureHoldsDownStaysDown) {
  const std::vector<FabricEvent> events = {{1, true, "spine:0"}, {2, true, "leaf-0-spine-0"}, {3, false, "spine:0"}};
  EXPECT_THAT(links_down(play_outages(small_fabric(), events)), ElementsAre(0U, 4U, 4U, 2U));
}

TEST(Outages, ARecoveryMayCallTheSameLinksAnotherName) {
  const std::vector<FabricEvent> events = {{1, true, "spine:0"}, {2, false, "spine-0"}};
  EXPECT_THAT(links_down(play_outages(small_fabric(), events)), ElementsAre(0U, 4U, 0U));
}

TEST(Outages, AreRefusedWithoutAFailureOrATarget) {
  const auto refusal = [](const std::vector<FabricEvent>& events) {
    return error_text(ErrorCode::usage, [&] { (void)play_outages(small_fabric(), events); });
  };
  EXPECT_THAT(refusal({{5, false, "spine:0"}}), HasSubstr("recovery of 'spine:0' at 5 ns: nothing failed by then"));
  EXPECT_THAT(refusal({{5, false, "spine:0"}, {6, true, "spine:0"}}), HasSubstr("nothing has failed at all"));
  EXPECT_THAT(refusal({{5, true, "spine:1"}, {6, false, "spine:0"}}), HasSubstr("failed are spine:1"));
  EXPECT_THAT(refusal({{5, true, "spine:7"}}), HasSubstr("fault 'spine:7'"));
}

}  // namespace
}  // namespace spineweave::test
