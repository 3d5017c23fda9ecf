// What the shim's own sources do with the state behind config.hpp.
#pragma once

#include <cstdint>

#include "cuda_on_cpu/shim/config.hpp"

namespace simt {

void add_stats(const Stats& more);

// True for the launch that fail_launch() picked.
[[nodiscard]] bool take_launch_failure();

// A well-mixed function of both arguments (splitmix64).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a * 0x9E3779B97F4A7C15U + b + 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

// What memory holds before anybody wrote to it. No two words are equal, so that mistakes do not cancel.
void fill_with_garbage(void* memory, std::size_t bytes, std::uint64_t seed);

}  // namespace simt
