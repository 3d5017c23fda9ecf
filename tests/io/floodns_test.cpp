// floodns: topology.properties and job files.
#include <gmock/gmock.h>

#include "io/changed_text.hpp"
#include "io/input_error.hpp"
#include "spineweave/io.hpp"
#include "support/program.hpp"

namespace spineweave::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Two ToRs (0, 1), one core (2), two servers under each ToR (3, 4 and 5, 6).
const std::string kTopology =
    "num_nodes=7\n"
    "num_undirected_edges=6\n"
    "switches=incl_range(0,2)\n"
    "switches_which_are_tors=incl_range(0,1)\n"
    "cores=set(2)\n"
    "servers=incl_range(3,6)\n"
    "undirected_edges=incl_range(0:1-2,3:4-0,5:6-1)\n"
    "link_data_rate_bit_per_ns=100\n";
const std::string kHeader = "#src dst src_tor dst_tor start_time flow_size compute_time stage_index\n";

std::string topology_error(const std::string& old, const std::string& replacement) {
  return input_error([&] { (void)parse_fabric(with(kTopology, old, replacement), "t.properties"); });
}

std::string job_error(const std::string& lines) {
  const Fabric fabric = parse_fabric(kTopology, "t.properties");
  return input_error([&] { (void)parse_workload(fabric, kHeader + lines, "job_0-X.txt"); });
}

