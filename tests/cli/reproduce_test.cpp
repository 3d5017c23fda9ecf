// reproduce
#include <gmock/gmock.h>

#include <filesystem>

#include "support/program.hpp"

namespace spineweave::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A fabric of four leaves and two spines with two folders of jobs below, as the paper's workloads lie.
class CliReproduce : public testing::Test {
 protected:
  CliReproduce() {
    namespace fs = std::filesystem;
    put_in("topology.properties",
           "num_nodes=14\n"
           "num_undirected_edges=16\n"
           "switches=incl_range(0,5)\n"
           "switches_which_are_tors=incl_range(0,3)\n"
           "cores=incl_range(4,5)\n"
           "servers=incl_range(6,13)\n"
           "undirected_edges=incl_range(0:3-4:5,6:7-0,8:9-1,10:11-2,12:13-3)\n"
           "link_data_rate_bit_per_ns=100\n");
    const std::string header = "#src dst src_tor dst_tor start_time flow_size compute_time stage_index\n";
    const std::string ring =
        "6 8 0 1 1000 1000000 50000 0\n8 10 1 2 1000 1000000 50000 0\n10 12 2 3 1000 1000000 50000 0\n"
        "12 6 3 0 1000 1000000 50000 0\n";
    const std::string other =
        "7 9 0 1 3000 2000000 70000 0\n9 11 1 2 3000 2000000 70000 0\n11 13 2 3 3000 2000000 70000 0\n"
        "13 7 3 0 3000 2000000 70000 0\n";
    put_in("jobs_1/ring_4/job_0-BLOOM.txt", header + ring);
    put_in("jobs_2/ring_4/job_0-BLOOM.txt", header + ring);
    put_in("jobs_2/ring_4/job_1-GPT_3.txt", header + other);
  }

  void put_in(const std::string& name, const std::string& content) const {
    const std::filesystem::path path = folder_.file("work/" + name);
    std::filesystem::create_directories(path.parent_path());
    put(path.string(), content);
  }

  ScratchFolder folder_;
};

TEST_F(CliReproduce, PlaysEveryFolderOfJobsWithEveryNumberOfFailedSpines) {
  const Outcome outcome =
      folder_.run({"reproduce", "--workloads", "work", "--failures", "0,1", "--tie-orders", "3", "-o", "out"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("jobs_1/ring_4"), HasSubstr("jobs_2/ring_4"), HasSubstr("no failed spine"),
                                 HasSubstr("1 failed spine"), HasSubstr("greedy with 3 orders of its ties: "),
                                 HasSubstr("wrote 16 files into out\n")));
  for (const char* name :
       {"scenarios.csv", "table.md", "allreduce-0-failed.svg", "slowdown-1-failed.svg", "run-time.svg",
        "jobs_2/ring_4/1-failed/jobs.csv", "jobs_1/ring_4/0-failed/recomputations.csv"})
    EXPECT_FALSE(content_of(folder_.file(std::string("out/") + name)).empty()) << name;
  EXPECT_THAT(content_of(folder_.file("out/table.md")), HasSubstr("| no failed spine |"));
}

TEST_F(CliReproduce, RefusesWhatItCannotPlay) {
  const auto error_of = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"reproduce", "--workloads", "work"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = folder_.run(arguments);
    EXPECT_NE(outcome.status, 0);
    return outcome.err;
  };
  EXPECT_THAT(error_of({"--failures", "2"}), HasSubstr("--failures: 2 of the fabric's 2 spines leave none"));
  EXPECT_THAT(error_of({"--failures", "1,1"}), HasSubstr("--failures: 1 stands twice"));
  EXPECT_THAT(error_of({"--failures", "one"}), HasSubstr("--failures: 'one'; expected numbers of failed spines"));
  EXPECT_THAT(error_of({"--solvers", "weaver"}), HasSubstr("did you mean weave?"));
  std::filesystem::remove_all(folder_.file("work/jobs_1"));
  std::filesystem::remove_all(folder_.file("work/jobs_2"));
  EXPECT_THAT(error_of({}), HasSubstr("no folder below work holds job files"));
}

}  // namespace
}  // namespace spineweave::test
