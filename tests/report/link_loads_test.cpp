#include "report/link_loads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "report/report_fixture.hpp"

namespace spineweave::test {
namespace {

TEST(LinkLoads, SumToDemandTimesHops) {
  const SmallRun run = small_run({.num_jobs = 3});
  const Problem& problem = *run.problem;
  const report::LinkLoads loads = report::load_links(problem, run.report.result.solution.routing);
  std::uint32_t hops = 0;
  for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
    std::vector<LinkId> path;
    problem.append_links(flow, run.report.result.solution.routing[flow], path);
    hops += static_cast<std::uint32_t>(path.size());
  }
  EXPECT_EQ(std::accumulate(loads.flows.begin(), loads.flows.end(), 0U), hops);
  // All capacities are one, and each flow demands a whole link.
  EXPECT_NEAR(std::accumulate(loads.utilisation.begin(), loads.utilisation.end(), 0.0), hops, 1e-3);
}

TEST(LinkLoads, AreThoseOfTheBusiestPhase) {
  const SmallRun run = small_run({.num_jobs = 3, .pile_up = true});
  auto fabric = std::make_shared<const Fabric>(run.problem->fabric());
  auto workload = std::make_shared<Workload>(run.problem->workload());
  workload->phases = {{"early", 1000}, {"late", 1000}};
  workload->jobs[0].phase_mask = 1;
  workload->jobs[1].phase_mask = 2;
  workload->jobs[2].phase_mask = 2;
  const Problem problem(fabric, workload);
  const Routing piled = run.report.baseline.solution.routing;
  const report::LinkLoads loads = report::load_links(problem, piled);
  EXPECT_EQ(*std::ranges::max_element(loads.flows), 2U);
  EXPECT_NEAR(*std::ranges::max_element(loads.utilisation), 2.0, 1e-5);
}

TEST(LinkLoads, LeaveDeadLinksOutOfTheSummary) {
  const SmallRun run = small_run({.down = "zleaf-b-spine-1"});
  const report::LinkLoads loads = report::load_links(*run.problem, run.report.result.solution.routing);
  const report::LinkSummary summary = report::summarise_links(*run.problem, loads, run.report.result.assessment);
  EXPECT_EQ(summary.dead, 2U);
  EXPECT_EQ(summary.counted, 6U);
}

}  // namespace
}  // namespace spineweave::test