TEST(FloodnsTopology, RangesOfEdgesJoinEveryPair) {
  const Fabric fabric = parse_fabric(kTopology, "t.properties");
  EXPECT_EQ(fabric.num_endpoints(), 4U);
  EXPECT_EQ(fabric.num_switches(), 3U);
  EXPECT_EQ(fabric.num_links(), 12U);
  ASSERT_TRUE(fabric.find("2"));
  EXPECT_EQ(fabric.node(*fabric.find("2")).tier, 2U);
  EXPECT_EQ(fabric.node(*fabric.find("1")).tier, 1U);
  for (const Link& link : fabric.links()) EXPECT_EQ(link.capacity_bps, 100'000'000'000U);
  ASSERT_NE(fabric.clos(), nullptr);
  EXPECT_TRUE(fabric.clos()->symmetric);
}

TEST(FloodnsTopology, CountsInTheHeaderMustHold) {
  EXPECT_EQ(topology_error("num_nodes=7", "num_nodes=8"),
            "t.properties:1: num_nodes is 8, but switches and servers hold 7");
  EXPECT_EQ(topology_error("edges=6", "edges=2"),
            "t.properties:2: num_undirected_edges is 2, but undirected_edges hold 6");
  // A mistyped range fails before it becomes two hundred million cables.
  EXPECT_EQ(topology_error("3:4-0", "3:16383-0:16383"),
            "t.properties:2: num_undirected_edges is 6, but undirected_edges hold 268386308");
}

TEST(FloodnsTopology, BadInputIsNamedWithItsLine) {
  EXPECT_EQ(topology_error("per_ns=100", "per_ns=0"),
            "t.properties:8: link_data_rate_bit_per_ns is 0; expected a whole number from 1 to 1000000");
  EXPECT_EQ(topology_error("per_ns=100", "per_ns=nan"),
            "t.properties:8: link_data_rate_bit_per_ns is nan; expected a whole number from 1 to 1000000");
  EXPECT_EQ(topology_error("cores=", "core="), "t.properties:5: unknown key 'core'; did you mean cores?");
  EXPECT_EQ(topology_error("cores=set(2)", "servers=set(2)"),
            "t.properties:6: servers is given twice; line 5 has it already");
  EXPECT_EQ(topology_error("servers=incl_range(3,6)\n", ""),
            "t.properties:1: num_nodes is 7, but switches and servers hold 3");
  EXPECT_EQ(topology_error("3:4-0", "6:7-0"),
            "t.properties:7: undirected_edges leads to 7, which is no switch and no server");
  EXPECT_EQ(topology_error("3:4-0", "4:3-0"),
            "t.properties:7: undirected_edges holds '4:3-0'; expected a-b or a:b-c:d");
  EXPECT_EQ(topology_error("incl_range(3,6)", "incl_range(2,6)"),
            "t.properties:6: servers holds 2, which has another role already");
  EXPECT_EQ(topology_error("num_nodes=7\n", ""), "t.properties: num_nodes is missing");
  EXPECT_EQ(topology_error("cores=set(2)", "cores set(2)"), "t.properties:5: 'cores set(2)'; expected key=value");
}

TEST(FloodnsJobs, ConsecutiveLinesOfOneStageAreARing) {
  const Fabric fabric = parse_fabric(kTopology, "t.properties");
  const Workload workload = parse_workload(fabric,
                                           kHeader +
                                               "3 5 0 1 70 1000 9 0\n5 3 1 0 70 1000 9 0\n"
                                               "3 6 0 1 70 10 9 1\n6 4 1 0 70 10 9 1\n4 3 0 0 70 10 9 1\n",
                                           "some/where/job_12-GPT_3.txt");
  ASSERT_EQ(workload.jobs.size(), 1U);
  const Job& job = workload.jobs[0];
  EXPECT_EQ(job.id, "12");
  EXPECT_EQ(job.model, "GPT_3");
  EXPECT_EQ(job.start_ns, 70U);
  EXPECT_EQ(job.compute_ns, 9U);
  ASSERT_EQ(job.collectives.size(), 2U);
  EXPECT_EQ(job.collectives[0].kind, CollectiveKind::ring_allreduce);
  EXPECT_EQ(job.collectives[0].bytes, 1000U);
  EXPECT_THAT(job.collectives[0].ranks, ElementsAre(*fabric.find("3"), *fabric.find("5")));
  EXPECT_THAT(job.collectives[1].ranks, ElementsAre(*fabric.find("3"), *fabric.find("6"), *fabric.find("4")));
  EXPECT_THAT(workload.findings, IsEmpty());
}

TEST(FloodnsJobs, AStageThatDoesNotCloseBecomesSingleFlows) {
  const Fabric fabric = parse_fabric(kTopology, "t.properties");
  const Workload workload = parse_workload(fabric, kHeader + "3 5 0 1 0 8 9 4\n5 4 1 0 0 8 9 4\n", "steps.txt");
  EXPECT_EQ(workload.jobs[0].id, "steps");
  ASSERT_EQ(workload.jobs[0].collectives.size(), 2U);
  EXPECT_EQ(workload.jobs[0].collectives[1].kind, CollectiveKind::p2p);
  ASSERT_EQ(workload.findings.size(), 1U);
  EXPECT_EQ(workload.findings[0].what, "stages that are no ring, read as single flows");
  EXPECT_THAT(workload.findings[0].names, ElementsAre("steps.txt stage 4"));
}

TEST(FloodnsJobs, BadLinesAreNamed) {
  EXPECT_EQ(job_error("99 5 0 1 0 8 9 0\n"), "job_0-X.txt:2: 99 is no endpoint of the fabric");
  EXPECT_EQ(job_error("2 5 0 1 0 8 9 0\n"), "job_0-X.txt:2: 2 is no endpoint of the fabric");
  EXPECT_EQ(job_error("3 5 1 1 0 8 9 0\n"), "job_0-X.txt:2: endpoint 3 is not on leaf 1");
  EXPECT_EQ(job_error("3 3 0 0 0 8 9 0\n"), "job_0-X.txt:2: a flow from 3 to itself");
  EXPECT_EQ(job_error("3 5 0 1 0 0 9 0\n"), "job_0-X.txt:2: flow_size is 0; expected bytes above 0");
  EXPECT_EQ(job_error("3 5 0 1 0 -8 9 0\n"), "job_0-X.txt:2: '-8'; expected a whole number");
  EXPECT_EQ(job_error("3 5 0 1 0 8 9\n"),
            "job_0-X.txt:2: has 7 columns; expected 8: src dst src_tor dst_tor start_time flow_size compute_time "
            "stage_index");
  EXPECT_EQ(job_error("3 5 0 1 0 8 9 0\n5 3 1 0 1 8 9 0\n"), "job_0-X.txt:3: start_time is 1; expected 0 as in line 2");
  EXPECT_EQ(job_error(""),
            "job_0-X.txt:1: holds no flow; expected lines of src dst src_tor dst_tor start_time flow_size compute_time "
            "stage_index");
}

TEST(JobFolder, EveryJobFileIsAJobInNaturalOrder) {
  const Fabric fabric = parse_fabric(kTopology, "t.properties");
  const ScratchFolder folder;
  const std::string pair = kHeader + "3 5 0 1 0 8 9 0\n5 3 1 0 0 8 9 0\n";
  put(folder.file("job_10-B.txt"), pair);
  put(folder.file("job_9-A.txt"), pair);
  put(folder.file("notes.md"), "no job\n");
  const Workload workload = read_workload(fabric, folder.file(""));
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_EQ(workload.jobs[0].id, "9");
  EXPECT_EQ(workload.jobs[1].id, "10");
  ASSERT_EQ(workload.findings.size(), 1U);
  EXPECT_THAT(workload.findings[0].names, ElementsAre("notes.md"));
}

TEST(JobFolder, RefusesOneIdTwiceAndNoJobAtAll) {
  const Fabric fabric = parse_fabric(kTopology, "t.properties");
  const ScratchFolder folder;
  EXPECT_EQ(input_error([&] { (void)read_workload(fabric, folder.file("")); }),
            folder.file("") + ": the folder holds no job file");
  const std::string pair = kHeader + "3 5 0 1 0 8 9 0\n5 3 1 0 0 8 9 0\n";
  put(folder.file("job_1-A.txt"), pair);
  const std::string second = folder.file("job_1-B.txt");
  put(second, pair);
  EXPECT_EQ(input_error([&] { (void)read_workload(fabric, folder.file("")); }),
            second + ": job '1' is in another file of the folder already");
}

}  // namespace
}  // namespace spineweave::test
