#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "spineweave/workload.hpp"
#include "support/error_text.hpp"

namespace spineweave {
namespace {

using test::error_text;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const char* const kPaperFabric = "leaf-spine:leaves=64,spines=32,hosts=32,gbps=100";

std::vector<std::string> models_of(const Workload& workload) {
  std::vector<std::string> models;
  for (const Job& job : workload.jobs) models.push_back(job.model);
  return models;
}

// The properties of the artifact's job files: no endpoint twice, no flow within a leaf, on no leaf more
// flows up or down than `most`.
void expect_paper_properties(const Fabric& fabric, const Workload& workload, std::uint32_t ring, std::uint32_t most) {
  std::set<EndpointId> used;
  for (const Job& job : workload.jobs)
    for (const Collective& collective : job.collectives) {
      ASSERT_EQ(collective.ranks.size(), ring);
      for (const EndpointId rank : collective.ranks) ASSERT_TRUE(used.insert(rank).second) << fabric.node(rank).name;
    }
  std::map<NodeId, std::uint32_t> up;
  std::map<NodeId, std::uint32_t> down;
  const auto leaf_of = [&](EndpointId e) { return fabric.links_from(e).front().to; };
  for (const FlowSpec& flow : expand_flows(fabric, workload)) {
    ASSERT_NE(leaf_of(flow.src), leaf_of(flow.dst));
    EXPECT_LE(++up[leaf_of(flow.src)], most);
    EXPECT_LE(++down[leaf_of(flow.dst)], most);
  }
}

TEST(PaperJobs, HaveTheModelsOfTheArtifact) {
  const Fabric fabric = build_fabric(kPaperFabric);
  EXPECT_THAT(models_of(build_workload(fabric, "paper:jobs=5,ring=2")),
              ElementsAre("BLOOM", "LLaMA2_70B", "LLaMA2_70B", "BLOOM", "GPT_3"));
  EXPECT_THAT(models_of(build_workload(fabric, "paper:jobs=5,ring=4")),
              ElementsAre("BLOOM", "LLaMA2_70B", "GPT_3", "LLaMA2_70B", "GPT_3"));
  EXPECT_THAT(models_of(build_workload(fabric, "paper:jobs=3,ring=8")), ElementsAre("BLOOM", "GPT_3", "LLaMA2_70B"));
}

TEST(PaperJobs, HaveTheRingsBytesAndTimesOfTheArtifact) {
  const Workload workload = build_workload(build_fabric(kPaperFabric), "paper:jobs=3,ring=4,seed=1");
  const std::vector<std::uint64_t> bytes = {3'666'666'667, 546'875'000, 2'734'375'000};
  const std::vector<std::uint64_t> compute = {1'238'769'231, 2'692'307'693, 1'009'615'385};
  const std::vector<std::size_t> rings = {48, 128, 64};
  for (std::size_t j = 0; j < 3; ++j) {
    const Job& job = workload.jobs[j];
    EXPECT_EQ(job.id, std::to_string(j));
    EXPECT_EQ(job.collectives.size(), rings[j]);
    EXPECT_EQ(job.collectives[0].kind, CollectiveKind::ring_allreduce);
    EXPECT_EQ(job.collectives[0].bytes, bytes[j]);
    EXPECT_EQ(job.compute_ns, compute[j]);
    EXPECT_EQ(job.epochs, 11U);
    EXPECT_GE(job.start_ns, 2'000'000'000U);
    EXPECT_LT(job.start_ns, 13'000'000'000U);
  }
  EXPECT_EQ(build_workload(build_fabric(kPaperFabric), "paper:jobs=1,ring=2").jobs[0].collectives[0].bytes,
            7'333'333'334U);
}

TEST(PaperJobs, HaveThePropertiesOfTheArtifactForEverySeedAndShape) {
  const Fabric fabric = build_fabric(kPaperFabric);
  for (const auto& [jobs, ring] : {std::pair{5U, 2U}, {5U, 4U}, {3U, 8U}, {1U, 3U}, {1U, 40U}})
    for (int seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE("jobs " + std::to_string(jobs) + ", ring " + std::to_string(ring) + ", seed " +
                   std::to_string(seed));
      const Workload workload =
          build_workload(fabric, "paper:jobs=" + std::to_string(jobs) + ",ring=" + std::to_string(ring) +
                                     ",seed=" + std::to_string(seed));
      expect_paper_properties(fabric, workload, ring, 32);
    }
}

TEST(PaperJobs, FillAFabricToTheLastEndpoint) {
  // 48 rings of 4 on 192 endpoints: chance alone would end on too few leaves.
  const Fabric fabric = build_fabric("leaf-spine:leaves=12,spines=16,hosts=16,gbps=100");
  for (int seed = 0; seed < 20; ++seed)
    expect_paper_properties(fabric, build_workload(fabric, "paper:jobs=1,ring=4,seed=" + std::to_string(seed)), 4, 16);
}

TEST(PaperJobs, TakeNoMoreEndpointsOfALeafThanItsUplinksCarry) {
  const Fabric fabric = build_fabric("leaf-spine:leaves=64,spines=4,hosts=32,gbps=100,uplink_gbps=200");
  expect_paper_properties(fabric, build_workload(fabric, "paper:jobs=1,ring=4"), 4, 8);
}

TEST(PaperJobs, FollowFromTheSeedAndStandOnOtherFabrics) {
  const Fabric fabric = build_fabric("fat-tree:k=16,gbps=400");
  const auto digest = [&](std::string_view spec) { return digest_of(build_workload(fabric, spec), fabric); };
  EXPECT_EQ(digest("paper:jobs=2,ring=4,seed=1"), digest("paper:jobs=2,ring=4"));
  EXPECT_NE(digest("paper:jobs=2,ring=4,seed=1"), digest("paper:jobs=2,ring=4,seed=2"));
  expect_paper_properties(fabric, build_workload(fabric, "paper:jobs=2,ring=4"), 4, 8);
  EXPECT_EQ(digest("paper:jobs=2,ring=4"),
            digest_of(build_workload(with_faults(fabric, "random:5%"), "paper:jobs=2,ring=4"), fabric));
}

TEST(PaperJobs, ThatDoNotFitAreRefusedWithTheNumbers) {
  const auto refusal = [](std::string_view fabric, std::string_view spec) {
    return error_text(ErrorCode::usage, [&] { (void)build_workload(build_fabric(fabric), spec); });
  };
  EXPECT_THAT(refusal(kPaperFabric, "paper:jobs=4,ring=8"),
              AllOf(HasSubstr("need 368 rings of 8"), HasSubstr("64 leaves"), HasSubstr("2048 endpoints"),
                    HasSubstr("256 such rings")));
  EXPECT_THAT(refusal("leaf-spine:leaves=3,spines=64,hosts=64,gbps=100", "paper:jobs=1,ring=4"),
              HasSubstr("enough for 0 such rings"));
  EXPECT_THAT(refusal("leaf-spine:leaves=12,spines=15,hosts=16,gbps=100", "paper:jobs=1,ring=4"),
              HasSubstr("enough for 45 such rings"));
  EXPECT_THAT(refusal(kPaperFabric, "paper:jobs=6"), HasSubstr("from 1 to 5"));
  EXPECT_THAT(refusal(kPaperFabric, "paper:ring=1"), HasSubstr("ring is '1'"));
}

}  // namespace
}  // namespace spineweave
