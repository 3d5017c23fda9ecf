// The verb bench. What it measures is never asserted: only what it says about it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "report/text_layout.hpp"
#include "support/program.hpp"
#include "util/text.hpp"

namespace spineweave::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

using Arguments = std::vector<std::string>;

nlohmann::ordered_json bench_report(const Arguments& more) {
  const ScratchFolder folder;
  Arguments all = {"bench", "--quiet", "--report", "bench.json"};
  all.insert(all.end(), more.begin(), more.end());
  const Outcome outcome = folder.run(all);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, IsEmpty());
  return nlohmann::ordered_json::parse(content_of(folder.file("bench.json")));
}

std::vector<std::string> values_of(const nlohmann::ordered_json& objects, const std::string& key) {
  std::vector<std::string> values;
  for (const auto& object : objects) values.push_back(object[key]);
  return values;
}

TEST(CliBench, TheSmallTableFitsEightyColumnsAndSaysWhatItFound) {
  const Outcome outcome = ScratchFolder().run({"bench", "--cases", "small", "--repetitions", "2"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, StartsWith("Spineweave "));
  for (const char* part : {"Scoring all candidate paths", "Solving", "The parts of a whole run", "What came out",
                           "small-down: leaf-", "lose their path"})
    EXPECT_THAT(outcome.out, HasSubstr(part));
  for (const std::string_view line : util::split(outcome.out, '\n'))
    EXPECT_LE(report::display_width(line), 80U) << line;
}

TEST(CliBench, TheReportHoldsEveryRepetitionAndItsUnits) {
  const auto report = bench_report({"--cases", "small", "--repetitions", "3", "--commit", "abc"});
  EXPECT_EQ(report.begin().key(), "schema");
  EXPECT_EQ(report["schema"], "spineweave.bench/1");
  EXPECT_EQ(report["commit"], "abc");
  EXPECT_EQ(report["run"]["interrupted"], false);
  EXPECT_THAT(values_of(report["cases"], "name"), ElementsAre("small-score", "small-solve", "small-down"));
  EXPECT_THAT(values_of(report["cases"], "operation"), ElementsAre("score", "optimize", "repair"));
  EXPECT_THAT(values_of(report["cases"], "digest"), Each(MatchesRegex("[0-9a-f]{16}")));
  for (const auto& item : report["cases"]) {
    EXPECT_GT(item["problem"]["flows"], 0U);
    for (const auto& step : item["steps"]) {
      const bool once = step["step"] == "match" || step["step"] == "afresh";  // what a repair is held against
      EXPECT_EQ(step["repetitions"], once ? 1U : 3U);
      EXPECT_EQ(step["us"].size(), once ? 1U : 3U);
      EXPECT_LE(step["min_us"], step["median_us"]);
      EXPECT_LE(step["median_us"], step["max_us"]);
      EXPECT_TRUE(step.contains(item["operation"] == "score" ? "candidates_per_s" : "flows_per_s"));
    }
  }
  EXPECT_THAT(values_of(report["cases"][1]["steps"], "step"), ElementsAre("load", "build", "solve", "assess", "whole"));
  EXPECT_THAT(values_of(report["cases"][2]["steps"], "step"), ElementsAre("match", "afresh", "repair"));
}

TEST(CliBench, ACaseIsWhatOptimizeDoesWithItsInputs) {
  const auto item = bench_report({"--cases", "small-solve", "--repetitions", "1"})["cases"][0];
  const auto& input = item["input"];
  const ScratchFolder folder;
  const Outcome outcome = folder.run(
      {"optimize", "--fabric", input["fabric"], "--jobs", input["jobs"], "--down", input["down"], "--report", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto report = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(report["digest"], item["digest"]);
  EXPECT_EQ(report["score"]["worst_job"], item["result"]["worst_job"]);
  EXPECT_EQ(report["score"]["lower_bound"], item["result"]["lower_bound"]);
  EXPECT_EQ(report["efficiency"]["network"], item["result"]["network_efficiency"]);
  EXPECT_EQ(report["efficiency"]["fluid_bound"], item["result"]["fluid_bound"]);
}

TEST(CliBench, ARepairNamesItsCableAndIsHeldAgainstASolveFromNothing) {
  const auto item = bench_report({"--cases", "small-down", "--repetitions", "1"})["cases"][0];
  const auto& repair = item["repair"];
  EXPECT_GT(repair["flows_displaced"], 0U);
  EXPECT_GE(repair["flows_moved"], repair["flows_displaced"]);
  const ScratchFolder folder;
  const std::string faults =
      fmt::format("{},{}", item["input"]["down"].get<std::string>(), repair["cable"].get<std::string>());
  const Outcome outcome = folder.run({"optimize", "--fabric", item["input"]["fabric"], "--jobs", item["input"]["jobs"],
                                      "--down", faults, "--report", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["digest"], repair["afresh"]["digest"]);
}

TEST(CliBench, ResultsAreTheSameForEveryThreadCount) {
  std::vector<std::vector<std::string>> digests;
  for (const char* threads : {"1", "2", "3"})
    digests.push_back(values_of(
        bench_report({"--cases", "small,paper", "--repetitions", "1", "--threads", threads})["cases"], "digest"));
  EXPECT_THAT(digests, Each(digests.front()));
}

TEST(CliBench, CasesAreChosenByNameAndByGroupInTheOrderOfTheTable) {
  const auto report = bench_report({"--cases", "small-down, paper,score-paper", "--repetitions", "1"});
  EXPECT_THAT(values_of(report["cases"], "name"), ElementsAre("score-paper", "paper", "small-down"));
}

TEST(CliBench, AnUnknownCaseIsRefusedWithTheNearest) {
  const Outcome outcome = ScratchFolder().run({"bench", "--cases", "small,link-dwn"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, AllOf(StartsWith("spineweave: error: --cases: unknown case 'link-dwn'"),
                                 HasSubstr("did you mean link-down?")));
}

TEST(CliBench, OptionsThatMakeNoSenseAreUsageErrors) {
  const ScratchFolder folder;
  const std::vector<Arguments> calls = {
      {"--repetitions", "0"},      {"--repetitions", "many"},
      {"--threads", "0"},          {"--backend", "abacus"},
      {"--cases", "small,"},       {"--cases", "small,flows-1k", "--plot", "plot.svg"},
      {"--report", "no/b.json"},   {"--report", "same", "--plot", "same"},
      {"--fabric", "fat-tree:k=4"}};
  for (const Arguments& more : calls) {
    Arguments all = {"bench"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = folder.run(all);
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(more) << outcome.err;
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST(CliBench, AReportOnStandardOutputIsAlone) {
  const Outcome outcome =
      ScratchFolder().run({"bench", "--cases", "small-score", "--repetitions", "1", "--report", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(nlohmann::json::accept(outcome.out));
}

TEST(CliBench, ThePlotDrawsTheScalingCases) {
  const ScratchFolder folder;
  const Outcome outcome = folder.run(
      {"bench", "--cases", "small,flows-1k,flows-2k", "--repetitions", "1", "--plot", "plot.svg", "--quiet"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string svg = content_of(folder.file("plot.svg"));
  EXPECT_THAT(svg,
              AllOf(StartsWith("<svg xmlns="), HasSubstr("solve, 1,024 flows: "), HasSubstr("solve, 2,000 flows: "),
                    HasSubstr("per flow</text>"), Not(HasSubstr("nan")), Not(HasSubstr("inf"))));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST(CliBench, AnInterruptReportsWhatWasMeasuredSoFar) {
  const ScratchFolder folder;
  const Outcome outcome = folder.run_interrupted(
      {"bench", "--cases", "scaling", "--repetitions", "1000", "--report", "bench.json", "--plot", "plot.svg"});
  EXPECT_EQ(outcome.status, 130);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("interrupted, ending with what was measured so far"),
                                 HasSubstr("too few cases were measured for a plot")));
  EXPECT_THAT(outcome.out, HasSubstr("of 8 cases were measured."));
  EXPECT_EQ(nlohmann::json::parse(content_of(folder.file("bench.json")))["run"]["interrupted"], true);
}

}  // namespace
}  // namespace spineweave::test
