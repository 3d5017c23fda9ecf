#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "problem/build.hpp"
#include "spineweave/error.hpp"
#include "spineweave/problem.hpp"

namespace spineweave::test {
namespace {

using testing::ElementsAre;

// Three flows of one job over a fabric of equal ports: demands of 1 each.
class Factors : public testing::Test {
 protected:
  [[nodiscard]] Weights weigh(std::vector<std::uint32_t> factors) const {
    ProblemOptions options;
    options.factors = std::move(factors);
    return weigh_flows(*fabric_, expand_flows(*fabric_, workload_), 1, options);
  }

  std::shared_ptr<const Fabric> fabric_ =
      std::make_shared<const Fabric>(build_fabric("leaf-spine:leaves=3,spines=2,hosts=1,gbps=100"));
  Workload workload_ = build_workload(*fabric_, "rings:jobs=1,size=3,placement=packed,seed=1");
};

TEST_F(Factors, MultiplyTheWeights) {
  EXPECT_THAT(weigh({}).values, ElementsAre(1, 1, 1));
  EXPECT_THAT(weigh({1, 2, 16}).values, ElementsAre(1, 2, 16));
}

TEST_F(Factors, ThatAllShareLeaveTheWeightsSmall) { EXPECT_THAT(weigh({8, 16, 16}).values, ElementsAre(1, 2, 2)); }

TEST_F(Factors, LeaveTheHeaviestFlowItsDemand) {
  const Weights plain = weigh({}), multiplied = weigh({4, 8, 16});
  EXPECT_DOUBLE_EQ(multiplied.values.back() * multiplied.unit_bps, plain.values.back() * plain.unit_bps);
}

TEST_F(Factors, BeyondSixteenBitsAreRoundedUp) {
  const Weights weights = weigh({1, 65536, 131071});
  EXPECT_TRUE(weights.rounded);
  EXPECT_EQ(weights.values.front(), 1U);
  EXPECT_LE(weights.values.back(), 65535U);
  EXPECT_GE(weights.values.back(), 43690U);
}

TEST_F(Factors, AreOneOfAtLeastOneForEachFlow) {
  EXPECT_THROW((void)weigh({1, 1}), Error);
  EXPECT_THROW((void)weigh({1, 0, 1}), Error);
}

}  // namespace
}  // namespace spineweave::test
