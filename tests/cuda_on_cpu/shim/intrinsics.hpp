// Barriers, warp intrinsics, fences and bit operations. A last parameter tells where the caller stands.
// Shuffles and matches take CUDA's types and nothing that CUDA would have to promote. `__activemask` does not
// exist: its result is no base for a mask.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cuda_on_cpu/shim/atomics.hpp"
#include "cuda_on_cpu/shim/collective.hpp"
#include "cuda_on_cpu/shim/fail.hpp"
#include "cuda_on_cpu/shim/language.hpp"

namespace simt {

inline constexpr unsigned kFullMask = 0xFFFFFFFF;

template <class T, class... Types>
concept OneOf = (std::same_as<T, Types> || ...);
template <class T>
concept WarpValue = OneOf<T, int, unsigned, long, unsigned long, long long, unsigned long long, float, double>;
template <class T>
concept ReadOnlyValue = std::is_arithmetic_v<T> || OneOf<T, uint2, uint4>;

// The number of threads of the block whose predicate is true.
int block_barrier(bool predicate, const Site& where);
// The result for the calling lane; `argument` and `width` are those of a shuffle.
std::uint64_t warp_collective(Collective kind, unsigned mask, std::uint64_t value, int argument, int width,
                              const Site& where);

inline unsigned warp_collective(Collective kind, unsigned mask, unsigned value, const Site& where) {
  return static_cast<unsigned>(warp_collective(kind, mask, value, 0, warpSize, where));
}

template <WarpValue T>
std::uint64_t to_bits(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <WarpValue T>
T shuffle(Collective kind, unsigned mask, T value, int argument, int width, const Site& where) {
  const std::uint64_t bits = warp_collective(kind, mask, to_bits(value), argument, width, where);
  T result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

// No distance beyond the warp differs from any other.
inline int distance(unsigned delta) { return static_cast<int>(std::min(delta, static_cast<unsigned>(warpSize))); }

}  // namespace simt

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
inline void __syncthreads(simt::Site where = simt::Site::current()) { simt::block_barrier(false, where); }
inline int __syncthreads_count(int predicate, simt::Site where = simt::Site::current()) {
  return simt::block_barrier(predicate != 0, where);
}
inline int __syncthreads_or(int predicate, simt::Site where = simt::Site::current()) {
  return simt::block_barrier(predicate != 0, where) != 0 ? 1 : 0;
}
inline int __syncthreads_and(int predicate, simt::Site where = simt::Site::current()) {
  return simt::block_barrier(predicate == 0, where) == 0 ? 1 : 0;
}

inline void __syncwarp(unsigned mask = simt::kFullMask, simt::Site where = simt::Site::current()) {
  simt::warp_collective(simt::Collective::sync, mask, 0, where);
}

template <simt::WarpValue T>
T __shfl_sync(unsigned mask, T value, int lane, int width = warpSize, simt::Site where = simt::Site::current()) {
  return simt::shuffle(simt::Collective::shuffle, mask, value, lane, width, where);
}
template <simt::WarpValue T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                 simt::Site where = simt::Site::current()) {
  return simt::shuffle(simt::Collective::shuffle_up, mask, value, simt::distance(delta), width, where);
}
template <simt::WarpValue T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                   simt::Site where = simt::Site::current()) {
  return simt::shuffle(simt::Collective::shuffle_down, mask, value, simt::distance(delta), width, where);
}
template <simt::WarpValue T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = warpSize, simt::Site where = simt::Site::current()) {
  return simt::shuffle(simt::Collective::shuffle_xor, mask, value, bits, width, where);
}

inline unsigned __ballot_sync(unsigned mask, int predicate, simt::Site where = simt::Site::current()) {
  return simt::warp_collective(simt::Collective::ballot, mask, predicate != 0 ? 1 : 0, where);
}
inline int __any_sync(unsigned mask, int predicate, simt::Site where = simt::Site::current()) {
  return static_cast<int>(simt::warp_collective(simt::Collective::any, mask, predicate != 0 ? 1 : 0, where));
}
inline int __all_sync(unsigned mask, int predicate, simt::Site where = simt::Site::current()) {
  return static_cast<int>(simt::warp_collective(simt::Collective::all, mask, predicate != 0 ? 1 : 0, where));
}
template <simt::WarpValue T>
unsigned __match_any_sync(unsigned mask, T value, simt::Site where = simt::Site::current()) {
  return static_cast<unsigned>(
      simt::warp_collective(simt::Collective::match_any, mask, simt::to_bits(value), 0, warpSize, where));
}

#define SIMT_REDUCE(name, T, kind)                                                                                   \
  inline T name(unsigned mask, T value, simt::Site where = simt::Site::current()) {                                  \
    return static_cast<T>(simt::warp_collective(simt::Collective::kind, mask, static_cast<unsigned>(value), where)); \
  }
SIMT_REDUCE(__reduce_add_sync, unsigned, add)
SIMT_REDUCE(__reduce_add_sync, int, add)
SIMT_REDUCE(__reduce_min_sync, unsigned, min_unsigned)
SIMT_REDUCE(__reduce_min_sync, int, min_signed)
SIMT_REDUCE(__reduce_max_sync, unsigned, max_unsigned)
SIMT_REDUCE(__reduce_max_sync, int, max_signed)
SIMT_REDUCE(__reduce_and_sync, unsigned, bit_and)
SIMT_REDUCE(__reduce_or_sync, unsigned, bit_or)
SIMT_REDUCE(__reduce_xor_sync, unsigned, bit_xor)
#undef SIMT_REDUCE

inline void __threadfence() { simt::maybe_pause_thread(); }
inline void __threadfence_block() { simt::maybe_pause_thread(); }

inline int __popc(unsigned value) { return std::popcount(value); }
inline int __popcll(unsigned long long value) { return std::popcount(value); }
inline int __clz(int value) { return std::countl_zero(static_cast<unsigned>(value)); }
inline int __clzll(long long value) { return std::countl_zero(static_cast<unsigned long long>(value)); }
inline int __ffs(int value) { return __builtin_ffs(value); }
inline int __ffsll(long long value) { return __builtin_ffsll(value); }

template <simt::ReadOnlyValue T>
T __ldg(const T* address) {
  return *address;
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
