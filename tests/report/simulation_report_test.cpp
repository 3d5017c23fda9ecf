// Simulations as text, as a document and as tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/simulation_summary.hpp"
#include "spineweave/io.hpp"

namespace spineweave::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct SmallReport {
  std::shared_ptr<const Problem> problem;
  SimulationReport report;
};

// Two jobs of one flow, an ideal of 100 ns each: `a` twice as slow under ecmp, both at full speed under weave,
// where `b` has not ended its second epoch.
SmallReport small_report(const std::string& first_id = "a") {
  const auto fabric = std::make_shared<const Fabric>(build_fabric("leaf-spine:leaves=2,spines=2,hosts=2,gbps=100"));
  auto workload = std::make_shared<Workload>();
  for (const EndpointId rank : {0U, 1U}) {
    Job& job = workload->jobs.emplace_back();
    job.id = rank == 0 ? first_id : "b";
    job.collectives.push_back({CollectiveKind::p2p, 1, 1000, {rank, rank + 2}});
  }
  SmallReport small;
  small.problem = std::make_shared<const Problem>(fabric, workload);
  small.report.problem = small.problem.get();
  small.report.run.backend = "cpu";
  small.report.recompute = "artifact";
  small.report.ideal_ns = {100, 100};
  Simulation ecmp;
  ecmp.solver = Solver::ecmp;
  ecmp.epochs = {{1, 0, 0, 100}, {0, 0, 0, 200}, {1, 1, 150, 250}, {0, 1, 300, 500}};
  ecmp.flows = {{1, 0, 0, 1, 100}};
  ecmp.recomputations = {{true, 0, 2, 0, 1, 2.0, false, 0, 7}};
  Simulation weave;
  weave.epochs = {{0, 0, 0, 100}, {1, 0, 0, 100}, {0, 1, 300, 400}};
  weave.recomputations = {{true, 0, 1, 0, 1, 1.0, true, 10, 30},
                          {true, 50, 2, 1, 3, 1.25, true, 20, 50},
                          {true, 99, 2, 3, 1, 1.5, false, 5, 40},
                          {false, 99, 1, 0}};
  weave.unfinished = {1};
  small.report.simulations = {ecmp, weave};
  return small;
}

TEST(SimulationSummary, IsTheMeansAndTheWorstOfTheEpochsAndOfTheRecomputations) {
  const SmallReport small = small_report();
  const auto ecmp = report::summarise(small.report, small.report.simulations[0]);
  EXPECT_EQ(ecmp.all.epochs, 4U);
  EXPECT_EQ(ecmp.all.mean_slowdown, 1.5);
  EXPECT_EQ(ecmp.all.worst_slowdown, 2.0);
  EXPECT_EQ(ecmp.all.mean_allreduce_ns, 150.0);
  EXPECT_EQ(ecmp.jobs[0].mean_slowdown, 2.0);
  EXPECT_EQ(ecmp.jobs[1].mean_slowdown, 1.0);
  const auto weave = report::summarise(small.report, small.report.simulations[1]);
  EXPECT_EQ(weave.all.mean_slowdown, 1.0);
  EXPECT_EQ(weave.moves, 4U);
  EXPECT_EQ(weave.most_moves, 3U);
  EXPECT_EQ(weave.proved, 2U);
  EXPECT_EQ(weave.median_run_us, 40.0);
  EXPECT_EQ(weave.most_run_us, 50.0);
  EXPECT_EQ(weave.median_build_us, 10.0);
}

TEST(SimulationText, HasARowForEachSchemeAndJobAndNotesUnfinishedJobs) {
  const std::string text = simulation_text(small_report().report, {});
  EXPECT_THAT(text, AllOf(HasSubstr("  ecmp      1.50x  2.00x"), HasSubstr("  weave     1.00x  1.00x"),
                          HasSubstr("  a    "), HasSubstr("  b    "),
                          HasSubstr("Note: 1 job did not play all epochs under weave, since a failure cut")));
}

TEST(SimulationText, AJobWithoutAnEpochHasNoSlowdown) {
  SmallReport small = small_report();
  small.report.simulations[1].epochs.clear();
  EXPECT_THAT(simulation_text(small.report, {}), HasSubstr("  weave         -      -           -        -"));
  EXPECT_THAT(write_json(simulation_document(small.report)), HasSubstr("\"epochs\": 0,\n      \"end_ns\""));
}

TEST(SimulationText, CountsJobsThatItDoesNotShow) {
  TextStyle style;
  style.max_jobs = 1;
  EXPECT_THAT(simulation_text(small_report().report, style),
              AllOf(HasSubstr("  ... and 1 more\n"), Not(HasSubstr("  b    "))));
}

TEST(SimulationTables, HaveARowForEachEpochFlowAndRecomputation) {
  const SmallReport small = small_report();
  EXPECT_THAT(epochs_csv(small.report),
              AllOf(HasSubstr("\necmp,a,1,300,500,200,100,2\n"), HasSubstr("\nweave,b,0,0,100,100,100,1\n")));
  EXPECT_THAT(flows_csv(small.report), HasSubstr("\necmp,b,0,0,0,0,host-0-1,host-1-1,1000,1,100\n"));
  EXPECT_THAT(recomputations_csv(small.report), HasSubstr("\nweave,50,routes,2,1,3,1.250000,1,20.0,50.0\n"));
}

TEST(SimulationTables, QuoteIdsThatHoldWhatTablesAreMadeOf) {
  const std::string csv = epochs_csv(small_report("a,\"1\"").report);
  EXPECT_THAT(csv, HasSubstr("\necmp,\"a,\"\"1\"\"\",0,0,200,200,100,2\n"));
}

TEST(SimulationDocument, HoldsEverySchemeWithItsJobs) {
  const std::string json = write_json(simulation_document(small_report().report));
  EXPECT_THAT(json, AllOf(HasSubstr("\"schema\": \"spineweave.simulation/1\""), HasSubstr("\"mean_slowdown\": 1.5"),
                          HasSubstr("\"unfinished_jobs\""), HasSubstr("\"most_moves\": 3")));
}

}  // namespace
}  // namespace spineweave::test
