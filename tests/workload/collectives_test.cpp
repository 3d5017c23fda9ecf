#include <gtest/gtest.h>

#include <numeric>

#include "spineweave/workload.hpp"

namespace spineweave {
namespace {

Collective make(CollectiveKind kind, std::uint32_t ranks, std::uint32_t qps = 1) {
  Collective collective{kind, qps, 1000, std::vector<EndpointId>(ranks)};
  std::iota(collective.ranks.begin(), collective.ranks.end(), 0U);
  return collective;
}

TEST(Collectives, NamesAndKindsMatchBothWays) {
  for (const char* name :
       {"ring_allreduce", "all_gather", "reduce_scatter", "all_to_all", "tree_allreduce", "p2p", "pipeline"}) {
    const auto kind = collective_kind(name);
    ASSERT_TRUE(kind.has_value()) << name;
    EXPECT_EQ(name_of(*kind), name);
  }
  for (const char* name : {"", "ring", "P2P", "ring_allreduce "})
    EXPECT_FALSE(collective_kind(name).has_value()) << name;
}

TEST(Collectives, CountFlowsByKindAndQueuePairs) {
  EXPECT_EQ(count_flows(make(CollectiveKind::ring_allreduce, 2)), 2U);
  EXPECT_EQ(count_flows(make(CollectiveKind::ring_allreduce, 8, 4)), 32U);
  EXPECT_EQ(count_flows(make(CollectiveKind::all_gather, 8)), 8U);
  EXPECT_EQ(count_flows(make(CollectiveKind::reduce_scatter, 8)), 8U);
  EXPECT_EQ(count_flows(make(CollectiveKind::all_to_all, 8)), 56U);
  EXPECT_EQ(count_flows(make(CollectiveKind::all_to_all, 3, 2)), 12U);
  EXPECT_EQ(count_flows(make(CollectiveKind::tree_allreduce, 7)), 12U);
  EXPECT_EQ(count_flows(make(CollectiveKind::p2p, 2, 1024)), 1024U);
  EXPECT_EQ(count_flows(make(CollectiveKind::pipeline, 4, 2)), 6U);
  EXPECT_EQ(count_flows(make(CollectiveKind::all_to_all, 100'000)), 9'999'900'000U);
}

TEST(Collectives, CountStepsByKind) {
  EXPECT_EQ(count_steps(make(CollectiveKind::ring_allreduce, 8)), 14U);
  EXPECT_EQ(count_steps(make(CollectiveKind::all_gather, 8)), 7U);
  EXPECT_EQ(count_steps(make(CollectiveKind::reduce_scatter, 8)), 7U);
  EXPECT_EQ(count_steps(make(CollectiveKind::all_to_all, 8)), 1U);
  EXPECT_EQ(count_steps(make(CollectiveKind::tree_allreduce, 8)), 1U);
  EXPECT_EQ(count_steps(make(CollectiveKind::p2p, 2)), 1U);
  EXPECT_EQ(count_steps(make(CollectiveKind::pipeline, 8)), 7U);
}

TEST(Collectives, RepeatAllTheirStepsButPipelinesOverlapThem) {
  const auto steps = [](CollectiveKind kind, std::uint32_t ranks) {
    Collective collective = make(kind, ranks);
    collective.repeats = 5;
    return count_steps(collective);
  };
  EXPECT_EQ(steps(CollectiveKind::ring_allreduce, 8), 70U);
  EXPECT_EQ(steps(CollectiveKind::all_gather, 8), 35U);
  EXPECT_EQ(steps(CollectiveKind::all_to_all, 8), 5U);
  EXPECT_EQ(steps(CollectiveKind::pipeline, 2), 5U);
  EXPECT_EQ(steps(CollectiveKind::pipeline, 8), 11U);
}

TEST(Collectives, PipelinesSendWhereAMicroBatchIsInFlight) {
  // Two micro-batches over the edges 0-1, 1-2, 2-3; each flow is split in two.
  Collective pipeline = make(CollectiveKind::pipeline, 4, 2);
  pipeline.repeats = 2;
  const std::uint32_t begins[] = {0, 0, 1, 1, 2, 2};
  for (std::uint32_t flow = 0; flow < std::size(begins); ++flow) {
    const StepRange range = steps_of_flow(pipeline, flow);
    EXPECT_EQ(range.begin, begins[flow]) << flow;
    EXPECT_EQ(range.end, begins[flow] + 2) << flow;
  }
  EXPECT_EQ(count_steps(pipeline), 4U);
}

TEST(Collectives, OfOtherKindsSendInEveryStep) {
  Collective ring = make(CollectiveKind::ring_allreduce, 4);
  ring.repeats = 3;
  for (std::uint32_t flow = 0; flow < 4; ++flow) {
    EXPECT_EQ(steps_of_flow(ring, flow).begin, 0U);
    EXPECT_EQ(steps_of_flow(ring, flow).end, 18U);
  }
}

TEST(Collectives, WithFewerThanTwoRanksHaveNothingToDo) {
  for (const auto kind : {CollectiveKind::ring_allreduce, CollectiveKind::all_to_all, CollectiveKind::tree_allreduce}) {
    for (const std::uint32_t ranks : {0U, 1U}) {
      EXPECT_EQ(count_flows(make(kind, ranks)), 0U);
      EXPECT_EQ(count_steps(make(kind, ranks)), 0U);
    }
  }
}

TEST(WorkloadDigest, OfPlainCollectivesIsWhatItWasBeforeTheyCouldRepeat) {
  const Fabric fabric = build_fabric("leaf-spine:leaves=2,spines=2,hosts=4,gbps=100");
  EXPECT_EQ(digest_of(build_workload(fabric, "rings:jobs=2,size=4,placement=random,seed=1,qps=2"), fabric),
            0x636a677ec379a161ULL);
}

TEST(WorkloadDigest, ChangesWithAllThatDecidesFlowsAndTimes) {
  const Fabric fabric = build_fabric("leaf-spine:leaves=2,spines=2,hosts=4,gbps=100");
  Workload base;
  base.phases = {{"a", 5}, {"b", 6}};
  base.jobs.push_back({"x", "model", 1, 2, 3, 1, {make(CollectiveKind::ring_allreduce, 4)}});
  base.jobs.push_back({"y", "", 0, 0, 0, kAllPhases, {make(CollectiveKind::p2p, 2)}});
  const std::uint64_t digest = digest_of(base, fabric);
  EXPECT_EQ(digest_of(base, fabric), digest);

  const auto changed = [&](auto change) {
    Workload other = base;
    change(other);
    return digest_of(other, fabric) != digest;
  };
  EXPECT_TRUE(changed([](Workload& w) { w.phases.pop_back(); }));
  EXPECT_TRUE(changed([](Workload& w) { w.phases[0].length_ns = 7; }));
  EXPECT_TRUE(changed([](Workload& w) { w.jobs.pop_back(); }));
  EXPECT_TRUE(changed([](Workload& w) { std::swap(w.jobs[0], w.jobs[1]); }));
  EXPECT_TRUE(changed([](Workload& w) { w.jobs[0].id = "z"; }));
  EXPECT_TRUE(changed([](Workload& w) { w.jobs[0].start_ns = 9; }));
  EXPECT_TRUE(changed([](Workload& w) { w.jobs[0].compute_ns = 9; }));
  EXPECT_TRUE(changed([](Workload& w) { w.jobs[0].epochs = 9; }));
  EXPECT_TRUE(changed([](Workload& w) { w.jobs[0].phase_mask = 2; }));
  EXPECT_TRUE(changed([](Workload& w) { w.jobs[0].collectives[0].kind = CollectiveKind::all_gather; }));
  EXPECT_TRUE(changed([](Workload& w) { w.jobs[0].collectives[0].qps = 2; }));
  EXPECT_TRUE(changed([](Workload& w) { w.jobs[0].collectives[0].bytes = 1; }));
  EXPECT_TRUE(changed([](Workload& w) { w.jobs[0].collectives[0].repeats = 2; }));
  EXPECT_TRUE(changed([](Workload& w) { w.jobs[0].collectives[0].turn = 1; }));
  EXPECT_TRUE(
      changed([](Workload& w) { std::swap(w.jobs[0].collectives[0].ranks[0], w.jobs[0].collectives[0].ranks[1]); }));
  EXPECT_TRUE(changed([](Workload& w) { w.jobs[1].collectives.swap(w.jobs[0].collectives); }));

  EXPECT_FALSE(changed([](Workload& w) { w.jobs[0].model = "other"; }));
  EXPECT_FALSE(changed([](Workload& w) { w.phases[0].id = "other"; }));
  EXPECT_FALSE(changed([](Workload& w) { w.findings.push_back({"odd", {"x"}}); }));
}

}  // namespace
}  // namespace spineweave
