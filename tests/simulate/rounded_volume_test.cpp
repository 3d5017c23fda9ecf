#include "simulate/rounded_volume.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/random_instances.hpp"

namespace spineweave::test {
namespace {

// 100 bit/ns shared by so many flows, rounded down.
Rate share_of(std::uint64_t flows) { return rate_of(100'000'000'000) / flows; }

// The simulator's own way: brought down at each event.
double bring_down(double bits, const std::vector<std::uint64_t>& ticks, const std::vector<double>& rates) {
  for (std::size_t tick = 0; tick + 1 < ticks.size(); ++tick)
    bits -= static_cast<double>(ticks[tick + 1] - ticks[tick]) * rates[tick];
  return bits;
}

TEST(RoundedVolume, RatesThatDoublesHoldAreNotRounded) {
  RoundedVolume volume;
  volume.start(1'000'000, 0);
  for (const std::uint64_t flows : {1, 2, 4, 5, 8, 10}) volume.set_rate(share_of(flows), 0);
  EXPECT_FALSE(volume.is_rounded());
  volume.set_rate(share_of(3), 0);
  EXPECT_TRUE(volume.is_rounded());
}

TEST(RoundedVolume, IsWhatBringingItDownAtEachEventLeaves) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(test_seed(seed));
    constexpr std::uint64_t bytes = 4'000'000'000;
    RoundedVolume volume;
    std::vector<std::uint64_t> ticks = {random.below(1000)};
    std::vector<double> rates;
    volume.start(bytes, 0);
    for (std::uint32_t events = random.between(1, 40); events > 0; --events) {
      if (rates.empty() || random.one_in(4)) {
        const std::uint64_t flows = random.between(1, 12);
        volume.set_rate(share_of(flows), ticks.size() - 1);
        rates.push_back(100.0 / static_cast<double>(flows));
      } else {
        rates.push_back(rates.back());
      }
      ticks.push_back(ticks.back() + random.between(1, 3'000'000));
      // That it is asked for on the way changes nothing.
      if (random.one_in(5)) (void)volume.duration_ns(ticks);
    }
    const double left = bring_down(8.0 * bytes, ticks, rates);
    EXPECT_EQ(volume.duration_ns(ticks), static_cast<std::uint64_t>(std::ceil((left - 1e-10) / rates.back())));
  }
}

TEST(RoundedVolume, LeavesTheSameWhenEarlierEventsAreForgotten) {
  RoundedVolume kept, forgetful;
  std::vector<std::uint64_t> ticks = {10, 20'000'017, 30'000'029};
  kept.start(1'093'750'000, 0);
  kept.set_rate(share_of(7), 0);
  forgetful = kept;
  forgetful.forget(ticks);
  std::vector<std::uint64_t> later = {ticks.back(), 50'000'033};
  ticks.push_back(later.back());
  EXPECT_EQ(kept.duration_ns(ticks), forgetful.duration_ns(later));
}

}  // namespace
}  // namespace spineweave::test
