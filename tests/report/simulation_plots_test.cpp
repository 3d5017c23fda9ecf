#include "report/simulation_plots.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "spineweave/workload.hpp"

namespace spineweave::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Simulation simulation(Solver solver, std::vector<std::uint64_t> allreduce_ms) {
  Simulation simulation;
  simulation.solver = solver;
  for (const std::uint64_t ms : allreduce_ms) simulation.epochs.push_back({0, 0, 0, ms * 1'000'000});
  simulation.recomputations.push_back({true, 0, 4, 0, 1, 1.0, true, 10, 250});
  return simulation;
}

TEST(SimulationPlots, TellTheMedianOfEachScheme) {
  const std::vector<Simulation> both = {simulation(Solver::ecmp, {100, 300, 500}),
                                        simulation(Solver::weave, {90, 110})};
  const std::string svg = allreduce_plot("two schemes", both);
  EXPECT_THAT(svg, AllOf(HasSubstr("two schemes"), HasSubstr(">ecmp<"), HasSubstr(">300 ms<"), HasSubstr(">100 ms<")));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_THAT(run_time_plot("two schemes", both), HasSubstr(">250 us<"));
}

TEST(SimulationPlots, TellHowLongFlowsTookAndHowFastThatWas) {
  const auto fabric = std::make_shared<const Fabric>(build_fabric("leaf-spine:leaves=2,spines=2,hosts=1,gbps=100"));
  const auto jobs = std::make_shared<const Workload>(build_workload(*fabric, "rings:jobs=1,size=2,seed=1"));
  const Problem problem(fabric, jobs);
  std::vector<Simulation> played = {simulation(Solver::weave, {1})};
  const std::uint64_t at_80_gbps = problem.flows()[1].bytes / 10;
  played.front().flows = {{1, 0, 0, 1000, 1000 + at_80_gbps}};
  EXPECT_THAT(throughput_plot("x", problem, played), HasSubstr(">80 Gbit/s<"));
  played.front().flows.front() = {1, 0, 0, 1000, 1000 + 25'000'000};
  EXPECT_THAT(flow_completion_plot("x", played), HasSubstr(">25 ms<"));
}

TEST(SimulationPlots, SayWhereThereIsNothingToShow) {
  EXPECT_THAT(allreduce_plot("x", {}), HasSubstr("nothing to show"));
  const std::vector<Simulation> without_loads = {simulation(Solver::weave, {1})};
  EXPECT_THAT(link_load_plot("x", build_fabric("leaf-spine:leaves=2,spines=2,hosts=1,gbps=100"), without_loads),
              HasSubstr("nothing to show"));
}

TEST(SimulationPlots, ShowOneMarkForEachSchemeInEachScenario) {
  const std::vector<Solver> schemes = {Solver::ecmp, Solver::weave};
  const std::vector<ScenarioSlowdowns> scenarios = {{"a & b", {4, 1}}, {"c", {1, 1}}};
  const std::string svg = slowdown_plot("x", schemes, scenarios);
  EXPECT_THAT(svg, AllOf(HasSubstr("a &amp; b, ecmp: 4.00x"), HasSubstr("c, weave: 1.00x"), HasSubstr(">2.00x<")));
}

TEST(SimulationPlots, GiveFullAndCrowdedLinksDifferentColors) {
  const Fabric fabric = build_fabric("leaf-spine:leaves=2,spines=2,hosts=1,gbps=100");
  std::vector<Simulation> played = {simulation(Solver::weave, {1})};
  played.front().end_ns = 1'000'000;
  const auto plot_with = [&](float load) {
    played.front().loads = {1'000'000, 1, std::vector<float>(fabric.num_links(), load)};
    const std::string svg = link_load_plot("x", fabric, played);
    return svg.substr(0, svg.find("idle"));  // without the legend
  };
  const std::string full = plot_with(1), crowded = plot_with(5);
  EXPECT_THAT(full, HasSubstr("#4a83c4"));
  EXPECT_THAT(crowded, AllOf(HasSubstr("#7f0f1a"), Not(HasSubstr("#4a83c4"))));
}

}  // namespace
}  // namespace spineweave::report
