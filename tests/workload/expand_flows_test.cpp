#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spineweave/workload.hpp"
#include "support/error_text.hpp"

namespace spineweave {
namespace {

using test::error_text;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

using Pairs = std::vector<std::pair<EndpointId, EndpointId>>;

Fabric fabric_of_8() { return build_fabric("leaf-spine:leaves=2,spines=2,hosts=4,gbps=100"); }

Workload one_job(std::vector<Collective> collectives) {
  Workload workload;
  workload.jobs.push_back({"job", "", 0, 0, 0, kAllPhases, std::move(collectives)});
  return workload;
}

Pairs pairs_of(CollectiveKind kind, std::vector<EndpointId> ranks) {
  Pairs pairs;
  for (const FlowSpec& flow : expand_flows(fabric_of_8(), one_job({{kind, 1, 10, std::move(ranks)}})))
    pairs.emplace_back(flow.src, flow.dst);
  return pairs;
}

std::string refusal(const Fabric& fabric, const Workload& workload) {
  return error_text(ErrorCode::bad_input, [&] { (void)expand_flows(fabric, workload); });
}

std::string refusal(Collective collective) { return refusal(fabric_of_8(), one_job({std::move(collective)})); }

TEST(ExpandFlows, RingsGoFromEachRankToTheNext) {
  const Pairs ring = {{5, 0}, {0, 3}, {3, 5}};
  EXPECT_EQ(pairs_of(CollectiveKind::ring_allreduce, {5, 0, 3}), ring);
  EXPECT_EQ(pairs_of(CollectiveKind::all_gather, {5, 0, 3}), ring);
  EXPECT_EQ(pairs_of(CollectiveKind::reduce_scatter, {5, 0, 3}), ring);
}

TEST(ExpandFlows, ARingOfTwoIsTwoFlows) {
  EXPECT_EQ(pairs_of(CollectiveKind::ring_allreduce, {1, 6}), (Pairs{{1, 6}, {6, 1}}));
}

TEST(ExpandFlows, AllToAllGoesBySourceThenTarget) {
  EXPECT_EQ(pairs_of(CollectiveKind::all_to_all, {4, 2, 7}), (Pairs{{4, 2}, {4, 7}, {2, 4}, {2, 7}, {7, 4}, {7, 2}}));
}

TEST(ExpandFlows, TreesAreBinaryAndUseEveryEdgeBothWays) {
  EXPECT_EQ(pairs_of(CollectiveKind::tree_allreduce, {0, 1, 2, 3, 4}),
            (Pairs{{1, 0}, {0, 1}, {2, 0}, {0, 2}, {3, 1}, {1, 3}, {4, 1}, {1, 4}}));
}

TEST(ExpandFlows, P2pIsOneFlow) { EXPECT_EQ(pairs_of(CollectiveKind::p2p, {7, 2}), (Pairs{{7, 2}})); }

TEST(ExpandFlows, PipelinesGoFromEachStageToTheNext) {
  EXPECT_EQ(pairs_of(CollectiveKind::pipeline, {4, 2, 7}), (Pairs{{4, 2}, {2, 7}}));
  EXPECT_EQ(pairs_of(CollectiveKind::pipeline, {7, 2}), (Pairs{{7, 2}}));
}

TEST(ExpandFlows, OrderIsJobCollectiveFlowSubflow) {
  Workload workload;
  workload.jobs.push_back({"a", "", 0, 0, 0, 1, {{CollectiveKind::p2p, 1, 5, {0, 1}}}});
  workload.jobs.push_back(
      {"b", "", 0, 0, 0, 1, {{CollectiveKind::p2p, 1, 5, {0, 2}}, {CollectiveKind::ring_allreduce, 3, 10, {4, 5}}}});
  const std::vector<FlowSpec> flows = expand_flows(fabric_of_8(), workload);
  ASSERT_EQ(flows.size(), 8U);
  std::vector<std::vector<std::uint64_t>> keys;
  for (const FlowSpec& f : flows) keys.push_back({f.job, f.collective, f.index, f.src, f.dst, f.bytes});
  EXPECT_THAT(keys,
              ElementsAre(ElementsAre(0, 0, 0, 0, 1, 5), ElementsAre(1, 0, 0, 0, 2, 5),  //
                          ElementsAre(1, 1, 0, 4, 5, 4), ElementsAre(1, 1, 1, 4, 5, 4), ElementsAre(1, 1, 2, 4, 5, 4),
                          ElementsAre(1, 1, 3, 5, 4, 4), ElementsAre(1, 1, 4, 5, 4, 4), ElementsAre(1, 1, 5, 5, 4, 4)));
}

TEST(ExpandFlows, SubflowBytesAreRoundedUpWithoutOverflow) {
  const std::uint64_t most = ~std::uint64_t{0};
  for (const auto& [bytes, qps, each] : {std::tuple{1ULL, 1024U, 1ULL}, {10ULL, 5U, 2ULL}, {11ULL, 5U, 3ULL}})
    EXPECT_EQ(expand_flows(fabric_of_8(), one_job({{CollectiveKind::p2p, qps, bytes, {0, 1}}}))[0].bytes, each);
  EXPECT_EQ(expand_flows(fabric_of_8(), one_job({{CollectiveKind::p2p, 2, most, {0, 1}}}))[0].bytes, most / 2 + 1);
}

TEST(ExpandFlows, UnnamedAdaptersMayBeRanksButAggregationNodesMayNot) {
  FabricBuilder builder;
  const auto leaf = builder.add_switch("leaf");
  builder.add_cable(builder.add_endpoint("a"), leaf, 1);
  builder.add_cable(builder.add_endpoint("b", "", kNone, NodeRole::unnamed), leaf, 1);
  builder.add_cable(builder.add_endpoint("c", "", kNone, NodeRole::aggregation), leaf, 1);
  const Fabric fabric = builder.finish();
  EXPECT_EQ(expand_flows(fabric, one_job({{CollectiveKind::ring_allreduce, 1, 1, {0, 1}}})).size(), 2U);
  EXPECT_THAT(refusal(fabric, one_job({{CollectiveKind::ring_allreduce, 1, 1, {0, 2}}})),
              AllOf(HasSubstr("aggregation"), HasSubstr("c in job 'job' collective 0 (ring_allreduce)")));
}

TEST(ExpandFlows, RanksThatAreNoEndpointsAreNamed) {
  EXPECT_THAT(refusal({CollectiveKind::p2p, 1, 1, {0, 8}}), HasSubstr("no endpoints (1): leaf-0 in job 'job'"));
  EXPECT_THAT(refusal({CollectiveKind::p2p, 1, 1, {99, kNone}}), HasSubstr("no endpoints (2): number 99 in"));
}

TEST(ExpandFlows, ARankMayStandOnceInACollectiveAndInManyCollectives) {
  EXPECT_THAT(refusal({CollectiveKind::ring_allreduce, 1, 1, {0, 1, 0}}), HasSubstr("stand twice"));
  EXPECT_THAT(refusal({CollectiveKind::p2p, 1, 1, {3, 3}}), AllOf(HasSubstr("flow to itself"), HasSubstr("host-0-3")));
  const Collective p2p{CollectiveKind::p2p, 1, 1, {0, 1}};
  EXPECT_EQ(expand_flows(fabric_of_8(), one_job({p2p, p2p})).size(), 2U);
}

TEST(ExpandFlows, RanksBytesAndQueuePairsAreChecked) {
  EXPECT_THAT(refusal({CollectiveKind::ring_allreduce, 1, 1, {}}),
              HasSubstr("fewer than 2 ranks (1): job 'job' collective 0 (ring_allreduce) has 0"));
  EXPECT_THAT(refusal({CollectiveKind::all_to_all, 1, 1, {3}}), HasSubstr("has 1"));
  EXPECT_THAT(refusal({CollectiveKind::p2p, 1, 1, {0, 1, 2}}), HasSubstr("exactly 2 ranks"));
  EXPECT_THAT(refusal({CollectiveKind::p2p, 1, 0, {0, 1}}), HasSubstr("0 bytes"));
  EXPECT_THAT(refusal({CollectiveKind::p2p, 0, 1, {0, 1}}),
              HasSubstr("qps outside 1 to 1024 (1): job 'job' collective 0 (p2p) has 0"));
  EXPECT_THAT(refusal({CollectiveKind::p2p, 1025, 1, {0, 1}}), HasSubstr("has 1025"));
}

TEST(ExpandFlows, RepeatsAndTurnsAreChecked) {
  Collective pipeline{CollectiveKind::pipeline, 1, 1, {0, 1, 2}, 0};
  EXPECT_THAT(refusal(pipeline), HasSubstr("collectives with 0 repeats (1): job 'job' collective 0 (pipeline)"));
  EXPECT_THAT(refusal({CollectiveKind::pipeline, 1, 1, {0}}), HasSubstr("fewer than 2 ranks"));
  pipeline.repeats = ~0U;
  EXPECT_THAT(refusal(pipeline),
              HasSubstr("2^32 steps and more (1): job 'job' collective 0 (pipeline) has 4294967296"));
  pipeline.repeats -= 1;
  EXPECT_EQ(expand_flows(fabric_of_8(), one_job({pipeline})).size(), 2U);
  const Collective first{CollectiveKind::p2p, 1, 1, {0, 1}, 1, 2};
  const Collective second{CollectiveKind::p2p, 1, 1, {0, 1}, 1, 1};
  EXPECT_THAT(refusal(fabric_of_8(), one_job({first, second})),
              HasSubstr("after one of a later turn (1): job 'job' collective 1 (p2p) is of turn 1 behind turn 2"));
  EXPECT_EQ(expand_flows(fabric_of_8(), one_job({second, first})).size(), 2U);
}

TEST(ExpandFlows, JobsAreChecked) {
  const Fabric fabric = fabric_of_8();
  EXPECT_THAT(refusal(fabric, {}), HasSubstr("no job"));
  EXPECT_THAT(refusal(fabric, one_job({})), HasSubstr("jobs without a collective (1): job"));
  Workload twins = one_job({{CollectiveKind::p2p, 1, 1, {0, 1}}});
  twins.jobs.push_back(twins.jobs[0]);
  EXPECT_THAT(refusal(fabric, twins), HasSubstr("stand twice (1): job"));
  twins.jobs[1].id.clear();
  EXPECT_THAT(refusal(fabric, twins), HasSubstr("empty id"));
}

TEST(ExpandFlows, AllComplaintsComeAtOnceCountedAndTheFirstNamed) {
  Workload workload;
  for (int j = 0; j < 5; ++j)
    workload.jobs.push_back({"j" + std::to_string(j), "", 0, 0, 0, 1, {{CollectiveKind::p2p, 1, 0, {2, 2}}}});
  const std::string text = refusal(fabric_of_8(), workload);
  EXPECT_THAT(text, HasSubstr("0 bytes (5): job 'j0' collective 0 (p2p), job 'j1' collective 0 (p2p), job 'j2' "
                              "collective 0 (p2p) and 2 more"));
  EXPECT_THAT(text, HasSubstr("(5): host-0-2 in job 'j0'"));
}

TEST(ExpandFlows, TooManyFlowsAreRefusedBeforeTheyAreMade) {
  const Fabric fabric = build_fabric("leaf-spine:leaves=64,spines=1,hosts=64,gbps=100");
  const std::string text = refusal(fabric, build_workload(fabric, "all-to-all:jobs=1,qps=1024"));
  EXPECT_THAT(text, AllOf(HasSubstr("17175674880 flows"), HasSubstr("4294967296 (2^32)")));
}

}  // namespace
}  // namespace spineweave
