// What the lanes of a warp compute together.
#pragma once

#include <cstdint>
#include <span>

#include "cuda_on_cpu/shim/fail.hpp"
#include "cuda_on_cpu/shim/language.hpp"

namespace simt {

class Fiber;

enum class Collective : std::uint8_t {
  sync,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  any,
  all,
  match_any,
  add,
  min_unsigned,
  max_unsigned,
  min_signed,
  max_signed,
  bit_and,
  bit_or,
  bit_xor,
};

struct CollectiveCall {
  Collective kind = Collective::sync;
  std::uint32_t mask = 0;
  int argument = 0;  // of a shuffle: source lane, distance or bits to flip
  int width = warpSize;
  std::uint64_t value = 0;
};

enum class LaneState : std::uint8_t { runnable, at_barrier, in_collective, exited };

// One CUDA thread of the running block.
struct Lane {
  uint3 index{};
  unsigned linear = 0;
  LaneState state = LaneState::runnable;
  Fiber* fiber = nullptr;
  Site where;  // of the barrier or collective that it waits in
  CollectiveCall call;
  std::uint64_t result = 0;
};

// Whether two waiting lanes execute one and the same collective.
[[nodiscard]] inline bool same_call(const Lane& a, const Lane& b) {
  return a.call.kind == b.call.kind && a.call.mask == b.call.mask && same_site(a.where, b.where);
}

// Gives every participant, a bit each, its result. Their calls are the same but for the values.
void resolve(std::span<Lane> warp, std::uint32_t participants);

}  // namespace simt
