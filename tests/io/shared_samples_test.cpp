// Real dumps and published workloads, with the counts that are known of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "io/input_error.hpp"
#include "spineweave/io.hpp"
#include "support/shared_files.hpp"

namespace spineweave::test {
namespace {

std::size_t count_named(const Fabric& fabric, std::string_view what) {
  const auto at = std::find_if(fabric.findings().begin(), fabric.findings().end(),
                               [&](const Finding& f) { return f.what == what; });
  return at == fabric.findings().end() ? 0 : at->names.size();
}

TEST(SharedSamples, TheSuperPodHasItsSwitchesAdaptersAndCables) {
  const auto path = shared_path("samples/ibnetdiscover/dgx-superpod-ndr.out.gz");
  if (!path)
    GTEST_SKIP() << "samples/ibnetdiscover/dgx-superpod-ndr.out.gz"
                 << " is not here";
  const Fabric fabric = read_fabric(*path);
  EXPECT_EQ(fabric.num_switches(), 40U);
  EXPECT_EQ(fabric.num_endpoints(), 582U);
  EXPECT_EQ(count_named(fabric, "unnamed adapters"), 69U);
  EXPECT_EQ(count_named(fabric, "SHARP aggregation nodes"), 40U);
  ASSERT_TRUE(fabric.find("A09-P1-IBLEAF-04-04"));
  EXPECT_EQ(fabric.node(*fabric.find("A09-P1-IBLEAF-04-04")).tier, 1U);

  std::map<std::pair<NodeId, NodeId>, std::uint32_t> cables;
  std::uint32_t leaves = 0;
  for (NodeId n = fabric.num_endpoints(); n < fabric.num_nodes(); ++n) leaves += fabric.node(n).tier == 1 ? 1 : 0;
  for (const Link& link : fabric.links())
    if (fabric.node(link.from).tier == 1 && fabric.node(link.to).tier == 2) ++cables[{link.from, link.to}];
  const auto pairs_with = [&](std::uint32_t count) {
    return std::count_if(cables.begin(), cables.end(), [&](const auto& pair) { return pair.second == count; });
  };
  EXPECT_EQ(leaves, 31U);
  EXPECT_EQ(pairs_with(2), 263);
  EXPECT_EQ(pairs_with(1), 6);
  EXPECT_EQ(cables.size(), 269U);
  EXPECT_EQ(parse_fabric(write_fabric_json(fabric), "again").digest(), fabric.digest());
}

TEST(SharedSamples, ADumpOfOneAdapterWithoutLinksIsRefused) {
  const auto path = shared_path("samples/ibnetdiscover/example-bad.out");
  if (!path)
    GTEST_SKIP() << "samples/ibnetdiscover/example-bad.out"
                 << " is not here";
  EXPECT_EQ(input_error([&] { (void)read_fabric(*path); }), *path + ": the fabric has no link at all");
}

TEST(SharedSamples, TheIbsimFilesAndTheirDumpHaveTheSameShape) {
  struct Sample {
    const char* path;
    std::uint32_t switches, endpoints, links;
  };
  for (const Sample& sample :
       {Sample{"samples/ibnetdiscover/ibsim-clos-8x4x4.out", 12, 32, 128},
        Sample{"samples/ibsim/generated-clos-8leaf-4spine-32host.net", 12, 32, 128},
        Sample{"samples/ibsim/net", 2, 2, 8}, Sample{"samples/ibsim/net.2sw2path4hca", 2, 4, 12}}) {
    const auto path = shared_path(sample.path);
    if (!path) GTEST_SKIP() << sample.path << " is not here";
    const Fabric fabric = read_fabric(*path);
    EXPECT_EQ(fabric.num_switches(), sample.switches) << *path;
    EXPECT_EQ(fabric.num_endpoints(), sample.endpoints) << *path;
    EXPECT_EQ(fabric.num_links(), sample.links) << *path;
  }
}

TEST(SharedSamples, ThePapersFabricIsAFullClos) {
  const auto path = shared_path("workloads/paper/topology.properties");
  if (!path)
    GTEST_SKIP() << "workloads/paper/topology.properties"
                 << " is not here";
  const Fabric fabric = read_fabric(*path);
  EXPECT_EQ(fabric.num_endpoints(), 2048U);
  EXPECT_EQ(fabric.num_switches(), 96U);
  EXPECT_EQ(fabric.num_links(), 8192U);
  ASSERT_NE(fabric.clos(), nullptr);
  EXPECT_EQ(fabric.clos()->num_leaves, 64U);
  EXPECT_EQ(fabric.clos()->num_aggs, 32U);
  EXPECT_TRUE(fabric.clos()->symmetric);
}

TEST(SharedSamples, EveryFlowOfThePapersJobsIsPartOfARing) {
  const auto root = shared_path("workloads/paper");
  if (!root)
    GTEST_SKIP() << "workloads/paper"
                 << " is not here";
  const Fabric fabric = read_fabric(*root + "/topology.properties");
  std::size_t scenarios = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*root)) {
    if (!entry.path().filename().string().starts_with("ring_size_")) continue;
    ++scenarios;
    const Workload workload = read_workload(fabric, entry.path().string());
    EXPECT_TRUE(workload.findings.empty()) << entry.path();
    EXPECT_EQ("concurrent_jobs_" + std::to_string(workload.jobs.size()), entry.path().parent_path().filename());
    for (std::size_t j = 0; j < workload.jobs.size(); ++j) EXPECT_EQ(workload.jobs[j].id, std::to_string(j));
    for (const Job& job : workload.jobs) {
      const std::map<std::string, std::size_t> rings = {{"BLOOM", 48}, {"GPT_3", 64}, {"LLaMA2_70B", 128}};
      EXPECT_EQ(job.collectives.size(), rings.at(job.model)) << entry.path() << " job " << job.id;
    }
    EXPECT_FALSE(expand_flows(fabric, workload).empty());
  }
  EXPECT_EQ(scenarios, 13U);
}

}  // namespace
}  // namespace spineweave::test
