#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "spineweave/fabric.hpp"
#include "support/error_text.hpp"

namespace spineweave {
namespace {

using test::error_text;
using testing::AllOf;
using testing::HasSubstr;

std::string refusal(std::string_view spec) {
  return error_text(ErrorCode::usage, [&] { (void)build_fabric(spec); });
}

std::size_t count_links(const Fabric& fabric, std::string_view from, std::string_view to) {
  const auto links = fabric.links_from(fabric.find(from).value());
  const NodeId target = fabric.find(to).value();
  return static_cast<std::size_t>(
      std::count_if(links.begin(), links.end(), [&](const Link& l) { return l.to == target; }));
}

TEST(FabricSpec, LeafSpineJoinsEveryLeafToEverySpine) {
  const Fabric fabric = build_fabric("leaf-spine:leaves=3,spines=2,hosts=4,gbps=100");
  EXPECT_EQ(fabric.num_endpoints(), 12U);
  EXPECT_EQ(fabric.num_switches(), 5U);
  EXPECT_EQ(fabric.num_links(), 2U * (12 + 6));
  ASSERT_NE(fabric.clos(), nullptr);
  EXPECT_TRUE(fabric.clos()->symmetric);
  EXPECT_EQ(fabric.clos()->num_tiers, 2U);
  for (const Link& link : fabric.links()) EXPECT_EQ(link.capacity_bps, 100'000'000'000U);
}

TEST(FabricSpec, LeafSpineEndpointsAreNumberedLeafByLeaf) {
  const Fabric fabric = build_fabric("leaf-spine:leaves=12,spines=1,hosts=11,gbps=100");
  for (EndpointId e = 0; e < fabric.num_endpoints(); ++e) {
    EXPECT_EQ(fabric.node(e).name, "host-" + std::to_string(e / 11) + "-" + std::to_string(e % 11));
    EXPECT_EQ(fabric.node(fabric.links_from(e).front().to).name, "leaf-" + std::to_string(e / 11));
    EXPECT_TRUE(fabric.node(e).host.empty());
  }
}

TEST(FabricSpec, TrunksAndUplinkRatesAreTakenOver) {
  const Fabric fabric = build_fabric("leaf-spine:leaves=2,spines=2,hosts=1,gbps=100,trunk=3,uplink_gbps=40.5");
  EXPECT_EQ(count_links(fabric, "leaf-0", "spine-1"), 3U);
  EXPECT_EQ(fabric.clos()->leaf_trunk, 3U);
  const NodeId leaf = fabric.find("leaf-1").value();
  EXPECT_EQ(fabric.link(fabric.find_link(leaf, fabric.find("spine-0").value(), 2).value()).nominal_bps,
            40'500'000'000U);
  EXPECT_EQ(fabric.links_from(fabric.find("host-1-0").value()).front().nominal_bps, 100'000'000'000U);
}

TEST(FabricSpec, TwoPortsPutAnEndpointOnBothLeavesOfItsPair) {
  const Fabric fabric = build_fabric("leaf-spine:leaves=4,spines=2,hosts=3,gbps=100,ports=2");
  EXPECT_EQ(fabric.num_endpoints(), 6U);
  const EndpointId endpoint = fabric.find("host-1-2").value();
  ASSERT_EQ(fabric.links_from(endpoint).size(), 2U);
  EXPECT_EQ(fabric.node(fabric.links_from(endpoint)[0].to).name, "leaf-2");
  EXPECT_EQ(fabric.node(fabric.links_from(endpoint)[1].to).name, "leaf-3");
  EXPECT_THAT(refusal("leaf-spine:leaves=3,spines=2,hosts=3,gbps=100,ports=2"), HasSubstr("leaves is 3"));
}

TEST(FabricSpec, FatTreeHasTheCountsOfItsArity) {
  const Fabric fabric = build_fabric("fat-tree:k=4,gbps=400");
  EXPECT_EQ(fabric.num_endpoints(), 16U);
  EXPECT_EQ(fabric.num_switches(), 8U + 8 + 4);
  EXPECT_EQ(fabric.num_links(), 2U * 48);
  ASSERT_NE(fabric.clos(), nullptr);
  EXPECT_EQ(fabric.clos()->num_tiers, 3U);
  EXPECT_EQ(fabric.clos()->num_pods, 4U);
  EXPECT_EQ(fabric.clos()->aggs_per_plane, 1U);
  EXPECT_TRUE(fabric.clos()->symmetric);
}

TEST(FabricSpec, FatTreeGroupsOfCoresJoinTheSameAggregationOfEveryPod) {
  const Fabric fabric = build_fabric("fat-tree:k=4,gbps=400");
  for (const char* agg : {"agg-0-1", "agg-3-1"}) {
    EXPECT_EQ(count_links(fabric, agg, "core-1-0"), 1U);
    EXPECT_EQ(count_links(fabric, agg, "core-1-1"), 1U);
    EXPECT_EQ(count_links(fabric, agg, "core-0-0"), 0U);
  }
  EXPECT_EQ(count_links(fabric, "leaf-2-0", "agg-2-1"), 1U);
  EXPECT_EQ(count_links(fabric, "leaf-2-0", "agg-1-1"), 0U);
  EXPECT_EQ(count_links(fabric, "host-2-0-1", "leaf-2-0"), 1U);
}

TEST(FabricSpec, FatTreePodsAndHostsCanBeFewer) {
  const Fabric fabric = build_fabric("fat-tree:k=6,gbps=400,pods=2,hosts=5");
  EXPECT_EQ(fabric.num_endpoints(), 2U * 3 * 5);
  EXPECT_EQ(fabric.clos()->num_pods, 2U);
  EXPECT_EQ(fabric.clos()->num_cores, 9U);
}

TEST(FabricSpec, RailPutsEachRailOfAGroupOnALeafOfItsOwn) {
  const Fabric fabric = build_fabric("rail:hosts=5,rails=3,spines=2,hosts_per_leaf=2,gbps=400");
  EXPECT_EQ(fabric.num_endpoints(), 15U);
  EXPECT_EQ(fabric.num_switches(), 3U * 3 + 2);
  const Node& adapter = fabric.node(fabric.find("host-3 HCA-2").value());
  EXPECT_EQ(adapter.host, "host-3");
  EXPECT_EQ(adapter.rail, 2U);
  EXPECT_EQ(count_links(fabric, "host-3 HCA-2", "leaf-1-rail-2"), 1U);
  EXPECT_EQ(count_links(fabric, "host-4 HCA-3", "leaf-2-rail-3"), 1U);
  EXPECT_EQ(count_links(fabric, "leaf-2-rail-3", "spine-1"), 1U);
}

TEST(FabricSpec, RailNamesAreThoseOfAdapters) {
  const Fabric fabric = build_fabric("rail:hosts=2,rails=2,spines=0,gbps=400");
  for (EndpointId e = 0; e < fabric.num_endpoints(); ++e) {
    const auto name = parse_adapter_name(fabric.node(e).name);
    ASSERT_TRUE(name.has_value());
    EXPECT_EQ(name->host, fabric.node(e).host);
    EXPECT_EQ(name->rail, fabric.node(e).rail);
  }
}

TEST(FabricSpec, RailOnlyTakesASingleGroup) {
  const Fabric fabric = build_fabric("rail:hosts=4,rails=2,spines=0,gbps=400");
  EXPECT_EQ(fabric.num_switches(), 2U);
  EXPECT_EQ(fabric.num_links(), 2U * 8);
  EXPECT_THAT(refusal("rail:hosts=4,rails=2,spines=0,hosts_per_leaf=2,gbps=400"),
              AllOf(HasSubstr("spines is 0"), HasSubstr("2 groups")));
}

TEST(FabricSpec, AnUnknownKindIsRefusedWithTheKinds) {
  EXPECT_THAT(refusal("torus:x=4"), AllOf(HasSubstr("'torus'"), HasSubstr("leaf-spine, fat-tree, rail")));
  EXPECT_THAT(refusal("fattree:k=4,gbps=1"), HasSubstr("did you mean fat-tree?"));
}

TEST(FabricSpec, KeysAreCheckedByName) {
  EXPECT_THAT(refusal("leaf-spine:leaves=2,spines=2,hosts=1"), HasSubstr("gbps=NUMBER is missing"));
  EXPECT_THAT(refusal("leaf-spine:leaves=2,spines=2,gbps=1"), HasSubstr("hosts=N is missing"));
  EXPECT_THAT(refusal("leaf-spine:leaves=2,spines=2,hosts=1,gbps=1,spine=3"), HasSubstr("did you mean spines"));
  EXPECT_THAT(refusal("leaf-spine:leaves=2,leaves=2,spines=2,hosts=1,gbps=1"), HasSubstr("twice"));
}

TEST(FabricSpec, ValuesOutOfRangeAreRefusedWithTheValue) {
  for (const char* gbps : {"0", "-100", "nan", "inf", "fast", "1e-12", "1e7"})
    EXPECT_THAT(refusal(std::string("leaf-spine:leaves=2,spines=2,hosts=1,gbps=") + gbps), HasSubstr("gbps is"))
        << gbps;
  EXPECT_THAT(refusal("leaf-spine:leaves=0,spines=2,hosts=1,gbps=1"), HasSubstr("leaves is '0'"));
  EXPECT_THAT(refusal("fat-tree:k=5,gbps=1"), HasSubstr("even"));
  EXPECT_THAT(refusal("fat-tree:k=258,gbps=1"), HasSubstr("from 2 to 256"));
  EXPECT_THAT(refusal("fat-tree:k=4,gbps=1,pods=5"), HasSubstr("pods is '5'"));
}

TEST(FabricSpec, WhatWouldNotFitInMemoryIsRefusedBeforeItIsBuilt) {
  EXPECT_THAT(refusal("leaf-spine:leaves=65536,spines=65536,hosts=1,gbps=1"), HasSubstr("4295032832 cables"));
  EXPECT_THAT(refusal("leaf-spine:leaves=65536,spines=1,hosts=65536,gbps=1"), HasSubstr("nodes"));
  EXPECT_THAT(refusal("rail:hosts=65536,rails=256,spines=65536,hosts_per_leaf=1,gbps=1"), HasSubstr("cables"));
}

TEST(FabricSpec, IsToldFromFileNames) {
  EXPECT_TRUE(is_fabric_spec("leaf-spine:leaves=64"));
  EXPECT_TRUE(is_fabric_spec("leafspine:leaves=64"));
  EXPECT_TRUE(is_fabric_spec("rail:"));
  for (const char* file : {"fabric.json", "rail", "./rail:a=1", "data/rail:a=1", "a:b", "C:\\fabric.json", ":a=1", ""})
    EXPECT_FALSE(is_fabric_spec(file)) << file;
}

}  // namespace
}  // namespace spineweave
