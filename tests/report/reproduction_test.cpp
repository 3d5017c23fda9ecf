#include "report/reproduction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spineweave::report {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

SimulationSummary slowed(double slowdown) {
  SimulationSummary summary;
  summary.all.epochs = 11;
  summary.all.mean_slowdown = slowdown;
  return summary;
}

const Reproduction kTwo = {{Solver::ecmp, Solver::weave},
                           {{"a", 0, {slowed(4), slowed(1)}, {}},
                            {"b", 0, {slowed(1), slowed(1)}, {}},
                            {"a, b", 1, {slowed(5), slowed(2)}, {}}}};

TEST(Reproduction, TellsTheGeometricMeansForEachNumberOfFailedSpines) {
  EXPECT_THAT(failures_of(kTwo), ElementsAre(0, 1));
  EXPECT_EQ(reproduction_markdown(kTwo),
            "| mean slowdown | ecmp | weave |\n"
            "|---|---|---|\n"
            "| no failed spine | 2.00x | 1.00x |\n"
            "| 1 failed spine | 5.00x | 2.00x |\n");
}

TEST(Reproduction, FitsATerminalOfEightyColumns) {
  const std::string text = reproduction_text(kTwo, {});
  EXPECT_THAT(text, AllOf(HasSubstr("  no failed spine"), HasSubstr("  1 failed spine"), HasSubstr("geometric mean")));
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    EXPECT_LE(end - begin, 80U);
}

TEST(Reproduction, TellsWhatTheOrdersOfGreedysTiesComeTo) {
  Reproduction greedy = {{Solver::greedy}, {{"a", 0, {slowed(2)}, {2, 8, 1}}, {"b", 0, {slowed(2)}, {2, 2, 4}}}};
  EXPECT_THAT(reproduction_text(greedy, {}), HasSubstr("\n  greedy with 3 orders of its ties: 2.00x to 4.00x\n"));
  EXPECT_THAT(greedy_orders_csv(greedy), HasSubstr("\na,0,1,8.000000\n"));
  for (ReproducedScenario& scenario : greedy.scenarios) scenario.greedy_orders = {2};
  EXPECT_THAT(reproduction_text(greedy, {}), testing::Not(HasSubstr("of its ties")));
}

TEST(Reproduction, WritesOneRowForEachScenarioAndScheme) {
  const std::string csv = scenarios_csv(kTwo);
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 3 * 2);
  EXPECT_THAT(csv, HasSubstr("\n\"a, b\",1,weave,11,2.000000,"));
}

}  // namespace
}  // namespace spineweave::report
