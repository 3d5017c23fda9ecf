// What the survey and the placement make of a real InfiniBand dump, and the generated paper jobs beside
// the published ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "spineweave/io.hpp"
#include "spineweave/workload.hpp"
#include "support/shared_files.hpp"

namespace spineweave {
namespace {

using test::shared_path;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> names_of(const std::vector<Finding>& findings, std::string_view what) {
  for (const Finding& finding : findings)
    if (finding.what.find(what) != std::string::npos) return finding.names;
  return {};
}

class SuperPod : public testing::Test {
 protected:
  void SetUp() override {
    const auto path = shared_path("samples/ibnetdiscover/dgx-superpod-ndr.out.gz");
    if (!path) GTEST_SKIP() << "the shared sample of a DGX SuperPOD is not here";
    fabric = read_fabric(*path);
  }
  std::optional<Fabric> fabric;
};

TEST_F(SuperPod, SurveyNamesWhatIsOddAboutIt) {
  const std::vector<Finding> findings = survey(*fabric);
  EXPECT_THAT(names_of(findings, "leaf-spine pairs without a cable"), SizeIs(10));
  EXPECT_THAT(names_of(findings, "leaf-spine pairs with fewer than 2 cables"), SizeIs(6));
  EXPECT_THAT(names_of(findings, "hosts with a rail missing"), SizeIs(11));
  EXPECT_THAT(names_of(findings, "hosts with a rail missing"), Contains("a05-p1-dgx-01-c01 (rail 5)"));
  EXPECT_THAT(names_of(findings, "hosts with fewer rails than most"),
              ElementsAre("B11-P1-CUFM-02 (has 1, 2)", "ubuntu (has 1, 2)"));
  // A host with two cables changed over, and managers plugged into the last leaves of two rails.
  EXPECT_THAT(names_of(findings, "leaves that serve more than one rail"),
              ElementsAre(HasSubstr("13 on rail 5, 1 on rail 6"), HasSubstr("1 on rail 5, 13 on rail 6")));
}

TEST_F(SuperPod, RingsGoOverItsComputeHostsRailByRail) {
  const Workload workload = build_workload(*fabric, "rings:jobs=1,order=shuffled,seed=9");
  ASSERT_THAT(workload.jobs, SizeIs(1));
  std::vector<std::size_t> sizes;
  for (const Collective& ring : workload.jobs[0].collectives) {
    sizes.push_back(ring.ranks.size());
    std::set<std::uint32_t> rails;
    for (const EndpointId rank : ring.ranks) rails.insert(fabric->node(rank).rail);
    EXPECT_THAT(rails, SizeIs(1));
  }
  EXPECT_THAT(sizes, ElementsAre(120, 120, 109, 120));
  EXPECT_THAT(names_of(workload.findings, "hosts left out"),
              ElementsAre("B11-P1-CUFM-02 (rails 1, 2)", "ubuntu (rails 1, 2)"));
  EXPECT_THAT(expand_flows(*fabric, workload), SizeIs(469));
}

TEST_F(SuperPod, GroupsOfEightHostsUseAllOfThem) {
  const Workload workload = build_workload(*fabric, "rings:size=8,qps=2");
  EXPECT_THAT(workload.jobs, SizeIs(15));
  EXPECT_THAT(names_of(workload.findings, "left over"), IsEmpty());
  EXPECT_THAT(names_of(workload.findings, "without an adapter on a rail"), SizeIs(11));
}

TEST(PublishedPaperJobs, HaveTheModelsRingsBytesAndTimesOfTheGeneratedOnes) {
  const auto topology = shared_path("workloads/paper/topology.properties");
  if (!topology) GTEST_SKIP() << "the shared workloads of the paper are not here";
  const Fabric fabric = read_fabric(*topology);
  // Five jobs of rings of 8 do not fit; the third of three has rings of 2 where it was published.
  for (const auto& [jobs, ring] :
       {std::pair{1, 2}, {2, 2}, {3, 2}, {4, 2}, {5, 2}, {1, 4}, {2, 4}, {3, 4}, {4, 4}, {5, 4}, {1, 8}, {2, 8}}) {
    const std::string text = std::to_string(jobs) + "/ring_size_" + std::to_string(ring);
    SCOPED_TRACE(text);
    const auto folder = shared_path("workloads/paper/concurrent_jobs_" + text);
    ASSERT_TRUE(folder.has_value());
    const Workload published = read_workload(fabric, *folder);
    const Workload generated =
        build_workload(fabric, "paper:jobs=" + std::to_string(jobs) + ",ring=" + std::to_string(ring));
    ASSERT_EQ(generated.jobs.size(), published.jobs.size());
    for (std::size_t j = 0; j < generated.jobs.size(); ++j) {
      const Job& ours = generated.jobs[j];
      const Job& theirs = published.jobs[j];
      EXPECT_EQ(ours.model, theirs.model);
      EXPECT_EQ(ours.compute_ns, theirs.compute_ns);
      EXPECT_EQ(ours.collectives.size(), theirs.collectives.size());
      EXPECT_EQ(ours.collectives[0].bytes, theirs.collectives[0].bytes);
      EXPECT_EQ(ours.collectives[0].ranks.size(), theirs.collectives[0].ranks.size());
    }
  }
}

}  // namespace
}  // namespace spineweave
