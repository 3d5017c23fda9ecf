#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "spineweave/workload.hpp"
#include "workload/spec_refusal.hpp"

namespace spineweave {
namespace {

using test::refusal;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Ranks = std::vector<std::string>;

Ranks ranks_of(const Fabric& fabric, const Collective& collective) {
  Ranks names;
  for (const EndpointId rank : collective.ranks) names.push_back(fabric.node(rank).name);
  return names;
}

Ranks names_of(const Workload& workload, std::string_view what) {
  for (const Finding& finding : workload.findings)
    if (finding.what.find(what) != std::string::npos) return finding.names;
  return {};
}

Fabric plain() { return build_fabric("leaf-spine:leaves=3,spines=2,hosts=4,gbps=100"); }

// Hosts with adapters on the given rails, each rail on a leaf of its own.
class HostFabric {
 public:
  HostFabric() : spine_(builder_.add_switch("spine")) {
    for (std::uint32_t r = 0; r < 10; ++r) {
      leaves_.push_back(builder_.add_switch("leaf" + std::to_string(r)));
      builder_.add_cable(leaves_.back(), spine_, 100);
    }
  }
  HostFabric& host(const std::string& name, std::initializer_list<std::uint32_t> rails) {
    for (const std::uint32_t rail : rails) adapter(name + "/" + std::to_string(rail), name, rail);
    return *this;
  }
  HostFabric& adapter(const std::string& name, const std::string& host, std::uint32_t rail) {
    builder_.add_cable(builder_.add_endpoint(name, host, rail), leaves_[rail % 10], 100);
    return *this;
  }
  Fabric finish() { return builder_.finish(); }

