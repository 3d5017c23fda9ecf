// Kernels that use each group of instructions, and kernels that are wrong.
#include "ptx_test_kernels.hpp"

#include <cuda_runtime.h>

#include <cassert>

#if defined(__CUDA_ARCH__)
#define DEVICE_ONLY 1
#else
#define DEVICE_ONLY 0
#endif

namespace ptx_test {
namespace {

using u64 = std::uint64_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using i32 = std::int32_t;
using ull = unsigned long long;

template <typename... Parameters, typename... Arguments>
cudaError_t launch(unsigned grid, unsigned block, std::size_t shared, void (*kernel)(Parameters...),
                   Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(block);
  config.dynamicSmemBytes = shared;
  return cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
}

__host__ __device__ u64 high_product(u64 a, u64 b) {
#if DEVICE_ONLY
  return __umul64hi(a, b);
#else
  return static_cast<u64>((static_cast<unsigned __int128>(a) * b) >> 64);
#endif
}

__host__ __device__ u32 bits_of(u64 value) {
#if DEVICE_ONLY
  return static_cast<u32>(__popcll(value) * 65536 + __clzll(static_cast<i64>(value)) * 256 + (__ffsll(value) & 255));
#else
  return static_cast<u32>(__builtin_popcountll(value) * 65536 + (value == 0 ? 64 : __builtin_clzll(value)) * 256 +
                          __builtin_ffsll(static_cast<i64>(value)));
#endif
}

__host__ __device__ u64 reversed(u64 value) {
#if DEVICE_ONLY
  return __brevll(value);
#else
  u64 result = 0;
  for (int bit = 0; bit < 64; ++bit) result |= ((value >> bit) & 1) << (63 - bit);
  return result;
#endif
}

__host__ __device__ u64 funnelled(u32 a, u32 b, u32 amount) {
#if DEVICE_ONLY
  return static_cast<u64>(__funnelshift_l(a, b, amount)) << 32 | __funnelshift_rc(a, b, amount);
#else
  const u64 both = static_cast<u64>(b) << 32 | a;
  const u32 left = static_cast<u32>((both << (amount & 31)) >> 32);
  return static_cast<u64>(left) << 32 | static_cast<u32>(both >> (amount < 32 ? amount : 32));
#endif
}

__host__ __device__ u32 permuted(u32 a, u32 b, u32 selector) {
#if DEVICE_ONLY
  return __byte_perm(a, b, selector);
#else
  const u64 both = static_cast<u64>(b) << 32 | a;
  u32 result = 0;
  for (int byte = 0; byte < 4; ++byte) {
    result |= static_cast<u32>((both >> (8 * ((selector >> (4 * byte)) & 7))) & 255) << (8 * byte);
  }
  return result;
#endif
}

template <typename T>
__host__ __device__ u64 bit_cast(T value) {
  u64 result = 0;
  memcpy(&result, &value, sizeof(T));
  return result;
}

__host__ __device__ void compute(u64 a, u64 b, u64* out) {
  const u32 x = static_cast<u32>(a);
  const u32 y = static_cast<u32>(b);
  const i64 sa = static_cast<i64>(a);
  const i64 sb = static_cast<i64>(b);
  const i32 sx = static_cast<i32>(x);
  const i32 sy = static_cast<i32>(y);
  const u32 shift = y % 64;
  int i = 0;
  out[i++] = a + b;
  out[i++] = a - b;
  out[i++] = a * b;
  out[i++] = b == 0 ? 0 : a / b;
  out[i++] = b == 0 ? 0 : a % b;
  out[i++] = b == 0 || sb == -1 ? 0 : static_cast<u64>(sa / sb);
  out[i++] = b == 0 || sb == -1 ? 0 : static_cast<u64>(sa % sb);
  out[i++] = y == 0 ? 0 : x / y;
  out[i++] = y == 0 || sy == -1 ? 0 : static_cast<u64>(sx % sy);
  out[i++] = high_product(a, b);
  out[i++] = static_cast<u64>(static_cast<i64>(sx) * sy);
  out[i++] = static_cast<u64>(x) * y + a;
  out[i++] = a << shift;
  out[i++] = a >> shift;
  out[i++] = static_cast<u64>(sa >> shift);
  out[i++] = x << (shift % 32);
  out[i++] = static_cast<u64>(sx >> (shift % 32));
  out[i++] = (a & b) ^ (a | ~b);
  out[i++] = (x & y) | (~x & shift);
  out[i++] = bits_of(a);
  out[i++] = bits_of(b & 0xFFFFFFFF);
  out[i++] = reversed(a);
  out[i++] = funnelled(x, y, shift);
  out[i++] = permuted(x, y, 0x7340);
  out[i++] = a < b ? a : b;
  out[i++] = static_cast<u64>(sa < sb ? sb : sa);
  out[i++] = static_cast<u64>(sx < sy ? sx : sy);
  out[i++] = static_cast<u64>(sa < 0 ? 0 - a : a);
  out[i++] = (a == b ? 1U : 0U) | (a != b ? 2U : 0U) | (a <= b ? 4U : 0U) | (sa >= sb ? 8U : 0U) |
             (sx > sy ? 16U : 0U) | (x >= y ? 32U : 0U) | (a < b && sa < sb ? 64U : 0U);
  out[i++] = static_cast<u64>(static_cast<i64>(static_cast<std::int8_t>(a)));
  out[i++] = static_cast<u64>(static_cast<i64>(static_cast<std::int16_t>(a)));
  out[i++] = static_cast<std::uint8_t>(a + b);
  out[i++] = static_cast<std::uint16_t>(static_cast<std::uint16_t>(a) * static_cast<std::uint32_t>(7) + y);
  out[i++] = (a >> 12) & 0x3FF;
  out[i++] = static_cast<u64>(static_cast<i64>(a << 20) >> 50);
  const double da = static_cast<double>(sa % 1000003);
  const double db = static_cast<double>(sb % 997) + 0.5;
  out[i++] = bit_cast(da + db);
  out[i++] = bit_cast(da - db);
  out[i++] = bit_cast(da * db);
  out[i++] = bit_cast(da / db);
  out[i++] = bit_cast(da < db ? da : db);
  out[i++] = static_cast<u64>(static_cast<i64>(da / db));
  out[i++] = static_cast<u64>(static_cast<i32>(da / db));
  out[i++] = bit_cast(static_cast<double>(a));
  out[i++] = bit_cast(static_cast<float>(sx));
  const float fa = static_cast<float>(sx % 4096);
  const float fb = static_cast<float>(sy % 127) + 0.25F;
  out[i++] = bit_cast(fa * fb + fb);
  out[i++] = bit_cast(fa / fb);
  out[i++] = bit_cast(static_cast<double>(fa) + da);
  out[i++] = bit_cast(static_cast<float>(da));
  out[i++] = (da < db ? 1U : 0U) | (da >= db ? 2U : 0U) | (fa != fb ? 4U : 0U) | (fa == fb ? 8U : 0U);
  out[i++] = bit_cast(da < 0 ? -da : da);
  while (i < static_cast<int>(kResultsPerPair)) out[i++] = 0;
}

__global__ void compute_kernel(const u64* a, const u64* b, u64* results, u32 count) {
  const u32 index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) compute(a[index], b[index], results + index * kResultsPerPair);
}

// Without the hardware's reduction (sm_80), as kernels for older devices do it.
__device__ u32 reduce_add(u32 value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xFFFFFFFF, value, offset);
  return __shfl_sync(0xFFFFFFFF, value, 0);
}

