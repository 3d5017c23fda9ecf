// simulate
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

#include "cli/small_instance.hpp"
#include "support/program.hpp"

namespace spineweave::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

using Arguments = std::vector<std::string>;

Arguments simulate(const Arguments& more) {
  Arguments all = {"simulate", "--fabric", kFabric, "--jobs", kJobs};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<std::string> lines_of(const ScratchFolder& folder, const std::string& name) {
  std::istringstream text(content_of(folder.file(name)));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

nlohmann::json summary_in(const ScratchFolder& folder, const std::string& name) {
  return nlohmann::json::parse(content_of(folder.file(name + "/summary.json")));
}

TEST(CliSimulate, WritesTheTablesAndTheSummary) {
  const ScratchFolder folder;
  const Outcome outcome = folder.run(simulate({"-o", "results", "--epochs", "3", "--flows"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, AllOf(StartsWith("4 jobs with 16 flows: "), HasSubstr("\n  weave "), HasSubstr("digest"),
                                 HasSubstr("\nwrote 9 files into results\n")));
  for (const char* name : {"allreduce.svg", "run-time.svg", "link-load.svg", "flow-completion.svg", "throughput.svg"})
    EXPECT_THAT(content_of(folder.file(std::string("results/") + name)), HasSubstr(">weave<")) << name;
  const auto epochs = lines_of(folder, "results/jobs.csv");
  ASSERT_THAT(epochs, SizeIs(1 + 4 * 4 * 3));
  EXPECT_EQ(epochs.front(), "solver,job,epoch,start_ns,end_ns,allreduce_ns,ideal_ns,slowdown");
  EXPECT_EQ(std::ranges::count_if(epochs, [](const std::string& line) { return line.starts_with("coloring,"); }), 12);
  // Six steps of four flows in an epoch, and the first step of one epoch more.
  EXPECT_THAT(lines_of(folder, "results/flows.csv"), SizeIs(1 + 4 * 4 * (3 * 6 + 1) * 4));
  EXPECT_EQ(lines_of(folder, "results/recomputations.csv").front(),
            "solver,time_ns,kind,flows,moves,phases,worst_job,proved,build_us,run_us");
  const nlohmann::json summary = summary_in(folder, "results");
  EXPECT_EQ(summary["schema"], "spineweave.simulation/1");
  EXPECT_EQ(summary["run"]["recompute"], "artifact");
  ASSERT_EQ(summary["solvers"].size(), 4U);
  EXPECT_EQ(summary["solvers"][3]["solver"], "weave");
  EXPECT_EQ(summary["solvers"][3]["epochs"], 12);
  EXPECT_THAT(summary["solvers"][3]["unfinished_jobs"], IsEmpty());
}

TEST(CliSimulate, TheReportFitsEightyColumns) {
  const ScratchFolder folder;
  const Outcome outcome = folder.run(simulate({"--fail", "spine:1@100ms"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::istringstream text(outcome.out);
  for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(CliSimulate, HasTheSameTablesAndDigestForEveryThreadCount) {
  const ScratchFolder folder;
  std::vector<std::string> tables, digests;
  for (const char* threads : {"1", "2", "8"}) {
    const Outcome outcome = folder.run(simulate({"--threads", threads, "-o", threads, "--flows", "-q", "--qps", "2",
                                                 "--fail", "spine:1@100ms", "--recover", "spine:1@300ms"}));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, IsEmpty());
    tables.push_back(content_of(folder.file(fmt::format("{}/jobs.csv", threads))) +
                     content_of(folder.file(fmt::format("{}/flows.csv", threads))));
    digests.push_back(summary_in(folder, threads)["digest"]);
  }
  EXPECT_THAT(tables, Each(tables.front()));
  EXPECT_THAT(digests, Each(digests.front()));
}

TEST(CliSimulate, TheDigestIsThatOfEachSchemeAndOfAllFlowsWhetherOrNotTheyAreWritten) {
  const ScratchFolder folder;
  ASSERT_EQ(folder.run(simulate({"-o", "all"})).status, 0);
  ASSERT_EQ(folder.run(simulate({"-o", "one", "--solvers", "weave", "--flows"})).status, 0);
  EXPECT_EQ(summary_in(folder, "all")["solvers"][3]["digest"], summary_in(folder, "one")["solvers"][0]["digest"]);
}

TEST(CliSimulate, AJobThatStaysCutOffIsNoted) {
  const ScratchFolder folder;
  const Outcome outcome = folder.run(simulate({"--solvers", "weave", "--fail", "leaf-0@1ms"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("4 jobs did not play all epochs under weave, since a failure cut off some"));
}

TEST(CliSimulate, EndsWithWhatItHasOnCtrlC) {
  const ScratchFolder folder;
  const Outcome outcome =
      folder.run_interrupted({"simulate", "--fabric", "leaf-spine:leaves=64,spines=32,hosts=32,gbps=100", "--jobs",
                              "paper:jobs=5,ring=4", "--epochs", "1000000", "--solvers", "ecmp", "-o", "results"});
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("interrupted, ending with what was played so far"));
  EXPECT_TRUE(summary_in(folder, "results")["solvers"][0]["truncated"]);
}

struct Refusal {
  Arguments arguments;
  std::string message;
};

TEST(CliSimulate, WrongOptionsAreUsageErrorsThatSayWhatIsExpected) {
  const ScratchFolder folder;
  put(folder.file("file"), "");
  const std::vector<Refusal> refusals = {
      {{"--epochs", "0"}, "--epochs is '0'; expected a whole number from 1 to "},
      {{"--solvers", "weav"},
       "--solvers: 'weav'; expected some of ecmp, greedy, coloring, annealing, exact, weave; did you mean weave?"},
      {{"--solvers", "ecmp,ecmp"}, "--solvers: ecmp stands twice"},
      {{"--recompute", "every:-1s"}, "recompute 'every:-1s': expected artifact, events, static or a period"},
      {{"--fail", "spine:1@-2s"}, "failure 'spine:1@-2s': '-2s' is no time; expected one from 0 on"},
      {{"--fail", "spine:1"}, "failure 'spine:1' has no time; expected TARGET@TIME"},
      {{"--fail", "spine:9@2s"}, "fault 'spine:9': expected a number from 0 to 1"},
      {{"--recover", "spine:1@2s"}, "recovery of 'spine:1' at 2000000000 ns: nothing failed by then has these links"},
      {{"--fail", "spine:1@2s", "--recover", "spine:1@1s"}, "recovery of 'spine:1' at 1000000000 ns: nothing failed"},
      {{"--max-moves", "-1"}, "--max-moves is '-1'"},
      {{"--max-moves", "1", "--solvers", "ecmp,greedy"}, "--max-moves is for weave, which is not among the schemes"},
      {{"--tie-order", "1", "--solvers", "weave"}, "--tie-order is for greedy, which is not among the schemes"},
      {{"--horizon", "30"}, "--horizon is '30'; expected a time with its unit"},
      {{"--horizon", "0s"}, "--horizon is '0s'; expected a time"},
      {{"--move-cost", "-1ms"}, "--move-cost is '-1ms'; expected a time"},
      {{"--flows"}, "--flows needs --output"},
      {{"-o", "file"}, "--output: file is a file; expected a folder"},
      {{"-o", "no/such/folder"}, "--output: the folder no/such does not exist"},
      {{"--color", "blue"}, "--color is 'blue'"},
  };
  for (const Refusal& refusal : refusals) {
    const Outcome outcome = folder.run(simulate(refusal.arguments));
    EXPECT_EQ(outcome.status, 2) << refusal.message;
    EXPECT_THAT(outcome.err, HasSubstr(refusal.message));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST(CliSimulate, JobsWithoutAnEpochOrWithNegativeTimesAreBadInput) {
  const ScratchFolder folder;
  const std::string job = R"({{"schema": "spineweave.jobs/1", "jobs": [{{"id": "a", {}, "collectives": [
      {{"kind": "p2p", "bytes": 1, "ranks": ["host-0-0", "host-1-0"]}}]}}]}})";
  for (const auto& [key, message] : {std::pair{"\"epochs\": 0", "epochs is 0; expected 1 at least, or no such key"},
                                     {"\"start_ns\": -5", "start_ns is -5; expected a whole number"},
                                     {"\"compute_ns\": -5", "compute_ns is -5; expected a whole number"}}) {
    put(folder.file("jobs.json"), fmt::format(fmt::runtime(job), key));
    const Outcome outcome = folder.run({"simulate", "--fabric", kFabric, "--jobs", "jobs.json"});
    EXPECT_EQ(outcome.status, 3) << key;
    EXPECT_THAT(outcome.err, HasSubstr(message));
  }
}

}  // namespace
}  // namespace spineweave::test
