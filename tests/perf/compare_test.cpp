// perf/compare.py on programs whose results are known to agree, or not to.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "support/program.hpp"

namespace spineweave::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class PerfCompare : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("python3 --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no python3";
    // The built program, but every digest that it writes begins with another digit.
    script("other", fmt::format("'{}' \"$@\" | sed 's/\"digest\": \"./\"digest\": \"z/'", SPINEWEAVE_PROGRAM));
    // An old one, which has no bench.
    script("old", fmt::format("[ \"$1\" != bench ] || exit 2; exec '{}' \"$@\"", SPINEWEAVE_PROGRAM));
  }

  [[nodiscard]] Outcome compare(const std::string& options, const std::string& base, const std::string& cases) const {
    const std::string command = fmt::format(
        "python3 '{}/perf/compare.py' --rounds 1 {} '{}' '{}' -- --cases {} --threads 1 >'{}' 2>'{}'",
        SPINEWEAVE_SOURCE_DIR, options, base, SPINEWEAVE_PROGRAM, cases, folder_.file(".out"), folder_.file(".err"));
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(folder_.file(".out")),
            content_of(folder_.file(".err"))};
  }

  void script(const std::string& name, const std::string& body) const {
    put(folder_.file(name), "#!/bin/sh\n" + body + "\n");
    std::filesystem::permissions(folder_.file(name), std::filesystem::perms::owner_all);
  }

  const ScratchFolder folder_;
};

TEST_F(PerfCompare, ShowsTheRatioOfEveryStepAndRecordsEveryTime) {
  const std::string json = folder_.file("ratios.json");
  const Outcome outcome = compare(fmt::format("--json '{}'", json), SPINEWEAVE_PROGRAM, "small-score,small-solve");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("head/base"), HasSubstr("small-score"), HasSubstr("whole")));
  const auto record = nlohmann::json::parse(content_of(json));
  EXPECT_EQ(record["rows"].size(), 6U);
  for (const auto& row : record["rows"]) EXPECT_EQ(row["base_us"].size(), row["head_us"].size());
}

TEST_F(PerfCompare, FailsBeforeItTimesAnythingWhereResultsDiffer) {
  const Outcome outcome = compare("", folder_.file("other"), "small-score");
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("results differ: small-score: z"), Not(HasSubstr("head/base"))));
  const Outcome allowed = compare("--allow-different-results", folder_.file("other"), "small-score");
  EXPECT_EQ(allowed.status, 0) << allowed.err;
  EXPECT_THAT(allowed.out, AllOf(HasSubstr("results differ"), HasSubstr("head/base")));
}

TEST_F(PerfCompare, MeasuresThroughOptimizeWhereTheOlderHasNoBench) {
  const Outcome outcome = compare("", folder_.file("old"), "small-score,small-solve");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("small-solve"), HasSubstr("build"), Not(HasSubstr("small-score"))));
  EXPECT_THAT(outcome.err, HasSubstr("small-score: left out"));
}

TEST_F(PerfCompare, AnUnknownCaseEndsIt) {
  const Outcome outcome = compare("", SPINEWEAVE_PROGRAM, "small-scor");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean small-score?"));
}

}  // namespace
}  // namespace spineweave::test