__global__ void warp_kernel(u32* results) {
  const u32 lane = threadIdx.x;
  const u32 all = 0xFFFFFFFF;
  u32* const out = results + lane * kWarpResults;
  int predicate = 0;
  out[0] = __shfl_up_sync(all, lane, 3);
  out[1] = __shfl_down_sync(all, lane, 5);
  out[2] = __shfl_xor_sync(all, lane, 6);
  out[3] = __shfl_sync(all, lane * 2, 9);
  out[4] = __shfl_up_sync(all, lane, 2, 8);
  out[5] = __ballot_sync(all, lane % 3 == 0);
  out[6] = static_cast<u32>(__any_sync(all, lane == 31) + 2 * __all_sync(all, lane < 31));
  out[7] = __match_any_sync(all, lane / 4);
  out[8] = __match_all_sync(all, lane / 32, &predicate) + static_cast<u32>(predicate);
  out[9] = reduce_add(lane);
  out[10] = __match_any_sync(all, static_cast<ull>(lane % 2) << 40);
  if (lane % 2 == 0) {
    out[11] = __ballot_sync(0x55555555, lane < 8);
  } else {
    out[11] = __ballot_sync(0xAAAAAAAA, lane < 8);
  }
  __syncwarp();
  out[12] = __shfl_sync(all, lane, static_cast<int>(lane) + 1, 4);
  u64 wide = static_cast<u64>(lane) << 33;
  wide = __shfl_xor_sync(all, wide, 1);
  out[13] = static_cast<u32>(wide >> 33);
  out[14] = __match_all_sync(all, lane, &predicate) + static_cast<u32>(predicate);
  out[15] = __activemask() >> lane & 1;
}

