#include "report/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/numbers.hpp"
#include "report/report_fixture.hpp"

namespace spineweave::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// Everything that a reader may see.
std::string all_texts(const Report& report) {
  return report_text(report, {.width = 400}) + report_html(report) +
         report::explain_certificate(*report.problem, report.result.solution);
}

TEST(CertificateWords, SayCertifiedOptimalOnlyWhereTheVectorIsProved) {
  SmallRun run = small_run();
  Certificate& certificate = run.report.result.solution.certificate;
  ASSERT_TRUE(certificate.vector_proved);
  EXPECT_THAT(all_texts(run.report), HasSubstr("certified optimal"));

  certificate = {.max_proved = true, .vector_proved = false, .jobs_at_bound = 1, .gap = 0};
  EXPECT_THAT(all_texts(run.report), Not(HasSubstr("certified optimal")));
  EXPECT_THAT(all_texts(run.report), HasSubstr("worst job proved optimal"));

  certificate = {.max_proved = false, .vector_proved = false, .jobs_at_bound = 0, .gap = 0.125};
  EXPECT_THAT(all_texts(run.report), Not(HasSubstr("optimal")));
  EXPECT_THAT(all_texts(run.report), HasSubstr("open, gap 12.5 %"));
}

TEST(Verdict, SaysHowMuchTheWorstJobSuffers) {
  const SmallRun run = small_run({.num_jobs = 3});
  EXPECT_THAT(report::verdict(run.report), HasSubstr("the worst job is slowed 2.00x"));
  EXPECT_THAT(report::verdict(run.report), HasSubstr("1 of 3 jobs at full speed"));
  EXPECT_THAT(report::verdict(run.report), HasSubstr("ECMP would slow the worst job 3.00x."));
}

TEST(Verdict, DoesNotBoastWhereTheBaselineIsAsGood) {
  const SmallRun piled = small_run({.pile_up = true});
  EXPECT_THAT(report::verdict(piled.report), HasSubstr("ECMP does as well for the worst job."));
  const SmallRun single = small_run({.num_jobs = 1});
  EXPECT_EQ(report::verdict(single.report), "weave: the job runs at full speed (certified optimal); under ECMP too.");
}

TEST(Numbers, NeverHideAHarmByRounding) {
  EXPECT_EQ(report::times(1.0), "1.00x");
  EXPECT_EQ(report::times(1.003), "1.003x");
  EXPECT_EQ(report::times(1.5), "1.50x");
  EXPECT_EQ(report::times(1234.4), "1234x");
  EXPECT_EQ(report::percent(0.99999), "99.9 %");
  EXPECT_EQ(report::percent(1.0), "100.0 %");
}

TEST(Numbers, AreGroupedAndCarryUnits) {
  EXPECT_EQ(report::count(1234567), "1,234,567");
  EXPECT_EQ(report::count(1, "job"), "1 job");
  EXPECT_EQ(report::short_count(96073), "96.1k");
  EXPECT_EQ(report::gbps(97.5e9), "97.5");
  EXPECT_EQ(report::duration(1500), "1.5 ms");
  EXPECT_EQ(report::bytes(64'000'000'000), "64 GB");
}

}  // namespace
}  // namespace spineweave::test
