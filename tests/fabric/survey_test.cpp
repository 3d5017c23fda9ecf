#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spineweave/fabric.hpp"

namespace spineweave {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kRate = 100'000'000'000;

// The names of the finding whose text holds `what`; empty without one.
std::vector<std::string> names_of(const std::vector<Finding>& findings, std::string_view what) {
  for (const Finding& finding : findings)
    if (finding.what.find(what) != std::string::npos) return finding.names;
  return {};
}

std::vector<std::string> named(const Fabric& fabric, std::string_view what) { return names_of(survey(fabric), what); }

Fabric with(std::string_view spec, std::string_view faults) { return with_faults(build_fabric(spec), faults); }

TEST(Survey, FindsNothingInIntactFabrics) {
  for (const char* spec :
       {"leaf-spine:leaves=4,spines=3,hosts=2,gbps=100",
        "leaf-spine:leaves=4,spines=3,hosts=2,gbps=100,ports=2,uplink_gbps=400", "fat-tree:k=4,gbps=400",
        "rail:hosts=6,rails=4,spines=2,hosts_per_leaf=2,gbps=400", "rail:hosts=6,rails=4,spines=0,gbps=400"})
    EXPECT_THAT(survey(build_fabric(spec)), IsEmpty()) << spec;
}

TEST(Survey, NamesLinksThatAreDownOncePerCable) {
  const Fabric fabric = with("leaf-spine:leaves=2,spines=2,hosts=1,gbps=100", "leaf-0-spine-0,leaf-1->spine-1");
  EXPECT_THAT(named(fabric, "down"), ElementsAre("leaf-0-spine-0", "leaf-1->spine-1"));
}

TEST(Survey, NamesDegradedLinksWithTheirRate) {
  FabricBuilder builder;
  const auto leaf = builder.add_switch("leaf");
  builder.add_cable(builder.add_endpoint("a"), leaf, kRate);
  const auto b = builder.add_endpoint("b");
  builder.add_link(b, leaf, kRate, LinkState::degraded, kRate / 4, kRate / 8);
  builder.add_link(leaf, b, kRate);
  EXPECT_THAT(named(builder.finish(), "degraded"), ElementsAre("b->leaf (25 of 100 Gbit/s)"));
}

TEST(Survey, NamesLeafSpinePairsWithFewerCablesOrNone) {
  FabricBuilder builder;
  for (const char* spine : {"spine0", "spine1"}) builder.add_switch(spine, 2);
  for (const char* leaf : {"leaf0", "leaf1", "leaf2"}) {
    const auto switch_handle = builder.add_switch(leaf, 1);
    builder.add_cable(builder.add_endpoint(std::string("host-") + leaf), switch_handle, kRate);
    for (const char* spine : {"spine0", "spine1"}) {
      const std::string pair = std::string(leaf) + spine;
      const int cables = pair == "leaf1spine0" ? 0 : pair == "leaf2spine1" ? 1 : 2;
      for (int c = 0; c < cables; ++c) builder.add_cable(switch_handle, builder.find(spine).value(), kRate);
    }
  }
  const Fabric fabric = builder.finish();
  EXPECT_THAT(named(fabric, "leaf-spine pairs without a cable"), ElementsAre("leaf1-spine0"));
  EXPECT_THAT(named(fabric, "leaf-spine pairs with fewer than 2 cables"), ElementsAre("leaf2-spine1 (1)"));
}

TEST(Survey, ComparesThePairsOfEachTierOfAFatTree) {
  FabricBuilder builder;
  for (int c = 0; c < 4; ++c) builder.add_switch("core" + std::to_string(c), 3);
  for (int pod = 0; pod < 2; ++pod) {
    for (int a = 0; a < 2; ++a) {
      const auto agg = builder.add_switch("agg" + std::to_string(pod) + std::to_string(a), 2);
      for (int c = 0; c < 2; ++c)
        if (pod + a + c < 3) builder.add_cable(agg, builder.find("core" + std::to_string(2 * a + c)).value(), kRate);
    }
    for (int l = 0; l < 2; ++l) {
      const std::string name = "leaf" + std::to_string(pod) + std::to_string(l);
      const auto leaf = builder.add_switch(name, 1);
      builder.add_cable(builder.add_endpoint("host-" + name), leaf, kRate);
      for (int a = 0; a < 2; ++a)
        if (pod + l + a > 0)
          builder.add_cable(leaf, builder.find("agg" + std::to_string(pod) + std::to_string(a)).value(), kRate);
    }
  }
  const Fabric fabric = builder.finish();
  ASSERT_NE(fabric.clos(), nullptr);
  EXPECT_THAT(named(fabric, "leaf-aggregation pairs of a pod without a cable"), ElementsAre("leaf00-agg00"));
  EXPECT_THAT(named(fabric, "aggregation-core pairs of a plane without a cable"), ElementsAre("agg11-core3"));
}

TEST(Survey, NamesCablesUnlikeMostOfTheirTier) {
  FabricBuilder builder;
  const auto leaf = builder.add_switch("leaf");
  for (const char* host : {"a", "b", "c"})
    builder.add_cable(builder.add_endpoint(host), leaf, *host == 'b' ? kRate / 2 : kRate);
  EXPECT_THAT(named(builder.finish(), "links up from tier 0 without the 100 Gbit/s of most"),
              ElementsAre("b->leaf (50 Gbit/s)"));
}

TEST(Survey, CountsPairsOfLeavesWithoutALivePath) {
  const char* spec = "leaf-spine:leaves=4,spines=2,hosts=1,gbps=100";
  EXPECT_THAT(named(with(spec, "leaf-0-spine-0,leaf-1-spine-1"), "pairs of leaves"), ElementsAre("leaf-0-leaf-1"));
  EXPECT_THAT(named(with(spec, "leaf-2->spine-0,leaf-2->spine-1"), "pairs of leaves"),
              ElementsAre("leaf-2->leaf-0", "leaf-2->leaf-1", "leaf-2->leaf-3"));
  EXPECT_THAT(named(with(spec, "spine-0"), "pairs of leaves"), IsEmpty());
}

TEST(Survey, FollowsPathsUpAndDownOnlyInAFatTree) {
  // Leaves 0-0 and 1-0 keep one aggregation each, of different planes: a way by a third leaf is a valley.
  const Fabric fabric = with("fat-tree:k=4,gbps=100", "leaf-0-0-agg-0-0,leaf-1-0-agg-1-1");
  EXPECT_THAT(named(fabric, "pairs of leaves"), ElementsAre("leaf-0-0-leaf-1-0"));
}

TEST(Survey, CapsTheNamesOfPairsAndSaysHowManyThereAre) {
  const Fabric fabric = with("leaf-spine:leaves=60,spines=1,hosts=1,gbps=100", "spine-0");
  EXPECT_EQ(named(fabric, "pairs of leaves without a live path (1770 in all").size(), 1000U);
}

TEST(Survey, FollowsAnyWayWhereTiersAreNotKnown) {
  // A ring of four switches, each with an endpoint: all are leaves, so no tier holds.
  FabricBuilder builder;
  for (const char* name : {"s0", "s1", "s2", "s3"})
    builder.add_cable(builder.add_endpoint(std::string("h") + name), builder.add_switch(name), kRate);
  for (int s = 0; s < 4; ++s)
    builder.add_cable(builder.find("s" + std::to_string(s)).value(),
                      builder.find("s" + std::to_string((s + 1) % 4)).value(), kRate);
  const Fabric ring = builder.finish();
  ASSERT_FALSE(ring.tiers_known());
  EXPECT_THAT(named(ring, "pairs of leaves"), IsEmpty());
  EXPECT_THAT(named(with_faults(ring, "s0-s1"), "pairs of leaves"), IsEmpty());
  EXPECT_EQ(named(with_faults(ring, "s0-s1,s2-s3"), "pairs of leaves").size(), 4U);
  EXPECT_THAT(named(with_faults(ring, "s0-s1,s0-s3"), "pairs of leaves"), ElementsAre("s0-s1", "s0-s2", "s0-s3"));
}

TEST(Survey, NamesSwitchesThatReachNothing) {
  EXPECT_THAT(named(with("leaf-spine:leaves=3,spines=2,hosts=1,gbps=100", "spine:1"), "reach nothing"),
              ElementsAre("spine-1"));
}

TEST(Survey, NamesHostsWithARailMissingAndHostsUnlikeTheOthers) {
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> leaves;
  for (std::uint32_t r = 0; r < 4; ++r) leaves.push_back(builder.add_switch("leaf" + std::to_string(r)));
  const auto add_host = [&](const std::string& host, std::initializer_list<std::uint32_t> rails) {
    for (const std::uint32_t r : rails)
      builder.add_cable(builder.add_endpoint(host + " " + std::to_string(r), host, r), leaves[r % 4], kRate);
  };
  add_host("n1", {0, 1, 2, 3});
  add_host("n2", {0, 1, 2, 3});
  add_host("n10", {0, 1, 3});
  add_host("manager", {0, 1});
  add_host("storage", {0, 1, 2, 3, 7});
  const std::vector<Finding> findings = survey(builder.finish());
  EXPECT_THAT(names_of(findings, "hosts with a rail missing"), ElementsAre("n10 (rail 2)"));
  EXPECT_THAT(names_of(findings, "hosts with fewer rails than most"),
              ElementsAre("manager (has 0, 1)", "storage (has 0, 1, 2, 3, 7)"));
  EXPECT_THAT(names_of(findings, "leaves that serve more than one rail"),
              ElementsAre("leaf3 (4 on rail 3, 1 on rail 7)"));
}

TEST(Survey, TakesLeavesThatServeAllRailsForMeantSo) {
  FabricBuilder builder;
  for (int l = 0; l < 2; ++l) {
    const auto leaf = builder.add_switch("leaf" + std::to_string(l));
    for (std::uint32_t r = 0; r < 2; ++r) {
      const std::string host = "n" + std::to_string(l);
      builder.add_cable(builder.add_endpoint(host + " " + std::to_string(r), host, r), leaf, kRate);
    }
  }
  EXPECT_THAT(named(builder.finish(), "more than one rail"), IsEmpty());
}

}  // namespace
}  // namespace spineweave
