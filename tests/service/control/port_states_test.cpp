#include "service/control/port_states.hpp"

#include <gtest/gtest.h>

namespace spineweave::service::test {
namespace {

using namespace std::chrono_literals;

constexpr HoldUp kHoldUp = {30s, 15min};
constexpr PortState kPortUp = {LinkState::up, 0}, kPortDown = {LinkState::down, 0};
constexpr PortState kHalf = {LinkState::degraded, 50'000'000'000};

class Port {
 public:
  void report(const PortState& state, Nanoseconds at) { take_report(port_, state, at, kStart + at, kHoldUp); }
  [[nodiscard]] const PortState& believed() const { return port_.believed; }
  [[nodiscard]] std::optional<Nanoseconds> held_for(Nanoseconds at) const {
    return service::held_for(port_, kStart + at, kHoldUp);
  }

 private:
  static constexpr Nanoseconds kStart = 1000h;
  PortReport port_;
};

TEST(PortStates, WorseIsBelievedAtOnceAndBetterIsHeld) {
  Port port;
  port.report(kHalf, 1s);
  EXPECT_EQ(port.believed(), kHalf);
  port.report(kPortDown, 1h);
  EXPECT_EQ(port.believed(), kPortDown);
  EXPECT_FALSE(port.held_for(1h));
  port.report(kPortUp, 2h);
  EXPECT_EQ(port.believed(), kPortDown);
  EXPECT_EQ(port.held_for(2h + 10s), 20s);
  EXPECT_EQ(port.held_for(2h + 40s), 0s);
}

TEST(PortStates, TheSameReportAgainDoesNotHoldItLonger) {
  Port port;
  port.report(kPortDown, 1s);
  port.report(kPortUp, 2s);
  port.report(kPortUp, 20s);
  EXPECT_EQ(port.held_for(20s), 12s);
}

TEST(PortStates, EachFailureThatComesSoonDoublesTheTimeUpToTheMost) {
  Port port;
  Nanoseconds now = 0s;
  for (const Nanoseconds expected : {30s, 60s, 120s, 240s, 480s, 900s, 900s}) {
    port.report(kPortDown, now += 1s);
    EXPECT_EQ(port.believed(), kPortDown);
    port.report(kPortUp, now += 1s);
    EXPECT_EQ(port.held_for(now), expected);
  }
  port.report(kPortDown, now += 1h);
  port.report(kPortUp, now += 1s);
  EXPECT_EQ(port.held_for(now), 30s) << "it had been well for long";
}

TEST(PortStates, AClockThatWasSetBackHoldsNothingForLong) {
  Port port;
  port.report(kPortDown, 10h);
  port.report(kPortUp, 10h);
  EXPECT_EQ(port.held_for(1h), 0s);
}

}  // namespace
}  // namespace spineweave::service::test