 private:
  FabricBuilder builder_;
  FabricBuilder::Handle spine_;
  std::vector<FabricBuilder::Handle> leaves_;
};

TEST(Groups, PackedJobsTakeConsecutiveEndpoints) {
  const Fabric fabric = plain();
  const Workload workload = build_workload(fabric, "rings:jobs=2,size=3,placement=packed,seed=9,bytes=2GB,qps=4");
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_EQ(workload.jobs[0].id, "0");
  EXPECT_EQ(workload.jobs[1].id, "1");
  ASSERT_EQ(workload.jobs[1].collectives.size(), 1U);
  const Collective& ring = workload.jobs[1].collectives[0];
  EXPECT_EQ(ring.kind, CollectiveKind::ring_allreduce);
  EXPECT_EQ(ring.qps, 4U);
  EXPECT_EQ(ring.bytes, 2'000'000'000U);
  EXPECT_THAT(ring.ranks, ElementsAre(3, 4, 5));
  EXPECT_THAT(workload.findings, IsEmpty());
}

TEST(Groups, AreOfTheCollectiveThatTheKindNames) {
  const Fabric fabric = plain();
  EXPECT_EQ(build_workload(fabric, "all-reduce:size=4").jobs[0].collectives[0].kind, CollectiveKind::ring_allreduce);
  const Workload workload = build_workload(fabric, "all-to-all:size=4");
  EXPECT_EQ(workload.jobs[0].collectives[0].kind, CollectiveKind::all_to_all);
  EXPECT_EQ(expand_flows(fabric, workload).size(), 3U * 12);
}

TEST(Groups, WithoutJobsAsManyAsFitAndTheRestIsNamed) {
  const Fabric fabric = plain();
  const Workload workload = build_workload(fabric, "rings:size=5");
  EXPECT_EQ(workload.jobs.size(), 2U);
  EXPECT_THAT(names_of(workload, "endpoints left over"), ElementsAre("host-2-2", "host-2-3"));
  EXPECT_THAT(build_workload(fabric, "rings:size=4").findings, IsEmpty());
}

TEST(Groups, OneJobWithoutASizeTakesAll) {
  const Workload workload = build_workload(plain(), "rings:jobs=1");
  ASSERT_EQ(workload.jobs.size(), 1U);
  EXPECT_EQ(workload.jobs[0].collectives[0].ranks.size(), 12U);
  EXPECT_THAT(refusal(plain(), "rings:jobs=2"), HasSubstr("size=N is missing"));
  EXPECT_THAT(refusal(plain(), "rings:"), HasSubstr("size=N is missing"));
}

TEST(Groups, RandomPlacementUsesEveryEndpointAtMostOnceAndFollowsFromTheSeed) {
  const Fabric fabric = plain();
  const auto place = [&](std::string_view spec) {
    std::vector<EndpointId> ranks;
    for (const Job& job : build_workload(fabric, spec).jobs)
      ranks.insert(ranks.end(), job.collectives[0].ranks.begin(), job.collectives[0].ranks.end());
    EXPECT_EQ(std::set<EndpointId>(ranks.begin(), ranks.end()).size(), ranks.size());
    return ranks;
  };
  const auto random = place("rings:jobs=3,size=4,placement=random,seed=5");
  EXPECT_EQ(random, place("rings:jobs=3,size=4,seed=5,order=shuffled"));
  EXPECT_NE(random, place("rings:jobs=3,size=4,placement=random,seed=6"));
  EXPECT_NE(random, place("rings:jobs=3,size=4,placement=packed,seed=5"));
}

TEST(Groups, MoreThanFitsIsRefusedWithTheNumbers) {
  EXPECT_THAT(refusal(plain(), "rings:jobs=4,size=4"),
              AllOf(HasSubstr("4 job(s) of 4 endpoints need 16"), HasSubstr("has 12")));
  EXPECT_THAT(refusal(plain(), "rings:size=13"), AllOf(HasSubstr("need 13"), HasSubstr("has 12")));
  EXPECT_THAT(refusal(plain(), "rings:jobs=4294967295,size=4294967295"), HasSubstr("has 12"));
  const Fabric lone = build_fabric("leaf-spine:leaves=1,spines=1,hosts=1,gbps=100");
  EXPECT_THAT(refusal(lone, "rings:jobs=1"), AllOf(HasSubstr("need 2"), HasSubstr("has 1")));
}

TEST(Groups, ValuesAreChecked) {
  EXPECT_THAT(refusal(plain(), "rings:size=1"), HasSubstr("size is '1'"));
  EXPECT_THAT(refusal(plain(), "rings:jobs=0,size=2"), HasSubstr("jobs is '0'"));
  EXPECT_THAT(refusal(plain(), "rings:size=2,placement=scattered"), HasSubstr("expected packed or random"));
  EXPECT_THAT(refusal(plain(), "rings:size=2,order=random"), HasSubstr("expected natural or shuffled"));
  EXPECT_THAT(refusal(plain(), "rings:size=2,order=natural,placement=random"), HasSubstr("contradict"));
  EXPECT_THAT(refusal(plain(), "rings:size=2,sise=4"), HasSubstr("did you mean size"));
}

TEST(GroupsOnHosts, MakeOneRingARailInHostOrder) {
  const Fabric fabric =
      HostFabric().host("n10", {0, 1}).host("n2", {0, 1}).host("n1", {0, 1}).host("n3", {0, 1}).finish();
  const Workload workload = build_workload(fabric, "rings:size=2");
  ASSERT_EQ(workload.jobs.size(), 2U);
  ASSERT_EQ(workload.jobs[0].collectives.size(), 2U);
  EXPECT_EQ(ranks_of(fabric, workload.jobs[0].collectives[0]), (Ranks{"n1/0", "n2/0"}));
  EXPECT_EQ(ranks_of(fabric, workload.jobs[0].collectives[1]), (Ranks{"n1/1", "n2/1"}));
  EXPECT_EQ(ranks_of(fabric, workload.jobs[1].collectives[0]), (Ranks{"n3/0", "n10/0"}));
}

TEST(GroupsOnHosts, ShuffledOrderIsTheSameOnEveryRail) {
  const Fabric fabric = build_fabric("rail:hosts=12,rails=3,spines=2,hosts_per_leaf=4,gbps=400");
  const Workload workload = build_workload(fabric, "rings:jobs=1,order=shuffled,seed=9");
  ASSERT_EQ(workload.jobs.size(), 1U);
  ASSERT_EQ(workload.jobs[0].collectives.size(), 3U);
  std::set<std::vector<std::string>> orders;
  for (const Collective& ring : workload.jobs[0].collectives) {
    std::vector<std::string> hosts;
    for (const EndpointId rank : ring.ranks) hosts.push_back(fabric.node(rank).host);
    EXPECT_EQ(hosts.size(), 12U);
    orders.insert(hosts);
  }
  EXPECT_EQ(orders.size(), 1U);
}

TEST(GroupsOnHosts, AHostWithoutARailIsLeftOutOfThatRingAndNamed) {
  const Fabric fabric =
      HostFabric().host("a", {1, 2, 5}).host("b", {1, 2}).host("c", {1, 2, 5}).host("d", {1, 2, 5}).finish();
  const Workload workload = build_workload(fabric, "rings:jobs=1");
  ASSERT_EQ(workload.jobs[0].collectives.size(), 3U);
  EXPECT_EQ(ranks_of(fabric, workload.jobs[0].collectives[1]), (Ranks{"a/2", "b/2", "c/2", "d/2"}));
  EXPECT_EQ(ranks_of(fabric, workload.jobs[0].collectives[2]), (Ranks{"a/5", "c/5", "d/5"}));
  EXPECT_THAT(names_of(workload, "without an adapter on a rail"), ElementsAre("b (rail 5)"));
}

TEST(GroupsOnHosts, ARailWithOneAdapterIsDroppedAndNamed) {
  const Fabric fabric =
      HostFabric().host("a", {1, 2, 5}).host("b", {1, 2}).host("c", {1, 2, 5}).host("d", {1, 2, 5}).finish();
  const Workload workload = build_workload(fabric, "rings:size=2");
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_EQ(workload.jobs[0].collectives.size(), 2U);
  EXPECT_EQ(workload.jobs[1].collectives.size(), 3U);
  EXPECT_THAT(names_of(workload, "dropped"), ElementsAre("job 0 rail 5"));
}

TEST(GroupsOnHosts, TheTailThatIsTooSmallIsNamed) {
  const Fabric fabric = build_fabric("rail:hosts=7,rails=2,spines=1,gbps=400");
  const Workload workload = build_workload(fabric, "rings:size=3");
  EXPECT_EQ(workload.jobs.size(), 2U);
  EXPECT_THAT(names_of(workload, "hosts left over"), ElementsAre("host-6"));
  EXPECT_THAT(refusal(fabric, "rings:jobs=3,size=3"), AllOf(HasSubstr("3 hosts need 9"), HasSubstr("has 7")));
}

TEST(GroupsOnHosts, OnlyComputeHostsArePlaced) {
  // Four rails are what most hosts have. A manager on two of them and a host with a rail of its own stay out.
  const Fabric fabric = HostFabric()
                            .host("gpu1", {1, 2, 5, 6})
                            .host("gpu2", {1, 2, 5, 6})
                            .host("gpu3", {1, 2, 6})
                            .host("manager", {1, 2})
                            .host("storage", {1, 2, 5, 6, 9})
                            .finish();
  const Workload workload = build_workload(fabric, "rings:jobs=1");
  EXPECT_EQ(ranks_of(fabric, workload.jobs[0].collectives[0]), (Ranks{"gpu1/1", "gpu2/1", "gpu3/1"}));
  EXPECT_THAT(names_of(workload, "hosts left out"),
              ElementsAre("manager (rails 1, 2)", "storage (rails 1, 2, 5, 6, 9)"));
}

TEST(GroupsOnHosts, AdaptersWithoutHostOrRailAreLeftOutAndNamed) {
  const Fabric fabric =
      HostFabric().host("a", {1}).host("b", {1}).adapter("lone", "", 3).adapter("x", "c", kNone).finish();
  const Workload workload = build_workload(fabric, "rings:jobs=1");
  EXPECT_EQ(ranks_of(fabric, workload.jobs[0].collectives[0]), (Ranks{"a/1", "b/1"}));
  EXPECT_THAT(names_of(workload, "adapters left out"), ElementsAre("lone", "x"));
}

TEST(GroupsOnHosts, TwoAdaptersOfAHostOnOneRailGoIntoRingsOfTheirOwn) {
  HostFabric hosts;
  for (const char* host : {"a", "b"})
    for (const char* port : {"p0", "p1"}) hosts.adapter(std::string(host) + port, host, 1);
  const Fabric fabric = hosts.finish();
  const Workload workload = build_workload(fabric, "rings:jobs=1");
  ASSERT_EQ(workload.jobs[0].collectives.size(), 2U);
  EXPECT_EQ(ranks_of(fabric, workload.jobs[0].collectives[0]), (Ranks{"ap0", "bp0"}));
  EXPECT_EQ(ranks_of(fabric, workload.jobs[0].collectives[1]), (Ranks{"ap1", "bp1"}));
}

}  // namespace
}  // namespace spineweave
