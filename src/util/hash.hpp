// Position-based random numbers and the digest, both from one mixing function.
#pragma once

#include <cstdint>
#include <string_view>

namespace spineweave::util {

// The finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

// A random number that depends on its place alone: the same for every thread and order of calls.
constexpr std::uint64_t random_at(std::uint64_t seed, std::uint64_t round, std::uint64_t index) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
  return mix(mix(mix(seed + golden) + round + golden) + index + golden);
}

// Uniform in [0, bound), bound > 0, without a division.
constexpr std::uint32_t random_below(std::uint64_t random, std::uint32_t bound) {
  return static_cast<std::uint32_t>(((random >> 32U) * bound) >> 32U);
}

// Order-dependent 64-bit digest.
class Digest {
 public:
  constexpr void add(std::uint64_t value) { state_ = mix(state_ + 0x9e3779b97f4a7c15ULL) ^ mix(value + ++count_); }
  constexpr void add(std::string_view text) {
    std::uint64_t word = text.size();
    for (std::size_t i = 0; i < text.size(); ++i) {
      word = (word << 8U) | static_cast<unsigned char>(text[i]);
      if (i % 7 == 6) add(word), word = 0;
    }
    add(word);
  }
  [[nodiscard]] constexpr std::uint64_t value() const { return mix(state_ ^ count_); }

 private:
  std::uint64_t state_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace spineweave::util
