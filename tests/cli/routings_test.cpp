// evaluate --routings
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/small_instance.hpp"
#include "support/program.hpp"

namespace spineweave::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using Arguments = std::vector<std::string>;

Arguments evaluate(const Arguments& more) {
  Arguments all = {"evaluate", "--fabric", kFabric, "--jobs", kJobs};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

nlohmann::json json_in(const ScratchFolder& folder, const std::string& name) {
  return nlohmann::json::parse(content_of(folder.file(name)));
}

// Everything but where it comes from and the times.
nlohmann::json without_the_run(nlohmann::json report) {
  report.erase("run");
  report.erase("time");
  return report;
}

// tries/seed-N.json is what ECMP does under seed N.
void put_tries(const ScratchFolder& folder, int count) {
  std::filesystem::create_directory(folder.file("tries"));
  for (int seed = 1; seed <= count; ++seed) {
    const std::string number = std::to_string(seed);
    const Outcome outcome = folder.run(
        evaluate({"--solver", "ecmp", "--seed", number, "-q", "-o", fmt::format("tries/seed {}.json", number)}));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }
}

TEST(CliRoutings, RankTheSeedsOfEcmpAndWriteTheReportAndTheBest) {
  const ScratchFolder folder;
  const Outcome outcome =
      folder.run(evaluate({"--routings", "ecmp:seeds=1-50", "-o", "best.json", "--report", "report.json"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, AllOf(StartsWith("50 routings scored on "), HasSubstr("wrote best.json, report.json\n")));
  const nlohmann::json report = json_in(folder, "report.json");
  EXPECT_EQ(report["schema"], "spineweave.routings-report/1");
  EXPECT_EQ(report["routings"].size(), 50U);
  // What is written as the best is the best.
  const Outcome again = folder.run(evaluate({"--routing", "best.json", "--report", "again.json"}));
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.err, IsEmpty());
  EXPECT_EQ(json_in(folder, "again.json")["digest"], report["best"]["digest"]);
}

TEST(CliRoutings, GiveWhatEachRoutingGetsAlone) {
  const ScratchFolder folder;
  put_tries(folder, 5);
  ASSERT_EQ(folder.run(evaluate({"--routings", "tries", "--report", "all.json"})).status, 0);
  const nlohmann::json all = json_in(folder, "all.json");
  ASSERT_EQ(all["routings"].size(), 5U);
  for (const nlohmann::json& entry : all["routings"]) {
    const std::string file = "tries/" + entry["name"].get<std::string>() + ".json";
    ASSERT_EQ(folder.run(evaluate({"--routing", file, "--report", "one.json"})).status, 0);
    const nlohmann::json one = json_in(folder, "one.json");
    EXPECT_EQ(one["score"]["worst_job"], entry["worst_job"]);
    EXPECT_EQ(one["score"]["max_congestion"], entry["max_congestion"]);
    EXPECT_EQ(one["score"]["certificate"]["jobs_at_bound"], entry["jobs_at_bound"]);
    if (entry["rank"] == 1) {
      EXPECT_EQ(one["digest"], all["best"]["digest"]);
    }
  }
}

TEST(CliRoutings, AFolderItsFileAndTheSpecGiveTheSameReport) {
  const ScratchFolder folder;
  put_tries(folder, 5);
  ASSERT_EQ(folder.run({"convert", "tries", "tries.json", "--to", "routings"}).status, 0);
  ASSERT_EQ(folder.run({"convert", "tries.json", "again.json"}).status, 0);
  EXPECT_EQ(content_of(folder.file("tries.json")), content_of(folder.file("again.json")));
  std::vector<nlohmann::json> reports;
  for (const char* source : {"ecmp:seeds=1-5", "tries", "tries.json"}) {
    const Outcome outcome = folder.run(evaluate({"--routings", source, "--report", "report.json"}));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    reports.push_back(without_the_run(json_in(folder, "report.json")));
  }
  EXPECT_THAT(reports, testing::Each(reports.front()));
}

TEST(CliRoutings, AreTheSameForEveryThreadCount) {
  const ScratchFolder folder;
  std::vector<nlohmann::json> reports;
  for (const char* threads : {"1", "2", "3", "8"}) {
    const Outcome outcome =
        folder.run(evaluate({"--routings", "ecmp:seeds=1-200", "--threads", threads, "--report", "report.json", "-q"}));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    reports.push_back(without_the_run(json_in(folder, "report.json")));
  }
  EXPECT_THAT(reports, testing::Each(reports.front()));
}

TEST(CliRoutings, AForeignFileInTheFolderIsNoted) {
  const ScratchFolder folder;
  put_tries(folder, 1);
  put(folder.file("tries/readme.txt"), "notes");
  const Outcome outcome = folder.run(evaluate({"--routings", "tries"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("files in the folder that are no routings: readme.txt"));
}

TEST(CliRoutings, ErrorsNameTheFile) {
  const ScratchFolder folder;
  put_tries(folder, 1);
  std::filesystem::create_directory(folder.file("empty"));
  ASSERT_EQ(folder.run({"convert", "tries", "tries.json", "--to", "routings"}).status, 0);
  const auto error = [&](Arguments more) {
    const Outcome outcome = folder.run(evaluate(more));
    EXPECT_EQ(outcome.status, 3) << testing::PrintToString(more);
    EXPECT_THAT(outcome.out, IsEmpty());
    return outcome.err;
  };
  EXPECT_THAT(error({"--routings", "empty"}), StartsWith("spineweave: error: empty: the folder holds no routing file"));
  EXPECT_THAT(error({"--routings", "missing.json"}), StartsWith("spineweave: error: missing.json: "));
  EXPECT_THAT(error({"--routings", "tries.json", "--down", "spine:0"}),
              StartsWith("spineweave: error: tries.json: the routings belong to another fabric"));
  EXPECT_THAT(error({"--routings", "tries", "--qps", "2"}),
              StartsWith("spineweave: error: tries: the routings belong to other jobs"));
  EXPECT_THAT(error({"--routing", "tries/seed 1.json", "--qps", "2"}),
              StartsWith("spineweave: error: tries/seed 1.json: the routing belongs to other jobs"));
}

TEST(CliRoutings, OptionsThatMakeNoSenseAreUsageErrors) {
  const ScratchFolder folder;
  const std::vector<Arguments> calls = {
      {"--routings", "ecmp:seeds=1-5", "--solver", "ecmp"},
      {"--routings", "ecmp:seeds=1-5", "--routing", "r.json"},
      {"--routings", "ecmp:seeds=1-5", "--rounds", "3"},
      {"--routings", "ecmp:seeds=1-5", "--html", "page.html"},
      {"--routings", "ecmp:seed=1-5"},
      {"--routings", "greedy:seeds=1"},
  };
  for (const Arguments& more : calls) {
    const Outcome outcome = folder.run(evaluate(more));
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(more) << outcome.err;
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST(CliRoutings, AnInterruptReportsWhatWasScoredSoFar) {
  const ScratchFolder folder;
  const Outcome outcome =
      folder.run_interrupted({"evaluate", "--fabric", "leaf-spine:leaves=64,spines=32,hosts=32,gbps=100", "--jobs",
                              "paper:jobs=5,ring=4,seed=1", "--routings", "ecmp:seeds=1-1000000", "-o", "best.json",
                              "--report", "report.json"});
  EXPECT_EQ(outcome.status, 130);
  EXPECT_THAT(outcome.err, HasSubstr("interrupted"));
  EXPECT_THAT(outcome.out, HasSubstr("of 1,000,000 routings scored on "));
  EXPECT_THAT(content_of(folder.file("best.json")), HasSubstr("spineweave.routing/1"));
  const nlohmann::json report = json_in(folder, "report.json");
  EXPECT_EQ(report["run"]["truncated"], true);
  EXPECT_EQ(report["scored"], report["routings"].size());
}

}  // namespace
}  // namespace spineweave::test
