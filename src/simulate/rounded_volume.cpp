#include "simulate/rounded_volume.hpp"

#include <algorithm>
#include <cmath>

namespace spineweave {
namespace {

constexpr double kNothingBits = 1e-10;

// With at most ten binary places nothing is rounded: doubles hold the amounts of 2^36 bit to the 16th place.
constexpr bool is_exact(Rate rate) { return (rate & ((Rate{1} << (kUnitBits - 10)) - 1)) == 0; }

// The double that is nearest to the share, which lies between this many units and one more.
double bits_per_ns(Rate rate) {
  if (is_exact(rate)) return std::ldexp(static_cast<double>(rate), -static_cast<int>(kUnitBits));
  return std::ldexp(static_cast<double>(2 * rate + 1), -static_cast<int>(kUnitBits) - 1);
}

}  // namespace

void RoundedVolume::start(std::uint64_t bytes, std::size_t tick) {
  left_bits_ = static_cast<double>(bytes) * 8;
  was_rounded_ = false;
  changes_.assign(1, {tick, 0});
}

bool RoundedVolume::is_rounded() const {
  return was_rounded_ || std::ranges::any_of(changes_, [](const Change& change) { return !is_exact(change.rate); });
}

void RoundedVolume::send(const Change& change, std::size_t until, const std::vector<std::uint64_t>& ticks) {
  const double rate = bits_per_ns(change.rate);
  if (is_exact(change.rate)) {
    left_bits_ -= static_cast<double>(ticks[until] - ticks[change.tick]) * rate;
    return;
  }
  was_rounded_ = true;
  for (std::size_t tick = change.tick; tick < until; ++tick)
    left_bits_ -= static_cast<double>(ticks[tick + 1] - ticks[tick]) * rate;
}

void RoundedVolume::catch_up(const std::vector<std::uint64_t>& ticks) {
  const std::size_t last = ticks.size() - 1;
  for (std::size_t i = 0; i < changes_.size(); ++i)
    send(changes_[i], i + 1 < changes_.size() ? changes_[i + 1].tick : last, ticks);
  changes_.assign(1, {last, changes_.back().rate});
}

std::uint64_t RoundedVolume::duration_ns(const std::vector<std::uint64_t>& ticks) {
  catch_up(ticks);
  if (left_bits_ <= kNothingBits) return 0;
  return static_cast<std::uint64_t>(std::ceil((left_bits_ - kNothingBits) / bits_per_ns(changes_.back().rate)));
}

void RoundedVolume::forget(const std::vector<std::uint64_t>& ticks) {
  catch_up(ticks);
  changes_.back().tick = 0;
}

}  // namespace spineweave
