#include "report/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace spineweave::report {
namespace {

TEST(Statistics, TakeTheMeanOfTheTwoInTheMiddleForAMedian) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({9, 1, 4}), 4);
  EXPECT_EQ(median({9, 1, 4, 6}), 5);
}

TEST(Statistics, LeaveWhatIsNoNumberOutOfAGeometricMean) {
  EXPECT_DOUBLE_EQ(geometric_mean({1, 4}), 2);
  EXPECT_DOUBLE_EQ(geometric_mean({2, NAN, 8}), 4);
  EXPECT_TRUE(std::isnan(geometric_mean({})));
  EXPECT_TRUE(std::isnan(geometric_mean({NAN})));
}

}  // namespace
}  // namespace spineweave::report
