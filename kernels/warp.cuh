// What the lanes of a warp and the warps of a block work out together. Every reduction here is of a
// commutative, associative operation on integers, so that no order shows in the result.
#pragma once

#include <cstdint>
#include <type_traits>

#include "platform.cuh"
#include "spineweave/error.hpp"
#include "tuning.hpp"

namespace spineweave::gpu {

inline constexpr unsigned kAllLanes = 0xffffffffU;

// Calls body with a compile-time block size.
template <class Body>
void with_block_size(unsigned block, Body&& body) {
  switch (block) {
    case 64:
      return body(std::integral_constant<unsigned, 64>{});
    case 128:
      return body(std::integral_constant<unsigned, 128>{});
    case 256:
      return body(std::integral_constant<unsigned, 256>{});
    default:
      throw Error(ErrorCode::internal, "kernels have blocks of 64, 128 or 256 threads");
  }
}

inline unsigned blocks_for(std::size_t items, std::size_t per_block) {
  return static_cast<unsigned>((items + per_block - 1) / per_block);
}

__device__ inline unsigned lane() { return threadIdx.x % kWarp; }
__device__ inline unsigned warp_in_block() { return threadIdx.x / kWarp; }

// uint64_t is `unsigned long` here, and CUDA's 64-bit atomics take `unsigned long long`.
__device__ inline void atomic_add(std::uint64_t* at, std::uint64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
}
__device__ inline void atomic_min(std::uint64_t* at, std::uint64_t value) {
  atomicMin(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
}

__device__ inline void atomic_max(std::uint64_t* at, std::uint64_t value) {
  atomicMax(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
}

__device__ inline std::uint32_t warp_min(std::uint32_t value) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_min_sync(kAllLanes, value);
#else
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2) {
    const std::uint32_t other = __shfl_xor_sync(kAllLanes, value, static_cast<int>(distance));
    value = other < value ? other : value;
  }
  return value;
#endif
}

__device__ inline std::uint32_t warp_max(std::uint32_t value) { return ~warp_min(~value); }

__device__ inline std::uint64_t warp_sum(std::uint64_t value) {
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, static_cast<int>(distance));
  return value;
}

}  // namespace spineweave::gpu
