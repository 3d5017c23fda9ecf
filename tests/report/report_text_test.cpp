#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/report_fixture.hpp"
#include "report/text_layout.hpp"

namespace spineweave::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(ReportText, StartsWithTheVerdict) {
  const SmallRun run = small_run();
  EXPECT_THAT(
      report_text(run.report, {.width = 120}),
      StartsWith("weave: every job runs at full speed (certified optimal); ECMP would slow the worst job 2.00x.\n"));
}

TEST(ReportText, FitsTheWidth) {
  const std::string long_name = std::string(150, 'x') + "-ünïcödé-";
  const SmallRun run = small_run({.num_jobs = 40, .job_prefix = long_name});
  for (const std::uint32_t width : {60U, 80U, 100U, 120U, 200U}) {
    for (const bool color : {false, true}) {
      for (const std::string& line : plain_lines(report_text(run.report, {.width = width, .color = color})))
        EXPECT_LE(report::display_width(line), width) << line;
    }
  }
}

TEST(ReportText, CutsLongJobIdsWithAnEllipsis) {
  const SmallRun run = small_run({.job_prefix = std::string(150, 'x')});
  EXPECT_THAT(report_text(run.report, {.width = 80}), HasSubstr("xxx…"));
}

TEST(ReportText, CountsTheJobsThatItDoesNotShow) {
  const SmallRun run = small_run({.num_jobs = 2});
  EXPECT_THAT(report_text(run.report, {.max_jobs = 1}), HasSubstr("... and 1 more, at 1.00x\n"));
  const SmallRun odd = small_run({.num_jobs = 5});
  EXPECT_THAT(report_text(odd.report, {.max_jobs = 1}), HasSubstr("... and 4 more, from 2.00x to 3.00x\n"));
}

TEST(ReportText, IsColouredOnlyOnRequest) {
  const SmallRun run = small_run();
  EXPECT_THAT(report_text(run.report, {.color = false}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(report_text(run.report, {.color = true}), HasSubstr("\x1b[32m"));
}

TEST(ReportText, ShowsNoControlCharactersOfNames) {
  const SmallRun run = small_run({.job_prefix = "evil\x1b[2J\n"});
  EXPECT_THAT(report_text(run.report, {.width = 80}), HasSubstr("evil?[2J?0"));
}

TEST(ReportText, SaysThatARunWasStoppedEarly) {
  SmallRun run = small_run({.pile_up = true});
  EXPECT_THAT(report_text(run.report, {.width = 200}), Not(HasSubstr("stopped early")));
  run.report.result.solution.truncated = true;
  EXPECT_THAT(report_text(run.report, {.width = 200}), HasSubstr("stopped early"));
}

TEST(ReportText, NotesCablesThatAreDown) {
  const SmallRun run = small_run({.down = "zleaf-b-spine-1"});
  EXPECT_THAT(report_text(run.report, {}), HasSubstr("Note: 1 cable down\n"));
}

TEST(ReportText, ComparesWithNothingWhereThereIsNoBaseline) {
  SmallRun run = small_run();
  run.report.has_baseline = false;
  EXPECT_THAT(report_text(run.report, {}), Not(HasSubstr("ECMP")));
}

TEST(TextLayout, WrapsAtSpacesAndBreaksOnlyWordsLongerThanALine) {
  EXPECT_EQ(report::wrap("one two three", 8, 2), "one two\n  three");
  EXPECT_EQ(report::wrap("abcdefghij", 6, 2), "abcdef\n  ghij");
  EXPECT_EQ(report::wrap("", 10), "");
}

TEST(TextLayout, ReplacesControlCharactersOfOneAndOfTwoBytes) {
  EXPECT_EQ(report::printable("a\x1b[2Jb\x7f"), "a?[2Jb?");
  EXPECT_EQ(report::printable("a\xc2\x9b"
                              "2Jb"),
            "a?2Jb");
  EXPECT_EQ(report::printable("1\xc2\xa0\xc3\x9f"), "1\xc2\xa0\xc3\x9f");
}

TEST(TextLayout, NeverCutsACodePoint) {
  EXPECT_EQ(report::shorten("äöüß", 4), "äöüß");
  EXPECT_EQ(report::shorten("äöüß", 3), "äö…");
  EXPECT_EQ(report::shorten("äöüß", 0), "");
}

}  // namespace
}  // namespace spineweave::test
