#include <gmock/gmock.h>

#include <filesystem>
#include <regex>

#include "cli/small_instance.hpp"
#include "support/program.hpp"

namespace spineweave::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::string kFabric = "leaf-spine:leaves=4,spines=2,hosts=4,gbps=100";
const std::string kJobs = "rings:jobs=4,size=4,placement=random,seed=1";
const std::vector<std::string> kVerbs = {"inspect",  "optimize", "evaluate", "simulate",
                                         "generate", "convert",  "bench",    "backends"};

std::string digest_in(const std::string& json) {
  std::smatch match;
  return std::regex_search(json, match, std::regex("\"digest\": \"([0-9a-f]{16})\"")) ? match[1].str() : "";
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find('\n', begin);
    longest = std::max(longest, std::min(end, text.size()) - begin);
  }
  return longest;
}

TEST(Cli, HelpOfEveryVerbFitsEightyColumnsAndHasExamples) {
  const ScratchFolder folder;
  std::vector<std::vector<std::string>> calls = {{"--help"}};
  for (const std::string& verb : kVerbs) calls.push_back({verb, "--help"});
  for (const auto& call : calls) {
    const Outcome help = folder.run(call);
    EXPECT_EQ(help.status, 0) << call.front();
    EXPECT_THAT(help.out, AllOf(HasSubstr("Usage:"), HasSubstr("Examples:")));
    EXPECT_LE(longest_line(help.out), 80U) << help.out;
    EXPECT_THAT(help.err, IsEmpty());
  }
}

