#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "spineweave/io.hpp"
#include "spineweave/problem.hpp"
#include "workload/spec_refusal.hpp"
#include "workload/training_traffic.hpp"

namespace spineweave {
namespace {

using test::refusal;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

const char* const kRails = "rail:hosts=32,rails=8,spines=4,hosts_per_leaf=8,gbps=400";
const char* const kLeaves = "leaf-spine:leaves=8,spines=8,hosts=8,gbps=400";

std::vector<Collective> of_kind(const Job& job, CollectiveKind kind) {
  std::vector<Collective> found;
  for (const Collective& collective : job.collectives)
    if (collective.kind == kind) found.push_back(collective);
  return found;
}

std::set<std::uint32_t> rails_of(const Fabric& fabric, const Collective& collective) {
  std::set<std::uint32_t> rails;
  for (const EndpointId rank : collective.ranks) rails.insert(fabric.node(rank).rail);
  return rails;
}

TEST(TrainingTraffic, FollowsFromPublishedSizesAndDegrees) {
  const TrainingTraffic dense = traffic_of(find_preset("gpt-3"), {8, 4, 8, 1, 16, 2});
  EXPECT_EQ(dense.activations, 2U * 2 * 2048 * 12288 / 8);
  EXPECT_EQ(dense.gradients, 2U * 175'000'000'000 / (4 * 8 * 8));
  EXPECT_EQ(dense.exchanges, 0U);
  EXPECT_EQ(dense.expert_gradients, 0U);
}

TEST(TrainingTraffic, OfMixturesSendsTokensToExpertsAndTheirGradientsToTheirCopies) {
  const ModelPreset& model = find_preset("deepseek-v3");
  const TrainingTraffic traffic = traffic_of(model, {64, 16, 1, 32, 8, 1});
  EXPECT_EQ(traffic.tokens, 2ULL * 4096 * 7168 * 8 / 32);
  EXPECT_EQ(traffic.exchanges, 2U * 8 * 4);  // 58 layers in 16 stages: 4 at most
  const std::uint64_t experts = 58ULL * 256 * 3 * 7168 * 2048;
  EXPECT_EQ(traffic.expert_gradients, (2 * experts + 1023) / 1024);
  EXPECT_EQ(traffic.gradients, (2 * (model.parameters - experts) + 1023) / 1024);
  // Experts that are not split are copied like the rest.
  EXPECT_EQ(traffic_of(model, {64, 16, 1, 1, 8, 1}).gradients, (2 * model.parameters + 1023) / 1024);
}

TEST(Hybrid, JobsPipelineMicroBatchesAndThenReduceGradients) {
  const Fabric fabric = build_fabric(kLeaves);
  const Workload workload = build_workload(fabric, "hybrid:model=gpt-3,dp=4,pp=2,tp=2,micro_batches=6,jobs=2,qps=2");
  ASSERT_THAT(workload.jobs, SizeIs(2));
  const Job& job = workload.jobs[0];
  EXPECT_EQ(job.model, "gpt-3");
  const std::vector<Collective> pipelines = of_kind(job, CollectiveKind::pipeline);
  const std::vector<Collective> rings = of_kind(job, CollectiveKind::ring_allreduce);
  ASSERT_THAT(pipelines, SizeIs(16));
  ASSERT_THAT(rings, SizeIs(4));
  EXPECT_EQ(job.collectives.size(), 20U);
  // Tensor ranks are neighbours, then copies, then stages.
  EXPECT_THAT(pipelines[0].ranks, ElementsAre(0, 8));
  EXPECT_THAT(pipelines[1].ranks, ElementsAre(1, 9));
  EXPECT_THAT(pipelines[2].ranks, ElementsAre(2, 10));
  EXPECT_THAT(pipelines[8].ranks, ElementsAre(8, 0));
  EXPECT_THAT(rings[0].ranks, ElementsAre(0, 2, 4, 6));
  EXPECT_THAT(rings[3].ranks, ElementsAre(9, 11, 13, 15));
  EXPECT_THAT(workload.jobs[1].collectives[0].ranks, ElementsAre(16, 24));
  EXPECT_EQ(pipelines[0].repeats, 6U);
  EXPECT_EQ(pipelines[0].qps, 2U);
  EXPECT_EQ(pipelines[0].turn, 0U);
  EXPECT_EQ(rings[0].repeats, 1U);
  EXPECT_EQ(pipelines[8].turn, 1U);
  EXPECT_EQ(rings[0].turn, 2U);
  EXPECT_EQ(expand_flows(fabric, workload).size(), 2U * (16 * 2 + 4 * 4 * 2));
}

TEST(Hybrid, JobsTakeFourMicroBatchesAStageAndAsManyPlacesAsThereAreUnlessTold) {
  const Workload workload = build_workload(build_fabric(kLeaves), "hybrid:model=bloom,dp=2,pp=4,tp=2,compute=2ms");
  EXPECT_THAT(workload.jobs, SizeIs(4));
  EXPECT_EQ(workload.jobs[0].collectives[0].repeats, 16U);
  EXPECT_EQ(workload.jobs[0].compute_ns, 2'000'000U);
}

TEST(Hybrid, ExpertsExchangeTokensWithinTheirCopies) {
  const Workload workload =
      build_workload(build_fabric(kLeaves), "hybrid:model=mixtral-8x7b,dp=8,pp=2,tp=2,ep=4,micro_batches=3,jobs=1");
  const std::vector<Collective> exchanges = of_kind(workload.jobs[0], CollectiveKind::all_to_all);
  ASSERT_THAT(exchanges, SizeIs(2 * 2 * 2 * 2));  // passes, stages, groups of four copies, tensor ranks
  EXPECT_THAT(exchanges[0].ranks, ElementsAre(0, 2, 4, 6));
  EXPECT_THAT(exchanges[2].ranks, ElementsAre(8, 10, 12, 14));
  EXPECT_EQ(exchanges[0].repeats, 2U * 3 * 16);
  EXPECT_EQ(exchanges[0].turn, 0U);
  EXPECT_EQ(exchanges[8].turn, 1U);
  // In each of two stages and for each of two tensor ranks: all copies, and those with the same experts.
  const std::vector<Collective> rings = of_kind(workload.jobs[0], CollectiveKind::ring_allreduce);
  ASSERT_THAT(rings, SizeIs(2 * 2 * (1 + 4)));
  EXPECT_THAT(rings[0].ranks, SizeIs(8));
  EXPECT_THAT(rings[2].ranks, ElementsAre(0, 8));
  EXPECT_THAT(rings[4].ranks, ElementsAre(2, 10));
}

TEST(Hybrid, ExpertsOfOneCopyHaveNoGradientsToShare) {
  const Workload workload = build_workload(build_fabric(kLeaves), "hybrid:model=mixtral-8x7b,dp=8,ep=8,jobs=1");
  EXPECT_THAT(of_kind(workload.jobs[0], CollectiveKind::ring_allreduce), SizeIs(1));
}

TEST(Hybrid, GroupsStayOnTheirRailWhereHostsAreNamed) {
  const Fabric fabric = build_fabric(kRails);
  for (const char* spec : {"hybrid:model=gpt-3,dp=8,pp=4,tp=8", "hybrid:model=gpt-3,dp=4,pp=2,tp=4,placement=random",
                           "hybrid:model=gpt-3,dp=16,pp=2,tp=1,placement=random,seed=3"}) {
    const Workload workload = build_workload(fabric, spec);
    std::set<EndpointId> used;
    for (const Job& job : workload.jobs)
      for (const Collective& collective : job.collectives) {
        ASSERT_THAT(rails_of(fabric, collective), SizeIs(1)) << spec;
        used.insert(collective.ranks.begin(), collective.ranks.end());
      }
    EXPECT_EQ(used.size(), 256U) << spec;
  }
}

TEST(Hybrid, TensorRanksAreTheAdaptersOfOneHost) {
  const Fabric fabric = build_fabric(kRails);
  const Job job = build_workload(fabric, "hybrid:model=gpt-3,dp=4,pp=2,tp=8,jobs=1,placement=random").jobs[0];
  for (std::size_t i = 0; i < job.collectives.size(); i += 8)
    for (std::size_t rank = 0; rank < 8; ++rank) {
      const Node& node = fabric.node(job.collectives[i + rank].ranks[0]);
      EXPECT_EQ(node.host, fabric.node(job.collectives[i].ranks[0]).host);
      EXPECT_EQ(node.rail, rank + 1);
    }
}

TEST(Hybrid, HostsThatLackAnAdapterAreLeftOutAndNamed) {
  FabricBuilder builder;
  const auto leaf = builder.add_switch("leaf");
  for (const char* host : {"a", "b", "c", "d"})
    for (std::uint32_t rail = 0; rail < 3; ++rail)
      if (*host != 'b' || rail != 1)
        builder.add_cable(builder.add_endpoint(std::string(host) + std::to_string(rail), host, rail), leaf, 100);
  const Fabric fabric = builder.finish();
  const Workload workload = build_workload(fabric, "hybrid:model=gpt-3,dp=3,tp=3");
  EXPECT_THAT(workload.jobs, SizeIs(1));
  ASSERT_THAT(workload.findings, SizeIs(1));
  EXPECT_EQ(workload.findings[0].what, "hosts left out: an adapter is missing");
  EXPECT_THAT(workload.findings[0].names, ElementsAre("b"));
}

TEST(Hybrid, FollowsFromTheSeed) {
  const Fabric fabric = build_fabric(kLeaves);
  const auto digest = [&](const std::string& keys) {
    return digest_of(build_workload(fabric, "hybrid:model=gpt-3,dp=4,pp=2,tp=2," + keys), fabric);
  };
  EXPECT_EQ(digest("placement=random,seed=1"), digest("placement=random"));
  EXPECT_NE(digest("placement=random,seed=1"), digest("placement=random,seed=2"));
  EXPECT_EQ(digest("placement=packed,seed=1"), digest("seed=2"));
}

TEST(Hybrid, SurvivesARoundTripThroughAFile) {
  const Fabric fabric = build_fabric(kLeaves);
  const Workload workload = build_workload(fabric, "hybrid:model=deepseek-v3,dp=8,pp=2,ep=4,qps=2,compute=1s");
  const Workload again = parse_workload(fabric, write_workload_json(fabric, workload), "written");
  EXPECT_EQ(digest_of(again, fabric), digest_of(workload, fabric));
  EXPECT_EQ(again.jobs[0].model, "deepseek-v3");
}

TEST(Hybrid, ModelsAreNamedWhereNoneFits) {
  const Fabric fabric = build_fabric(kLeaves);
  EXPECT_THAT(refusal(fabric, "hybrid:dp=8"), AllOf(HasSubstr("model is missing"), HasSubstr("gpt-3, gopher")));
  EXPECT_THAT(refusal(fabric, "hybrid:model=gtp-3,dp=8"),
              AllOf(HasSubstr("unknown model 'gtp-3'"), HasSubstr("bloom"), HasSubstr("did you mean gpt-3")));
  EXPECT_THAT(refusal(fabric, "hybrid:model=palm,dp=8,ep=2"),
              AllOf(HasSubstr("palm has no experts"), HasSubstr("pangu-sigma, mixtral-8x7b, deepseek-v3")));
}

TEST(Hybrid, DegreesThatDoNotGoTogetherAreRefused) {
  const Fabric fabric = build_fabric(kLeaves);
  EXPECT_THAT(refusal(fabric, "hybrid:model=gpt-3"), HasSubstr("no traffic leaves a host"));
  EXPECT_THAT(refusal(fabric, "hybrid:model=gpt-3,tp=8"), HasSubstr("no traffic leaves a host"));
  EXPECT_THAT(refusal(fabric, "hybrid:model=gpt-3,pp=97"), HasSubstr("pp is 97; gpt-3 has 96 layers"));
  EXPECT_THAT(refusal(fabric, "hybrid:model=deepseek-v3,dp=8,ep=3"), HasSubstr("a divisor of dp, which is 8"));
  EXPECT_THAT(refusal(fabric, "hybrid:model=mixtral-8x7b,dp=16,ep=16"), HasSubstr("a divisor of the 8 experts"));
  for (const char* key : {"dp", "pp", "tp", "ep", "micro_batches", "micro_batch", "jobs", "qps"})
    EXPECT_THAT(refusal(fabric, std::string("hybrid:model=gpt-3,") + key + "=0"), HasSubstr(key)) << key;
  EXPECT_THAT(refusal(fabric, "hybrid:model=gpt-3,dp=2,compute=5"), HasSubstr("expected a duration with a unit"));
  EXPECT_THAT(refusal(fabric, "hybrid:model=gpt-3,dp=2,placement=dense"), HasSubstr("expected packed or random"));
  EXPECT_THAT(refusal(fabric, "hybrid:model=gpt-3,dp=2,micro_batchs=2"), HasSubstr("did you mean micro_batch"));
}

TEST(Hybrid, JobsThatDoNotFitAreRefusedWithTheNumbers) {
  const Fabric fabric = build_fabric(kLeaves);
  EXPECT_THAT(refusal(fabric, "hybrid:model=gpt-3,dp=8,pp=2,tp=8"),
              HasSubstr("1 job(s) of dp 8 x pp 2 x tp 8 = 128 ranks; the fabric has room for 0: 8 groups of 8"));
  EXPECT_THAT(refusal(fabric, "hybrid:model=gpt-3,dp=4,pp=2,tp=2,jobs=5"), HasSubstr("5 job(s)"));
  EXPECT_THAT(refusal(fabric, "hybrid:model=gpt-3,dp=1048576,pp=96,tp=1048576"), HasSubstr("room for 0"));
  EXPECT_THAT(refusal(build_fabric(kRails), "hybrid:model=gpt-3,dp=2,tp=9"),
              HasSubstr("tp is 9; the hosts have 8 adapters"));
}

TEST(Hybrid, JobsOnNamedHostsRunOnRailsWithoutSpines) {
  const auto fabric =
      std::make_shared<const Fabric>(build_fabric("rail:hosts=8,rails=4,spines=0,hosts_per_leaf=8,gbps=400"));
  const auto workload = std::make_shared<const Workload>(build_workload(*fabric, "hybrid:model=gpt-3,dp=2,pp=2,tp=2"));
  EXPECT_NO_THROW(Problem(fabric, workload));
}

}  // namespace
}  // namespace spineweave
