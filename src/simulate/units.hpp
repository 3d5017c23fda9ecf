// Integers that rates and amounts of data are counted in. Sums of them do not depend on their order, so a
// flow that is brought up to date rarely has exactly the same left as one that is at every event.
#pragma once

#include <cstdint>
#include <limits>

namespace spineweave {

using Rate = std::uint64_t;  // 2^-50 bit a nanosecond
// What one unit of rate carries in one nanosecond: 2^-50 bit.
__extension__ using Volume = unsigned __int128;

inline constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
inline constexpr unsigned kUnitBits = 50;
inline constexpr std::uint64_t kFastestBps = (std::uint64_t{1} << (63 - kUnitBits)) * 1'000'000'000;
// Fair shares are rounded down. Over many seconds that holds back some millionths of a bit, which must not make
// a flow that ends exactly with a nanosecond last one more: less than this is nothing.
inline constexpr Volume kNegligibleVolume = Volume{1} << (kUnitBits - 10);

// Rounded down. Throws Error{bad_input} above kFastestBps.
[[nodiscard]] Rate rate_of(std::uint64_t bps);

constexpr Volume volume_of(std::uint64_t bytes) { return Volume{bytes} * 8 << kUnitBits; }

// Nanoseconds, rounded up, that `left` takes; kNever where that is beyond all times.
constexpr std::uint64_t duration_of(Volume left, Rate rate) {
  if (left <= kNegligibleVolume) return 0;
  if (rate == 0) return kNever;
  const Volume duration = (left - kNegligibleVolume + rate - 1) / rate;
  return duration >= kNever ? kNever : static_cast<std::uint64_t>(duration);
}

}  // namespace spineweave
