#include "report/chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace spineweave::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<double> values_of(const std::vector<Scale::Tick>& ticks) {
  std::vector<double> values;
  for (const Scale::Tick& tick : ticks) values.push_back(tick.value);
  return values;
}

TEST(Scales, PlaceValuesBetweenTheirEnds) {
  const Scale linear = Scale::linear(0, 10, 100, 200);
  EXPECT_DOUBLE_EQ(linear.place(0), 100);
  EXPECT_DOUBLE_EQ(linear.place(5), 150);
  const Scale logarithmic = Scale::logarithmic(1, 100, 0, 200);
  EXPECT_DOUBLE_EQ(logarithmic.place(10), 100);
  EXPECT_DOUBLE_EQ(Scale::linear(0, 1, 448, 84).place(1), 84) << "upwards";
}

TEST(Scales, TickAtRoundNumbers) {
  EXPECT_THAT(values_of(Scale::linear(0, 40, 0, 1).ticks()), ElementsAre(0, 5, 10, 15, 20, 25, 30, 35, 40));
  EXPECT_THAT(values_of(Scale::logarithmic(8, 25, 0, 1).ticks()), ElementsAre(8, 9, 10, 20));
}

TEST(Scales, KnowNoNegativeZero) {
  for (const Scale::Tick& tick : Scale::linear(-0.3, 1, 0, 1).ticks()) {
    if (tick.value == 0) {
      EXPECT_FALSE(std::signbit(tick.value));
    }
  }
}

TEST(Charts, EscapeWhatNamesHold) {
  EXPECT_THAT(open_picture(100, 100, "a<b", "c&d"), HasSubstr("a&lt;b"));
  EXPECT_THAT(open_picture(100, 100, "a", std::string(500, 'x')), Not(HasSubstr(std::string(200, 'x'))));
}

TEST(Charts, HoldValuesOfCurvesInStepsUntilTheNext) {
  const ChartAxis x{"x", Scale::linear(0, 10, 0, 10), {}}, y{"y", Scale::linear(0, 10, 0, 10), {}};
  Curve curve{"weave", {}, "#123456", {{0, 1}, {4, 3}}, true};
  EXPECT_THAT(draw_curve(curve, x, y), HasSubstr("points=\"0.0,1.0 4.0,1.0 4.0,3.0 \""));
  curve.in_steps = false;
  EXPECT_THAT(draw_curve(curve, x, y), HasSubstr("points=\"0.0,1.0 4.0,3.0 \""));
}

}  // namespace
}  // namespace spineweave::report
