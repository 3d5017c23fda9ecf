#include "spineweave/fabric.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spineweave/error.hpp"

namespace spineweave {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kGbps = 1000000000ULL;

// Two leaves, two spines, one endpoint a leaf, in the given order of declaration.
Fabric small_clos(bool backwards) {
  FabricBuilder builder;
  std::vector<std::string> switches = {"leaf2", "leaf10", "spine1", "spine2"};
  if (backwards) std::reverse(switches.begin(), switches.end());
  for (const auto& name : switches) builder.add_switch(name);
  builder.add_endpoint(backwards ? "host10" : "host2");
  builder.add_endpoint(backwards ? "host2" : "host10");
  const auto cable = [&](const char* a, const char* b) {
    builder.add_cable(*builder.find(a), *builder.find(b), 100 * kGbps);
  };
  cable("host2", "leaf2");
  cable("leaf10", "host10");
  for (const char* leaf : {"leaf10", "leaf2"})
    for (const char* spine : {"spine2", "spine1"}) cable(leaf, spine);
  return builder.finish();
}

std::string error_of(FabricBuilder& builder) {
  try {
    (void)builder.finish();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
    return error.what();
  }
  return "no error";
}

TEST(Fabric, NumbersNodesByTierAndNaturalNameWhateverTheOrderOfDeclaration) {
  const Fabric a = small_clos(false);
  const Fabric b = small_clos(true);
  EXPECT_EQ(a.digest(), b.digest());
  ASSERT_EQ(a.num_nodes(), 6U);
  EXPECT_EQ(a.node(0).name, "host2");
  EXPECT_EQ(a.node(1).name, "host10");
  EXPECT_EQ(a.node(2).name, "leaf2");
  EXPECT_EQ(a.node(5).name, "spine2");
}

TEST(Fabric, RecognisesTiersFromEndpoints) {
  const Fabric fabric = small_clos(false);
  ASSERT_TRUE(fabric.tiers_known());
  ASSERT_NE(fabric.clos(), nullptr);
  EXPECT_EQ(fabric.clos()->num_tiers, 2U);
  EXPECT_EQ(fabric.clos()->num_leaves, 2U);
  EXPECT_EQ(fabric.clos()->aggs_per_pod, 2U);
  EXPECT_TRUE(fabric.clos()->symmetric);
}

TEST(Fabric, FindsNodesLinksAndTheOtherDirection) {
  const Fabric fabric = small_clos(false);
  const LinkId up = *fabric.find_link(*fabric.find("leaf2"), *fabric.find("spine1"), 0);
  EXPECT_EQ(fabric.link_name(up), "leaf2->spine1");
  EXPECT_EQ(fabric.link_name(fabric.reverse(up)), "spine1->leaf2");
  EXPECT_FALSE(fabric.find("leaf3").has_value());
  EXPECT_FALSE(fabric.find_link(*fabric.find("leaf2"), *fabric.find("spine1"), 1).has_value());
}

TEST(Fabric, KeepsParallelCablesApart) {
  FabricBuilder builder;
  const auto leaf = builder.add_switch("leaf");
  const auto spine = builder.add_switch("spine");
  const auto host = builder.add_endpoint("host");
  builder.add_cable(host, leaf, kGbps);
  builder.add_cable(leaf, spine, kGbps);
  builder.add_cable(leaf, spine, kGbps);
  const Fabric fabric = builder.finish();
  EXPECT_EQ(fabric.clos()->leaf_trunk, 2U);
  const LinkId second = *fabric.find_link(*fabric.find("leaf"), *fabric.find("spine"), 1);
  EXPECT_EQ(fabric.link_name(second), "leaf->spine#1");
  EXPECT_EQ(fabric.link(fabric.reverse(second)).parallel, 1U);
}

TEST(Fabric, IgnoresAggregationNodesOnSpinesWhenItLooksForLeaves) {
  FabricBuilder builder;
  const auto leaf = builder.add_switch("leaf");
  const auto spine = builder.add_switch("spine");
  builder.add_cable(builder.add_endpoint("host"), leaf, kGbps);
  builder.add_cable(leaf, spine, kGbps);
  builder.add_cable(builder.add_endpoint("sharp", "", kNone, NodeRole::aggregation), spine, kGbps);
  const Fabric fabric = builder.finish();
  EXPECT_EQ(fabric.node(*fabric.find("spine")).tier, 2U);
  EXPECT_NE(fabric.clos(), nullptr);
}

TEST(Fabric, HasNoTiersWhereLeavesAreCabledToEachOther) {
  FabricBuilder builder;
  const auto a = builder.add_switch("a");
  const auto b = builder.add_switch("b");
  builder.add_cable(builder.add_endpoint("x"), a, kGbps);
  builder.add_cable(builder.add_endpoint("y"), b, kGbps);
  builder.add_cable(a, b, kGbps);
  const Fabric fabric = builder.finish();
  EXPECT_FALSE(fabric.tiers_known());
  EXPECT_EQ(fabric.clos(), nullptr);
}

TEST(Fabric, AlignsPlanesAcrossPodsEvenWhereAnAggregationIsMissing) {
  // Two pods of two aggregations, one core a plane; pod B has lost its aggregation of plane 0.
  FabricBuilder builder;
  const auto core0 = builder.add_switch("core0", 3);
  const auto core1 = builder.add_switch("core1", 3);
  for (const char* pod : {"A", "B"}) {
    const std::string name(pod);
    const auto leaf = builder.add_switch("leaf" + name, 1);
    builder.add_cable(builder.add_endpoint("host" + name), leaf, kGbps);
    for (int plane = name == "B" ? 1 : 0; plane < 2; ++plane) {
      const auto agg = builder.add_switch("agg" + name + std::to_string(plane), 2);
      builder.add_cable(leaf, agg, kGbps);
      builder.add_cable(agg, plane == 0 ? core0 : core1, kGbps);
    }
  }
  const Fabric fabric = builder.finish();
  ASSERT_NE(fabric.clos(), nullptr);
  const auto position = [&](const char* name) {
    return fabric.clos()->position[*fabric.find(name) - fabric.num_endpoints()];
  };
  EXPECT_EQ(position("aggA1"), position("aggB1"));
  EXPECT_NE(position("aggA0"), position("aggA1"));
  EXPECT_FALSE(fabric.clos()->symmetric);
  EXPECT_EQ(fabric.node(*fabric.find("leafB")).pod, 1U);
}

TEST(FabricErrors, NameTheCulprit) {
  FabricBuilder builder;
  const auto leaf = builder.add_switch("leaf");
  const auto host = builder.add_endpoint("host");
  EXPECT_THROW(builder.add_switch("leaf"), Error);
  EXPECT_THROW(builder.add_switch("zero", 0), Error);
  EXPECT_THROW(builder.add_switch(""), Error);
  EXPECT_THROW(builder.add_link(leaf, leaf, kGbps), Error);
  EXPECT_THROW(builder.add_link(leaf, host, 0), Error);
  EXPECT_THROW(builder.add_link(leaf, host, kGbps, LinkState::degraded, 2 * kGbps), Error);
  EXPECT_THROW(builder.add_link(leaf, host, kGbps, LinkState::up, 0, kGbps), Error);
  EXPECT_THROW(builder.add_link(builder.add_endpoint("other"), host, kGbps), Error);
  EXPECT_THAT(error_of(builder), HasSubstr("no link at all"));
}

TEST(FabricErrors, CountAndNameMissingReverseDirections) {
  FabricBuilder builder;
  const auto leaf = builder.add_switch("leaf");
  builder.add_cable(builder.add_endpoint("host"), leaf, kGbps);
  builder.add_link(leaf, builder.add_switch("spine"), kGbps);
  EXPECT_THAT(error_of(builder), HasSubstr("1 link(s) have no reverse direction: leaf->spine"));
}

}  // namespace
}  // namespace spineweave