__global__ void atomic_kernel(u64* results) {
  __shared__ u32 narrow[2];
  __shared__ ull wide[2];
  if (threadIdx.x < 2) {
    narrow[threadIdx.x] = 0;
    wide[threadIdx.x] = 0;
  }
  __syncthreads();
  const ull number = blockIdx.x * blockDim.x + threadIdx.x + 1;
  auto* const out = reinterpret_cast<ull*>(results);
  auto* const half = reinterpret_cast<u32*>(results + 12);
  atomicAdd(&out[0], number);
  atomicMin(&out[1], 1000000 - number);
  atomicMax(&out[2], number << 32);
  atomicOr(&out[3], 1ULL << (number % 64));
  atomicXor(&out[4], number);
  atomicAnd(&out[5], ~(1ULL << (number % 48)));
  ull seen = out[6];
  for (ull expected = 0; expected != seen || seen == 0;) {
    expected = seen;
    seen = atomicCAS(&out[6], expected, expected + number);
    if (seen == expected) break;
  }
  atomicMax(reinterpret_cast<long long*>(&out[7]), -static_cast<long long>(number));
  atomicAdd(&narrow[0], static_cast<u32>(number));
  atomicMax(&narrow[1], static_cast<u32>(number));
  atomicAdd(&wide[0], number << 20);
  atomicMax(&wide[1], number << 20);
  atomicMin(reinterpret_cast<int*>(&half[0]), -static_cast<int>(number));
  atomicInc(&half[1], 4);
  if (atomicExch(&half[2], static_cast<u32>(number)) == 0) atomicAdd(&half[3], 1U);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&out[8], static_cast<ull>(narrow[0]));
    atomicMax(&out[9], static_cast<ull>(narrow[1]));
    atomicAdd(&out[10], wide[0]);
    atomicMax(&out[11], wide[1]);
  }
}