TEST(Cli, VersionIsPrinted) {
  const Outcome version = ScratchFolder().run({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, StartsWith("spineweave "));
}

TEST(Cli, AMisspeltVerbOrOptionIsAUsageErrorThatNamesTheNearest) {
  const ScratchFolder folder;
  const Outcome verb = folder.run({"optimise"});
  EXPECT_EQ(verb.status, 2);
  EXPECT_THAT(verb.err, StartsWith("spineweave: error: unknown verb 'optimise'; did you mean optimize?"));
  const Outcome option = folder.run({"optimize", "--fabrik", kFabric, "--jobs", kJobs});
  EXPECT_EQ(option.status, 2);
  EXPECT_THAT(option.err, HasSubstr("unknown option '--fabrik'; did you mean --fabric?"));
  const Outcome solver = folder.run({"optimize", "--fabric", kFabric, "--jobs", kJobs, "--solver", "weaver"});
  EXPECT_EQ(solver.status, 2);
  EXPECT_THAT(solver.err, HasSubstr("did you mean weave?"));
}

TEST(Cli, OptionsThatMakeNoSenseAreUsageErrors) {
  const ScratchFolder folder;
  const std::vector<std::vector<std::string>> calls = {
      {},
      {"optimize", "--jobs", kJobs},
      {"optimize", "--fabric", "--jobs", kJobs},
      {"optimize", "--fabric", kFabric, "--jobs", kJobs, "--seed", "one"},
      {"optimize", "--fabric", kFabric, "--jobs", kJobs, "--seed", "1", "--seed", "2"},
      {"optimize", "--fabric", kFabric, "--jobs", kJobs, "--time-limit", "50"},
      {"optimize", "--fabric", kFabric, "--jobs", kJobs, "--threads", "0"},
      {"optimize", "--fabric", kFabric, "--jobs", kJobs, "--solver", "ecmp", "--warm-start", "r.json"},
      {"optimize", "--fabric", kFabric, "--jobs", kJobs, "stray"},
      {"optimize", "--fabric", kFabric, "--jobs", kJobs, "--backend", "abacus"},
      {"optimize", "--fabric", kFabric, "--jobs", kJobs, "-o", "missing/r.json"},
      {"optimize", "--fabric", kFabric, "--jobs", kJobs, "-o", "same.json", "--report", "same.json"},
      {"evaluate", "--fabric", kFabric, "--jobs", kJobs},
      {"evaluate", "--fabric", kFabric, "--jobs", kJobs, "--routing", "r.json", "--solver", "ecmp"},
      {"generate", "fabric"},
      {"generate", "routing", "x:y=1"},
      {"convert", "in.json"},
  };
  for (const auto& call : calls) {
    const Outcome outcome = folder.run(call);
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(call) << outcome.err;
    EXPECT_THAT(outcome.err, StartsWith("spineweave: error: "));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST(Cli, AMissingFileIsBadInput) {
  const Outcome outcome = ScratchFolder().run({"inspect", "--fabric", "missing.json"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("spineweave: error: "), HasSubstr("missing.json")));
}

bool has_device() { return ScratchFolder().run({"backends"}).out.find("cuda      yes") != std::string::npos; }

TEST(Cli, ABackendThatCannotRunHereIsRefusedByNameWithTheReason) {
  if (has_device()) GTEST_SKIP() << "every known backend can run here";
  const Outcome outcome = ScratchFolder().run({"optimize", "--fabric", kFabric, "--jobs", kJobs, "--backend", "cuda"});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, AnyOf(HasSubstr("not compiled into"), HasSubstr("no NVIDIA driver"),
                                 HasSubstr("no CUDA device"), HasSubstr("the CUDA runtime says")));
}

TEST(Cli, BackendAutoTakesTheCpuWhereThereIsNoDeviceAndSaysSo) {
  if (has_device()) GTEST_SKIP() << "backend auto takes the GPU here";
  const ScratchFolder folder;
  const Outcome outcome =
      folder.run({"optimize", "--fabric", kFabric, "--jobs", kJobs, "--backend", "auto", "--report", "report.json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("weave on cpu"));
  EXPECT_THAT(content_of(folder.file("report.json")), HasSubstr("\"backend\": \"cpu\""));
}

TEST(Cli, AnUnknownBackendIsRefusedBeforeAnythingIsLoaded) {
  const Outcome outcome =
      ScratchFolder().run({"optimize", "--fabric", "missing.json", "--jobs", kJobs, "--backend", "cida"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean cuda?"));
}

TEST(Cli, ACertificateForMadeUpWeightsSaysSo) {
  const Outcome outcome =
      ScratchFolder().run({"optimize", "--fabric", kFabric, "--jobs", kJobs, "--weights", "hash:1-9"});
  EXPECT_THAT(outcome.out, HasSubstr("for weights hash:1-9"));
}

TEST(Cli, HelpHasNoSpacesAtTheEndsOfLines) {
  const Outcome outcome = ScratchFolder().run({"simulate", "--help"});
  EXPECT_THAT(outcome.out, Not(HasSubstr(" \n")));
  EXPECT_THAT(outcome.out, HasSubstr("Examples:\n"));
}

TEST(Cli, OptimizePrintsAReportAndWritesItsFiles) {
  const ScratchFolder folder;
  const Outcome outcome = folder.run({"optimize", "--fabric", kFabric, "--jobs", kJobs, "-o", "routing.json",
                                      "--report", "report.json", "--html", "report.html"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("ECMP"), Not(HasSubstr("\033"))));
  EXPECT_THAT(content_of(folder.file("routing.json")), HasSubstr("spineweave.routing/1"));
  EXPECT_THAT(content_of(folder.file("report.json")), HasSubstr("spineweave.report/1"));
  EXPECT_THAT(content_of(folder.file("report.html")), HasSubstr("<html"));
}

TEST(Cli, TheDigestIsTheSameForEveryThreadCountAndWhenTheRoutingIsReadBack) {
  const ScratchFolder folder;
  std::vector<std::string> digests;
  for (const char* threads : {"1", "2", "3", "8"}) {
    const Outcome outcome = folder.run({"optimize", "--fabric", kFabric, "--jobs", kJobs, "--threads", threads, "-o",
                                        "routing.json", "--report", "report.json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    digests.push_back(digest_in(content_of(folder.file("report.json"))));
  }
  const Outcome again =
      folder.run({"evaluate", "--fabric", kFabric, "--jobs", kJobs, "--routing", "routing.json", "--report", "-"});
  ASSERT_EQ(again.status, 0) << again.err;
  digests.push_back(digest_in(again.out));
  EXPECT_THAT(digests.front(), Not(IsEmpty()));
  EXPECT_THAT(digests, testing::Each(digests.front()));
}

TEST(Cli, ARoutingForOtherInputsIsRefusedAndReplacesNothing) {
  const ScratchFolder folder;
  ASSERT_EQ(folder.run({"optimize", "--fabric", kFabric, "--jobs", kJobs, "-o", "routing.json"}).status, 0);
  put(folder.file("report.json"), "old");
  const Outcome outcome = folder.run({"evaluate", "--fabric", kFabric, "--jobs", "permutation:seed=1", "--routing",
                                      "routing.json", "--report", "report.json"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(content_of(folder.file("report.json")), "old");
}

TEST(Cli, AWarmStartRepairsARoutingAroundADeadSpine) {
  const ScratchFolder folder;
  ASSERT_EQ(folder.run({"optimize", "--fabric", kFabric, "--jobs", kJobs, "-o", "routing.json"}).status, 0);
  const Outcome outcome = folder.run({"optimize", "--fabric", kFabric, "--jobs", kJobs, "--down", "spine:1",
                                      "--warm-start", "routing.json", "-o", "repaired.json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST(Cli, AnInterruptedSearchWritesTheBestItFoundAndSaysSo) {
  const ScratchFolder folder;
  const Outcome outcome = folder.run_interrupted(
      {"optimize", "--fabric", "leaf-spine:leaves=64,spines=20,hosts=32,gbps=100", "--down", "random:10%,seed=1",
       "--jobs", "rings:jobs=250,size=8,placement=random,seed=1", "--weights", "hash:1-100", "--rounds", "1000000000",
       "-o", "routing.json", "--report", "report.json"});
  if (outcome.status == 0) GTEST_SKIP() << "the search ended on a certificate before it could be interrupted";
  EXPECT_EQ(outcome.status, 130);
  EXPECT_THAT(outcome.err, HasSubstr("interrupted"));
  EXPECT_THAT(content_of(folder.file("routing.json")), HasSubstr("spineweave.routing/1"));
  EXPECT_THAT(content_of(folder.file("report.json")), HasSubstr("\"truncated\": true"));
}

TEST(Cli, GeneratedFilesSurviveConversionUnchanged) {
  const ScratchFolder folder;
  ASSERT_EQ(folder.run({"generate", "fabric", kFabric, "-o", "fabric.json"}).status, 0);
  ASSERT_EQ(folder.run({"generate", "jobs", kJobs, "--fabric", "fabric.json", "-o", "jobs.json"}).status, 0);
  ASSERT_EQ(folder.run({"convert", "fabric.json", "fabric2.json"}).status, 0);
  ASSERT_EQ(folder.run({"convert", "jobs.json", "jobs2.json", "--fabric", "fabric2.json"}).status, 0);
  EXPECT_THAT(content_of(folder.file("fabric.json")), HasSubstr("spineweave.fabric/1"));
  EXPECT_EQ(content_of(folder.file("fabric.json")), content_of(folder.file("fabric2.json")));
  EXPECT_EQ(content_of(folder.file("jobs.json")), content_of(folder.file("jobs2.json")));

  const Outcome spec = folder.run({"optimize", "--fabric", kFabric, "--jobs", kJobs, "--report", "-"});
  const Outcome files = folder.run({"optimize", "--fabric", "fabric2.json", "--jobs", "jobs2.json", "--report", "-"});
  EXPECT_THAT(digest_in(spec.out), Not(IsEmpty()));
  EXPECT_EQ(digest_in(spec.out), digest_in(files.out));
}

TEST(Cli, InspectShowsTheFabricAndWhyItsJobsDoNotFit) {
  const ScratchFolder folder;
  const Outcome good = folder.run({"inspect", "--fabric", kFabric, "--jobs", kJobs});
  EXPECT_EQ(good.status, 0) << good.err;
  const Outcome json = folder.run({"inspect", "--fabric", kFabric, "--json"});
  EXPECT_EQ(json.status, 0) << json.err;
  EXPECT_THAT(json.out, StartsWith("{"));
  const Outcome cut = folder.run({"inspect", "--fabric", kFabric, "--jobs", kJobs, "--down", "spine:0,spine:1"});
  EXPECT_EQ(cut.status, 3);
  EXPECT_THAT(cut.out, Not(IsEmpty()));
}

TEST(Cli, HybridJobsGoFromTheirSpecThroughEveryVerb) {
  const ScratchFolder folder;
  const std::string fabric = "rail:hosts=16,rails=4,spines=4,hosts_per_leaf=4,gbps=400";
  const Outcome generated =
      folder.run({"generate", "jobs", "hybrid:model=deepseek-v3,dp=4,pp=2,tp=4,ep=2,micro_batches=2,placement=random",
                  "--fabric", fabric, "-o", "jobs.json"});
  ASSERT_EQ(generated.status, 0) << generated.err;
  const std::vector<std::string> inputs = {"--fabric", fabric, "--jobs", "jobs.json"};
  const auto call = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), inputs.begin(), inputs.end());
    return folder.run(arguments);
  };
  const Outcome inspected = call({"inspect"});
  EXPECT_EQ(inspected.status, 0) << inspected.err;
  EXPECT_THAT(inspected.out, AllOf(HasSubstr("pipeline"), HasSubstr("all_to_all"), HasSubstr("ring_allreduce")));
  const Outcome optimized = call({"optimize", "-o", "routing.json", "--report", "report.json"});
  EXPECT_EQ(optimized.status, 0) << optimized.err;
  EXPECT_THAT(content_of(folder.file("report.json")),
              AllOf(HasSubstr("\"id\": \"0/0\""), HasSubstr("\"id\": \"1/2\"")));
  const Outcome evaluated = call({"evaluate", "--routing", "routing.json", "--report", "again.json"});
  EXPECT_EQ(evaluated.status, 0) << evaluated.err;
  EXPECT_EQ(digest_in(content_of(folder.file("again.json"))), digest_in(content_of(folder.file("report.json"))));
  const Outcome simulated = call({"simulate", "--solvers", "weave", "--epochs", "1"});
  EXPECT_EQ(simulated.status, 0) << simulated.err;
}

}  // namespace
}  // namespace spineweave::test
