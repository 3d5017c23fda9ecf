#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/report_fixture.hpp"

namespace spineweave::test {
namespace {

using testing::IsSupersetOf;

TEST(ReportDocument, HoldsEveryKeyOfItsSchema) {
  const SmallRun run = small_run();
  const Document document = report_document(run.report);
  EXPECT_EQ(keys_of(document).front(), "schema");
  EXPECT_EQ(text_at(document, "schema"), "spineweave.report/1");
  EXPECT_THAT(keys_of(document),
              IsSupersetOf({"problem", "run", "score", "jobs", "efficiency", "links", "time", "digest"}));
  EXPECT_THAT(keys_of(*at(document, "problem")),
              IsSupersetOf({"endpoints", "switches", "links", "jobs", "flows", "candidates", "phases", "precision_bits",
                            "capped_pairs", "weights_rounded"}));
  EXPECT_THAT(keys_of(*at(document, "run")),
              IsSupersetOf({"solver", "backend", "device", "threads", "seed", "truncated", "moved"}));
  EXPECT_THAT(keys_of(*at(document, "score")),
              IsSupersetOf({"max_congestion", "worst_job", "lower_bound", "gap", "certificate"}));
  EXPECT_THAT(keys_of(*at(document, "score.certificate")),
              IsSupersetOf({"max", "vector", "jobs_at_bound", "jobs_in_even_share"}));
  EXPECT_THAT(keys_of(*at(document, "jobs.0")),
              IsSupersetOf({"id", "flows", "bottleneck", "bound", "slowdown", "rate_gbps"}));
  EXPECT_THAT(keys_of(*at(document, "efficiency")), IsSupersetOf({"network", "worst_job", "jain", "fluid_bound"}));
  EXPECT_THAT(keys_of(*at(document, "links")), IsSupersetOf({"max_utilisation", "mean_utilisation", "histogram"}));
  EXPECT_THAT(keys_of(*at(document, "time")), IsSupersetOf({"load_us", "build_us", "solve_us"}));
  EXPECT_EQ(text_at(document, "digest").size(), 16U);
}

TEST(ReportDocument, GivesFactorsAndSharesAsPlainNumbers) {
  const SmallRun run = small_run();
  const Document document = report_document(run.report);
  EXPECT_DOUBLE_EQ(number_at(document, "score.worst_job"), 1.0);
  EXPECT_DOUBLE_EQ(number_at(document, "score.lower_bound"), 1.0);
  EXPECT_NEAR(number_at(document, "score.max_congestion"), 1.0, 1e-5);
  EXPECT_DOUBLE_EQ(number_at(document, "jobs.1.rate_gbps"), 100.0);
  EXPECT_DOUBLE_EQ(number_at(document, "baseline.worst_job"), 2.0);
  EXPECT_NEAR(number_at(document, "baseline.max_congestion"), 2.0, 1e-5);
  EXPECT_DOUBLE_EQ(number_at(document, "baseline.efficiency.network"), 0.5);
  EXPECT_EQ(text_at(document, "score.certificate.vector"), "proved");
}

TEST(ReportDocument, KeepsTheJobsInTheOrderOfTheInput) {
  const SmallRun run = small_run({.num_jobs = 3});
  const Document document = report_document(run.report);
  for (int j = 0; j < 3; ++j)
    EXPECT_EQ(text_at(document, "jobs." + std::to_string(j) + ".id"), "job-" + std::to_string(j));
}

TEST(ReportDocument, CountsTheLinksBetweenSwitches) {
  const SmallRun run = small_run();
  const Document document = report_document(run.report);
  // Each of the eight directed uplinks carries one flow; piled up, four carry two and four none.
  EXPECT_EQ(number_at(document, "links.up"), 8);
  EXPECT_EQ(number_at(document, "links.idle"), 0);
  EXPECT_EQ(number_at(document, "links.over_full"), 0);
  EXPECT_EQ(number_at(document, "baseline.links.idle"), 4);
  EXPECT_EQ(number_at(document, "baseline.links.over_full"), 4);
  EXPECT_NEAR(number_at(document, "baseline.links.mean_utilisation"), 1.0, 1e-5);
  EXPECT_NEAR(number_at(document, "baseline.links.mean_throughput"), 0.5, 1e-9);
  double in_bins = 0;
  const auto& bins = std::get<Document::Array>(at(document, "links.histogram")->value());
  for (const Document& bin : bins) in_bins += number_at(bin, "links");
  EXPECT_EQ(in_bins, 8);
}

TEST(ReportDocument, LeavesTheBaselineOutWhereThereIsNone) {
  SmallRun run = small_run();
  run.report.has_baseline = false;
  EXPECT_THAT(keys_of(report_document(run.report)), testing::Not(testing::Contains("baseline")));
}

}  // namespace
}  // namespace spineweave::test