__global__ void sum_kernel(const u32* values, u32 count, u64* sums) {
  extern __shared__ u64 partial[];
  const u32 index = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = index < count ? values[index] : 0;
  __syncthreads();
  for (u32 half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

__global__ void barrier_kernel(u32* results) {
  const int count = __syncthreads_count(threadIdx.x % 3 == 0);
  const int all = __syncthreads_and(threadIdx.x < 100);
  const int any = __syncthreads_or(threadIdx.x == 70);
  if (threadIdx.x == 99) {
    results[0] = static_cast<u32>(count);
    results[1] = static_cast<u32>(all);
    results[2] = static_cast<u32>(any);
  }
}

__global__ void local_kernel(u32* results, u32 count) {
  const u32 index = threadIdx.x;
  u32 digits[16];
  for (u32 digit = 0; digit < 16; ++digit) digits[digit] = index * digit;
  digits[(index * 7) % 16] += 1000;
  u32 sum = 0;
  for (u32 digit = 0; digit < 16; ++digit) sum += digits[(digit * index) % 16];
  if (index < count) results[index] = sum;
}

__device__ __noinline__ void add_one(u32* where) { *where += 1; }

__global__ void generic_kernel(u32* results) {
  __shared__ u32 shared[32];
  shared[threadIdx.x] = threadIdx.x;
  u32 local[4] = {threadIdx.x, threadIdx.x + 1, threadIdx.x + 2, threadIdx.x + 3};
  __syncthreads();
  u32* const where = threadIdx.x % 2 == 0 ? &shared[threadIdx.x ^ 2] : &results[threadIdx.x];
  atomicAdd(where, 100U);
  add_one(where);
  add_one(&local[threadIdx.x % 4]);
  __syncthreads();
  results[32 + threadIdx.x] = shared[threadIdx.x] + 1000 * local[threadIdx.x % 4] + (__isShared(where) ? 1000000 : 0) +
                              (__isLocal(local) ? 2000000 : 0);
}

struct Pair {
  i32 first;
  i64 second;
};

__constant__ u32 table[4] = {11, 22, 33, 44};
__constant__ Pair pairs[2] = {{-1, 1LL << 40}, {5, -6}};
__device__ u64 counter = 77;
__device__ double ratios[3] = {0.5, 1.5, 2.5};
__device__ const char* greeting = "hello";
__device__ u32 zeros[100];

__global__ void variable_kernel(u64* results, u32 index) {
  results[0] = table[index];
  results[1] = static_cast<u64>(pairs[index % 2].second) + static_cast<u64>(pairs[index % 2].first);
  counter += index;
  results[2] = counter;
  results[3] = static_cast<u64>(ratios[index] * 4);
  results[4] = static_cast<u64>(greeting[index]);
  results[5] = zeros[index];
  zeros[index] += 1;
  results[6] = static_cast<u64>(pairs[1].first);
}

__host__ __device__ __noinline__ Pair ackermann_like(Pair pair, u32 depth) {
  if (depth == 0) return pair;
  Pair inner = ackermann_like({pair.first + 1, pair.second * 3}, depth - 1);
  inner.second += pair.first;
  return inner;
}

__host__ __device__ __noinline__ u32 dispatch(u32 which, u32 x) {
  switch (which) {
    case 0:
      return x * x + 1;
    case 1:
      return x / 7 + 3;
    case 2:
      return x ^ (x << 3);
    case 3:
      return x % 11;
    case 4:
      return ~x;
    case 5:
      return x > 100 ? x - 100 : x;
    case 6:
      return x * 31 + (x >> 2);
    case 7:
      return x | 0x1010;
    default:
      return 0;
  }
}

__host__ __device__ u64 call_all(u32 index) {
  const Pair pair = ackermann_like({static_cast<i32>(index), 2}, index % 9);
  return static_cast<u64>(pair.second) * 1000 + static_cast<u64>(pair.first) + dispatch(index % 9, index * 13);
}

__global__ void call_kernel(u64* results, u32 count) {
  if (threadIdx.x < count) results[threadIdx.x] = call_all(threadIdx.x);
}

__global__ void vector_kernel(const uint4* from, uint4* to) {
  __shared__ uint4 staged[32];
  staged[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  const uint2* const halves = reinterpret_cast<const uint2*>(staged);
  const uint2 low = halves[2 * (31 - threadIdx.x)];
  const uint2 high = halves[2 * (31 - threadIdx.x) + 1];
  to[threadIdx.x] = make_uint4(high.y, high.x, low.y, low.x);
}

// As in a look-back scan: each block waits for the one before it, without ordering who starts first.
__global__ void look_back_kernel(u32* state) {
  if (threadIdx.x == 0) {
    const volatile u32* const ready = state;
    while (ready[blockIdx.x] == 0 && blockIdx.x != 0) {
    }
    state[blockIdx.x + 1] = (blockIdx.x == 0 ? 0 : state[blockIdx.x]) + blockIdx.x + 1;
    __threadfence();
  }
  __syncthreads();
}

__global__ void lock_kernel(u32* state) {
  bool is_done = false;
  while (!is_done) {
    if (atomicCAS(&state[0], 0U, 1U) == 0) {
      const volatile u32* const value = state + 1;
      state[1] = *value + 1;
      __threadfence();
      atomicExch(&state[0], 0U);
      is_done = true;
    }
  }
}

__global__ void chevron_kernel(u32* results, u32 count) {
  const u32 index = blockIdx.y * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) results[index] = index + blockDim.y + threadIdx.y;
}

__global__ void spin_kernel(u32* counter, u32 rounds) {
  u32 state = threadIdx.x;
  u64 sum = 0;
  for (u32 round = 0; round < rounds; ++round) {
    state = state * 1664525 + 1013904223;
    sum += (state >> 7) ^ (sum << 3);
    if ((state & 0xFF) == 3) sum += counter[state % 64];
  }
  counter[threadIdx.x % 64] = static_cast<u32>(sum);
}

__global__ void read_kernel(u32* memory, u32 index) { memory[0] = memory[index]; }

__global__ void misaligned_kernel(u32* memory) {
  memory[4] = *reinterpret_cast<const u32*>(reinterpret_cast<const char*>(memory) + 2);
}

__global__ void shared_write_kernel(u32 index) {
  __shared__ volatile u32 few[8];
  few[index] = 1;
}

__global__ void shared_read_kernel(u32* result, u32 index) {
  extern __shared__ u64 dynamic[];
  reinterpret_cast<u64*>(result)[0] = dynamic[index];
}

__global__ void skipped_barrier_kernel(u32* result) {
  if (threadIdx.x < 32) {
    __syncthreads();
    result[0] = 1;
  } else {
    result[1] = 2;
    __syncthreads();
    result[2] = 3;
  }
}

__global__ void diverging_kernel(u32* result) {
  if (threadIdx.x < 16) {
    result[0] = __shfl_sync(0xFFFFFFFF, threadIdx.x, 3);
  } else {
    result[1] = __ballot_sync(0xFFFFFFFF, threadIdx.x == 20);
  }
}

__global__ void missing_lane_kernel(u32* result) {
  if (threadIdx.x < 16) result[0] = __ballot_sync(0xFFFFFFFF, threadIdx.x == 3);
  __syncthreads();
}

__global__ void trap_kernel() { __trap(); }
__global__ void assertion_kernel(u32 value) { assert(value < 5); }

__global__ void hanging_kernel(u32* flag) {
  const volatile u32* const seen = flag;
  while (*seen == 0) {
  }
}

__global__ void forgetful_kernel(u32* results) {
  __shared__ volatile u32 values[64];
  values[threadIdx.x] = threadIdx.x;
  results[threadIdx.x] = values[63 - threadIdx.x];
}

__global__ void leak_kernel(u32* results) {
  __shared__ volatile u32 values[32];
  results[blockIdx.x * 32 + threadIdx.x] = values[threadIdx.x];
}

}  // namespace

void compute_on_host(const u64* a, const u64* b, u64* results, u32 count) {
  for (u32 index = 0; index < count; ++index) compute(a[index], b[index], results + index * kResultsPerPair);
}

cudaError_t compute_on_device(const u64* a, const u64* b, u64* results, u32 count) {
  return launch((count + 63) / 64, 64, 0, compute_kernel, a, b, results, count);
}

cudaError_t warp_operations(u32* results) { return launch(1, 32, 0, warp_kernel, results); }
cudaError_t update_atomically(u64* results, u32 blocks) { return launch(blocks, 96, 0, atomic_kernel, results); }

cudaError_t sum_blocks(const u32* values, u32 count, u64* sums) {
  return launch((count + 127) / 128, 128, 128 * sizeof(u64), sum_kernel, values, count, sums);
}

cudaError_t count_with_barriers(u32* results) { return launch(1, 100, 0, barrier_kernel, results); }
cudaError_t use_local_memory(u32* results, u32 count) { return launch(1, count, 0, local_kernel, results, count); }
cudaError_t use_generic_addresses(u32* results) { return launch(1, 32, 0, generic_kernel, results); }
cudaError_t read_variables(u64* results) { return launch(1, 1, 0, variable_kernel, results, 1); }
cudaError_t call_functions(u64* results, u32 count) { return launch(1, count, 0, call_kernel, results, count); }
u64 call_functions_on_host(u32 index) { return call_all(index); }

cudaError_t copy_vectors(const u32* from, u32* to) {
  return launch(1, 32, 0, vector_kernel, reinterpret_cast<const uint4*>(from), reinterpret_cast<uint4*>(to));
}

cudaError_t wait_for_earlier_blocks(u32* state, u32 blocks) { return launch(blocks, 64, 0, look_back_kernel, state); }
cudaError_t take_a_lock(u32* state, u32 blocks) { return launch(blocks, 64, 0, lock_kernel, state); }

cudaError_t launch_with_chevrons(u32* results, u32 count) {
  chevron_kernel<<<dim3(2, (count + 63) / 64), 32>>>(results, count);
  return cudaGetLastError();
}

cudaError_t spin(u32* counter, u32 threads, u32 rounds) {
  return launch((threads + 255) / 256, 256, 0, spin_kernel, counter, rounds);
}

cudaError_t read_beyond(u32* memory, u32 index) { return launch(1, 1, 0, read_kernel, memory, index); }
cudaError_t read_misaligned(u32* memory) { return launch(1, 1, 0, misaligned_kernel, memory); }
cudaError_t write_beyond_shared(u32 index) { return launch(1, 1, 0, shared_write_kernel, index); }

cudaError_t read_beyond_dynamic_shared(u32* result, u32 index, std::size_t shared_bytes) {
  return launch(1, 1, shared_bytes, shared_read_kernel, result, index);
}

cudaError_t skip_a_barrier(u32* result) { return launch(1, 64, 0, skipped_barrier_kernel, result); }
cudaError_t diverge_in_warp(u32* result) { return launch(1, 32, 0, diverging_kernel, result); }
cudaError_t wait_for_missing_lane(u32* result) { return launch(1, 32, 0, missing_lane_kernel, result); }
cudaError_t trap() { return launch(1, 1, 0, trap_kernel); }
cudaError_t fail_assertion(u32 value) { return launch(1, 1, 0, assertion_kernel, value); }
cudaError_t hang(u32* flag) { return launch(1, 1, 0, hanging_kernel, flag); }
cudaError_t forget_a_barrier(u32* results) { return launch(1, 64, 0, forgetful_kernel, results); }
cudaError_t leak_shared(u32* results) { return launch(2, 32, 0, leak_kernel, results); }

}  // namespace ptx_test
