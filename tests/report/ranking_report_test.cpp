// Rankings as text and as a document.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/report_fixture.hpp"
#include "report/spread.hpp"
#include "report/text_layout.hpp"

namespace spineweave::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct RankedRun {
  std::shared_ptr<const Problem> problem;
  RankingReport report;
};

// Of 20 routings of two jobs all pile up on one spine but the last, which spreads.
RankedRun ranked_run(const std::string& prefix = "try ") {
  const SmallRun small = small_run();
  RankedRun run;
  run.problem = small.problem;
  const Routing piled = small.report.baseline.solution.routing;
  const Routing spread = small.report.result.solution.routing;
  RoutingSource source;
  for (int k = 0; k < 20; ++k) source.names.push_back(prefix + std::to_string(k));
  source.write = [&](std::size_t k, std::span<PathIndex> out) {
    const Routing& routing = k == 19 ? spread : piled;
    std::copy(routing.begin(), routing.end(), out.begin());
  };
  run.report.problem = run.problem.get();
  run.report.run = small.report.run;
  run.report.run.solver = "tries.json";
  run.report.ranking = rank_routings(*make_evaluator(run.problem, "cpu"), source);
  return run;
}

TEST(RankingText, SaysHowManyWereScoredWhereAndWhichIsBest) {
  RankedRun run = ranked_run();
  run.report.ranking.score_us = 10'000;
  EXPECT_THAT(ranking_text(run.report, {.width = 200}),
              StartsWith("20 routings scored on cpu in 10 ms (2,000 a second). The best is try 19: the worst job's "
                         "bottleneck is 1.00x, that of the median routing 2.00x.\n"));
}

TEST(RankingText, ShowsTheSpreadTheBestTenAndTheCertificate) {
  const RankedRun run = ranked_run();
  const std::string text = ranking_text(run.report, {});
  EXPECT_THAT(text, AllOf(HasSubstr("  worst job, bottleneck              1.00x    2.00x    2.00x    2.00x    2.00x\n"),
                          HasSubstr("     1  try 19       1.00x       1.00x       100.0 %    2 of 2\n"),
                          HasSubstr("     2  try 0        2.00x       2.00x       200.0 %    0 of 2\n"),
                          HasSubstr("    10  try 8 "), Not(HasSubstr("    11  ")), HasSubstr("  ... and 10 more\n"),
                          HasSubstr("Certificate of the best: certified optimal.")));
}

TEST(RankingText, FitsTheWidthAndShowsNoControlCharacters) {
  const RankedRun run = ranked_run("evil\x1b[2J" + std::string(150, 'x') + "-ünïcödé-");
  for (const std::uint32_t width : {60U, 80U, 120U}) {
    const std::string text = ranking_text(run.report, {.width = width});
    EXPECT_THAT(text, AllOf(HasSubstr("evil?[2J"), Not(HasSubstr("\x1b"))));
    for (const std::string& line : plain_lines(text)) EXPECT_LE(report::display_width(line), width) << line;
  }
}

TEST(RankingText, SaysThatARunWasStoppedAndWhatElseLayInTheFolder) {
  RankedRun run = ranked_run();
  run.report.ranking.best.truncated = true;
  run.report.ranking.num_given = 1000;
  run.report.findings.push_back({"files in the folder that are no routings", {"a", "b"}});
  EXPECT_THAT(ranking_text(run.report, {.width = 200}),
              AllOf(StartsWith("20 of 1,000 routings scored on cpu in "), HasSubstr(", then stopped. The best is"),
                    HasSubstr("Note: 2 files in the folder that are no routings: a, b\n")));
}

TEST(RankingDocument, HoldsEveryRoutingInTheOrderOfTheInput) {
  const RankedRun run = ranked_run();
  const Document document = ranking_document(run.report);
  EXPECT_EQ(text_at(document, "schema"), "spineweave.routings-report/1");
  EXPECT_THAT(keys_of(document), ElementsAre("schema", "problem", "run", "given", "scored", "notes", "worst_job",
                                             "max_congestion", "best", "routings", "time"));
  EXPECT_EQ(text_at(document, "run.routings"), "tries.json");
  EXPECT_EQ(number_at(document, "scored"), 20);
  EXPECT_EQ(text_at(document, "routings.0.name"), "try 0");
  EXPECT_EQ(number_at(document, "routings.0.rank"), 2);
  EXPECT_DOUBLE_EQ(number_at(document, "routings.0.worst_job"), 2.0);
  EXPECT_EQ(number_at(document, "routings.0.jobs_at_bound"), 0);
  EXPECT_EQ(text_at(document, "routings.19.name"), "try 19");
  EXPECT_EQ(number_at(document, "routings.19.rank"), 1);
  EXPECT_DOUBLE_EQ(number_at(document, "routings.19.median_job"), 1.0);
  EXPECT_NEAR(number_at(document, "routings.19.max_congestion"), 1.0, 1e-5);
  EXPECT_EQ(number_at(document, "routings.19.jobs_at_bound"), 2);
}

TEST(RankingDocument, GivesTheSpreadAndTheBest) {
  const RankedRun run = ranked_run();
  const Document document = ranking_document(run.report);
  EXPECT_DOUBLE_EQ(number_at(document, "worst_job.best"), 1.0);
  EXPECT_DOUBLE_EQ(number_at(document, "worst_job.percentile_10"), 2.0);
  EXPECT_DOUBLE_EQ(number_at(document, "worst_job.worst"), 2.0);
  EXPECT_NEAR(number_at(document, "max_congestion.best"), 1.0, 1e-5);
  EXPECT_EQ(text_at(document, "best.name"), "try 19");
  EXPECT_EQ(text_at(document, "best.score.certificate.vector"), "proved");
  EXPECT_EQ(text_at(document, "best.digest").size(), 16U);
}

TEST(Spread, IsTakenByNearestRank) {
  RankingReport report;
  // 20 down to 1: the order of the input plays no part.
  for (std::uint64_t n = 20; n >= 1; --n) {
    Score score;
    score.normalised = {n << kNormalBits};
    report.ranking.scores.push_back(score);
  }
  const report::Spread spread = report::worst_job_spread(report);
  EXPECT_EQ(spread.best, 1);
  EXPECT_EQ(spread.tenth, 2);
  EXPECT_EQ(spread.median, 10);
  EXPECT_EQ(spread.ninetieth, 18);
  EXPECT_EQ(spread.worst, 20);
}

TEST(Spread, TheMedianJobIsTheWorseOfTheTwoInTheMiddle) {
  Score score;
  const auto units = [](std::uint64_t n) { return n << kNormalBits; };
  score.normalised = {units(9), units(5), units(3), units(1)};
  EXPECT_EQ(report::median_job(score), 5);
  score.normalised = {units(9), units(5), units(3)};
  EXPECT_EQ(report::median_job(score), 5);
}

}  // namespace
}  // namespace spineweave::test
