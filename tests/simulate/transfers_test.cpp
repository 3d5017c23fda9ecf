#include "simulate/transfers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spineweave/error.hpp"
#include "support/error_text.hpp"

namespace spineweave::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kGbps = 1'000'000'000;
const std::vector<LinkId> kPath = {0};

// One link of 100 Gbit/s, which is 100 bit a nanosecond.
Transfers one_link(std::uint32_t num_flows) { return {{rate_of(100 * kGbps)}, num_flows}; }

TEST(Transfers, TakeTheirTimeRoundedUpToANanosecond) {
  for (const auto& [bytes, duration] : {std::pair{1250U, 100U}, {1251U, 101U}, {1U, 1U}}) {
    Transfers transfers = one_link(1);
    EXPECT_THAT(transfers.take_ended(5), IsEmpty());
    transfers.start(0, bytes, kPath, 5);
    transfers.settle(5);
    EXPECT_EQ(transfers.next_end(), 5 + duration) << bytes;
    EXPECT_THAT(transfers.take_ended(5 + duration), ElementsAre(0U));
    EXPECT_EQ(transfers.next_end(), kNever);
  }
}

TEST(Transfers, KeepWhatIsLeftWhenTheirRateChanges) {
  Transfers transfers = one_link(2);
  (void)transfers.take_ended(0);
  transfers.start(0, 1250, kPath, 0);
  transfers.settle(0);
  (void)transfers.take_ended(40);
  transfers.start(1, 1250, kPath, 40);
  transfers.settle(40);
  EXPECT_EQ(transfers.next_end(), 40 + 2 * 60U);
  EXPECT_THAT(transfers.take_ended(160), ElementsAre(0U));
  transfers.settle(160);
  EXPECT_EQ(transfers.next_end(), 160U + 40U);
}

TEST(Transfers, KeepWhatIsLeftWhenTheyAreMoved) {
  Transfers transfers({rate_of(100 * kGbps), rate_of(50 * kGbps)}, 1);
  (void)transfers.take_ended(0);
  transfers.start(0, 1250, kPath, 0);
  transfers.settle(0);
  (void)transfers.take_ended(60);
  transfers.move(0, std::vector<LinkId>{1});
  transfers.settle(60);
  EXPECT_EQ(transfers.next_end(), 60U + 80U);
}

TEST(Transfers, WaitWhileTheirLinkIsDown) {
  Transfers transfers = one_link(1);
  (void)transfers.take_ended(0);
  transfers.start(0, 1250, kPath, 0);
  transfers.settle(0);
  (void)transfers.take_ended(50);
  transfers.set_capacity(0, 0);
  transfers.settle(50);
  EXPECT_EQ(transfers.next_end(), kNever);
  (void)transfers.take_ended(1000);
  transfers.set_capacity(0, rate_of(100 * kGbps));
  transfers.settle(1000);
  EXPECT_EQ(transfers.next_end(), 1050U);
}

// A third of 100 bit/ns is no number that integers or doubles hold: none of that may cost a nanosecond here.
TEST(Transfers, ThatEndExactlyWithANanosecondAtAFractionalRateEndThen) {
  Transfers transfers = one_link(3);
  (void)transfers.take_ended(0);
  for (FlowId flow = 0; flow < 3; ++flow) transfers.start(flow, 1'093'750'000, kPath, 0);
  transfers.settle(0);
  EXPECT_EQ(transfers.next_end(), 3 * 87'500'000U);
  EXPECT_THAT(transfers.take_ended(262'500'000), ElementsAre(0U, 1U, 2U));
}

TEST(Transfers, AreRefusedLinksFasterThanTheirUnitsHold) {
  EXPECT_THAT(error_text(ErrorCode::bad_input, [] { (void)rate_of(kFastestBps + 1); }), HasSubstr("expected at most"));
}

}  // namespace
}  // namespace spineweave::test
