#include "problem/bit_budget.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "support/error_text.hpp"

namespace spineweave::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// n1 - L1 - S1 with links of other capacities, and the second of them down.
class BitBudgets : public testing::Test {
 protected:
  BitBudgets() {
    FabricBuilder builder;
    const auto endpoint = builder.add_endpoint("n1");
    const auto leaf = builder.add_switch("L1");
    const auto spine = builder.add_switch("S1");
    builder.add_cable(endpoint, leaf, 100);
    builder.add_link(leaf, spine, 300, LinkState::down);
    builder.add_link(spine, leaf, 300);
    fabric_ = builder.finish();
    links_.resize(fabric_.num_links());
    std::iota(links_.begin(), links_.end(), 0U);
    links_.push_back(kNone);
  }

  [[nodiscard]] BitBudget budget(std::uint64_t most, std::uint64_t phases_total = 1) {
    most_.assign(links_.size(), most);
    return {fabric_, links_, most_, 300, phases_total};
  }

  Fabric fabric_;
  std::vector<LinkId> links_;  // the last cell is a hole
  std::vector<std::uint64_t> most_;
};

TEST_F(BitBudgets, ScalesAreTheFastestCapacityOverTheLinks) {
  // n1->L1, L1->n1, L1->S1 (down), S1->L1, the hole
  EXPECT_THAT(budget(1).scales(0), ElementsAre(3, 3, 0, 1, 0));
  EXPECT_THAT(budget(1).scales(4), ElementsAre(48, 48, 0, 16, 0));
}

TEST_F(BitBudgets, SmallWeightsGetTwentyBits) { EXPECT_EQ(budget(1).most_bits(), 20U); }

TEST_F(BitBudgets, EveryCongestionStaysBelowItsLimitAndOneBitMoreWouldNot) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 31U;
  for (const std::uint64_t most : {1'000U, 4'095U, 65'535U, 1'000'000U, 100'000'000U}) {
    const std::uint32_t bits = budget(most).most_bits();
    EXPECT_LT(most * (std::uint64_t{3} << bits), limit) << most;
    EXPECT_TRUE(bits == 20 || most * (std::uint64_t{3} << (bits + 1)) >= limit) << most;
  }
}

TEST_F(BitBudgets, ThePressureTakesBitsAsWell) {
  const std::uint32_t once = budget(1U << 14U).most_bits();
  EXPECT_LT(budget(1U << 14U, 64 * 255).most_bits(), once);
}

TEST_F(BitBudgets, WeightsThatNeverFitAreRefusedWithTheLinkAndTheNumbers) {
  EXPECT_EQ(error_text(ErrorCode::bad_input, [&] { (void)budget(std::uint64_t{1} << 30U).most_bits(); }),
            "the weights do not fit the bit budget: link n1->L1 could carry a weight of 1073741824 at 1/3 of the "
            "fastest link's capacity, a congestion of 3221225472; expected below 2^31");
  EXPECT_THAT(error_text(ErrorCode::bad_input, [&] { (void)budget(1U << 29U, 64 * 255).most_bits(); }),
              HasSubstr("the weights do not fit the bit budget: the pressure could reach 8."));
}

}  // namespace
}  // namespace spineweave::test
