// Kernels compute the right thing in every order, and wrong kernels do not get away with it.
#include <gmock/gmock.h>
#include <tbb/parallel_for.h>

#include <numeric>
#include <set>
#include <thread>

#include "cuda_on_cpu/shim/shim_test_support.hpp"

namespace spineweave::test {
namespace {

using testing::Each;

class ShimKernels : public ShimTest {};
class ShimSchedules : public ShimTest {};
class ShimHostThreads : public ShimTest {};

constexpr unsigned kFull = 0xFFFFFFFF;
constexpr unsigned kBlock = 256;

__global__ void sum_kernel(const unsigned* values, unsigned count, unsigned long long* total) {
  auto& partial = simt::shared_array<unsigned, kBlock / 32, decltype([] {})>();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = i < count ? values[i] : 0;
  for (unsigned delta = 16; delta > 0; delta /= 2) sum += __shfl_xor_sync(kFull, sum, static_cast<int>(delta));
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  for (unsigned half = kBlock / 64; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(total, static_cast<unsigned long long>(partial[0]));
}

TEST_F(ShimKernels, SumATreeWithShufflesAndBarriersInEveryOrder) {
  for (const unsigned count : {1U, 31U, 32U, 33U, 1023U, 5000U}) {
    std::vector<unsigned> values(count);
    for (unsigned i = 0; i < count; ++i) values[i] = i * i % 1009 + 1;
    const auto expected = std::accumulate(values.begin(), values.end(), 0ULL);
    const DeviceArray device(values);
    for (const simt::Schedule& schedule : all_schedules()) {
      SCOPED_TRACE(testing::PrintToString(schedule));
      simt::set_schedule(schedule);
      const DeviceArray<unsigned long long> total({0});
      run((count + kBlock - 1) / kBlock, kBlock, sum_kernel, device.data(), count, total.data());
      EXPECT_EQ(total.values()[0], expected);
    }
  }
}

__global__ void where_am_i_kernel(unsigned* visits) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  atomicAdd(&visits[block * blockDim.x * blockDim.y * blockDim.z + thread], 1U);
}

TEST_F(ShimKernels, VisitEveryThreadOfEveryBlockOnce) {
  for (const simt::Schedule& schedule : all_schedules()) {
    simt::set_schedule(schedule);
    const DeviceArray visits(std::vector<unsigned>(12 * 24));
    run(dim3(2, 3, 2), dim3(4, 3, 2), where_am_i_kernel, visits.data());
    EXPECT_THAT(visits.values(), Each(1U));
  }
}

constexpr std::size_t kVotes = 18;

__global__ void warp_kernel(const int* values, long long* out) {
  const int value = values[threadIdx.x];
  const auto bits = static_cast<unsigned>(value);
  const int lane = static_cast<int>(threadIdx.x);
  const long long results[kVotes] = {
      __shfl_sync(kFull, value, 5),
      __shfl_sync(kFull, value, lane + 3, 8),
      __shfl_up_sync(kFull, value, 3),
      __shfl_up_sync(kFull, value, 2, 4),
      __shfl_down_sync(kFull, static_cast<long long>(value), 7),
      __shfl_down_sync(kFull, value, 1000),
      __shfl_xor_sync(kFull, value, 9),
      __shfl_xor_sync(kFull, value, 8, 8),
      __ballot_sync(kFull, value & 1),
      __any_sync(kFull, value == 3),
      __all_sync(kFull, value < 100),
      __match_any_sync(kFull, value),
      __reduce_add_sync(kFull, value),
      __reduce_min_sync(kFull, value),
      __reduce_max_sync(kFull, bits),
      __reduce_and_sync(kFull, bits | 6),
      __reduce_or_sync(kFull, bits),
      __reduce_xor_sync(kFull, bits),
  };
  for (std::size_t i = 0; i < kVotes; ++i) out[threadIdx.x * kVotes + i] = results[i];
}

TEST_F(ShimKernels, GetFromWarpIntrinsicsWhatAPlainLoopFinds) {
  std::vector<int> v(32);
  for (int i = 0; i < 32; ++i) v[static_cast<std::size_t>(i)] = i * 5 % 7 - 3;
  const DeviceArray values(v);
  const auto at = [&](int lane) { return static_cast<long long>(v[static_cast<std::size_t>(lane)]); };
  const auto fold = [&](auto combine, long long start) {
    for (const int value : v) start = combine(start, value);
    return start;
  };
  const auto mask_of = [&](auto wanted) {
    unsigned mask = 0;
    for (int lane = 0; lane < 32; ++lane) mask |= wanted(v[static_cast<std::size_t>(lane)]) ? 1U << lane : 0U;
    return static_cast<long long>(mask);
  };
  const auto bits = [](long long value) { return static_cast<unsigned>(value); };
  for (const simt::Schedule& schedule : all_schedules()) {
    simt::set_schedule(schedule);
    const DeviceArray<long long> out(32 * kVotes);
    run(1, 32, warp_kernel, values.data(), out.data());
    const std::vector<long long> results = out.values();
    for (int lane = 0; lane < 32; ++lane) {
      const auto first = results.begin() + lane * static_cast<int>(kVotes);
      EXPECT_EQ(std::vector<long long>(first, first + kVotes),
                (std::vector<long long>{
                    at(5),
                    at(lane / 8 * 8 + (lane + 3) % 8),
                    lane >= 3 ? at(lane - 3) : at(lane),
                    lane % 4 >= 2 ? at(lane - 2) : at(lane),
                    lane < 25 ? at(lane + 7) : at(lane),
                    at(lane),
                    at(lane ^ 9),
                    (lane & 8) != 0 ? at(lane ^ 8) : at(lane),
                    mask_of([](int value) { return (value & 1) != 0; }),
                    1,
                    1,
                    mask_of([&](int value) { return value == at(lane); }),
                    fold([](long long a, long long b) { return a + b; }, 0),
                    fold([](long long a, long long b) { return std::min(a, b); }, 100),
                    fold([&](long long a, long long b) { return std::max(bits(a), bits(b)); }, 0),
                    fold([&](long long a, long long b) { return bits(a) & (bits(b) | 6); }, kFull),
                    fold([&](long long a, long long b) { return bits(a) | bits(b); }, 0),
                    fold([&](long long a, long long b) { return bits(a) ^ bits(b); }, 0),
                }))
          << "lane " << lane;
    }
  }
}

__global__ void some_lanes_kernel(unsigned* out) {
  const unsigned lane = threadIdx.x % 32;
  if (threadIdx.x >= 40) return;
  const unsigned mask = threadIdx.x < 32 ? 0x0F0FU : 0x0FU;
  if ((mask >> lane & 1) != 0) out[threadIdx.x] = __ballot_sync(mask, 1);
  out[threadIdx.x] += 1000U * static_cast<unsigned>(__syncthreads_count(threadIdx.x % 4 == 0));
  out[threadIdx.x] += 100000U * static_cast<unsigned>(__syncthreads_or(threadIdx.x == 7) + __syncthreads_and(1) +
                                                      __syncthreads_and(threadIdx.x != 7));
}

TEST_F(ShimKernels, LeaveExitedThreadsOutOfBarriersAndVotes) {
  for (const simt::Schedule& schedule : all_schedules()) {
    simt::set_schedule(schedule);
    const DeviceArray out(std::vector<unsigned>(64));
    run(1, 64, some_lanes_kernel, out.data());
    const std::vector<unsigned> values = out.values();
    EXPECT_EQ(values[0], 0x0F0FU + 10 * 1000 + 200000);
    EXPECT_EQ(values[4], 0U + 10 * 1000 + 200000);
    EXPECT_EQ(values[33], 0x0FU + 10 * 1000 + 200000);
    EXPECT_EQ(values[40], 0U);
  }
}

__global__ void atomics_kernel(unsigned long long* wide, long long* bounds, unsigned* narrow, int* old_values) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(&wide[0], static_cast<unsigned long long>(i));
  atomicXor(&wide[1], 1ULL << (i % 64));
  atomicMin(&bounds[0], static_cast<long long>(-i));
  atomicMax(&bounds[1], static_cast<long long>(i));
  atomicSub(&narrow[0], 2U);
  atomicOr(&narrow[1], 1U << (i % 32));
  atomicAnd(&narrow[2], ~(1U << (i % 16)));
  unsigned seen = __ldg(&narrow[3]);
  for (unsigned expected = seen + 1; seen != expected;) {
    expected = seen;
    seen = atomicCAS(&narrow[3], expected, expected + 3);
  }
  old_values[atomicAdd(&old_values[100], 1)] = 1;
  atomicExch(&old_values[101], 77);
}

TEST_F(ShimKernels, UpdateWithAtomicsWithoutLoss) {
  for (const simt::Schedule& schedule : all_schedules()) {
    simt::set_schedule(schedule);
    const DeviceArray<unsigned long long> wide({0, 0});
    const DeviceArray<long long> bounds({0, 0});
    const DeviceArray<unsigned> narrow({1000, 0, kFull, 0});
    const DeviceArray old_values(std::vector<int>(102));
    run(4, 25, atomics_kernel, wide.data(), bounds.data(), narrow.data(), old_values.data());
    EXPECT_EQ(wide.values(), (std::vector<unsigned long long>{4950, ~0ULL << 36}));
    EXPECT_EQ(bounds.values(), (std::vector<long long>{-99, 99}));
    EXPECT_EQ(narrow.values(), (std::vector<unsigned>{800, kFull, 0xFFFF0000, 300}));
    std::vector<int> expected(102, 1);
    expected[100] = 100;
    expected[101] = 77;
    EXPECT_EQ(old_values.values(), expected);
  }
}

TEST_F(ShimKernels, CountBitsAsCudaDoes) {
  EXPECT_EQ(__popc(0xF0U), 4);
  EXPECT_EQ(__popcll(~0ULL), 64);
  EXPECT_EQ(__clz(0), 32);
  EXPECT_EQ(__clz(1), 31);
  EXPECT_EQ(__clzll(1), 63);
  EXPECT_EQ(__ffs(0), 0);
  EXPECT_EQ(__ffs(8), 4);
  EXPECT_EQ(__ffsll(1LL << 40), 41);
}

__global__ void reverse_kernel(int* values) {
  int* const kept = simt::dynamic_shared<int>();
  kept[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = kept[blockDim.x - 1 - threadIdx.x];
}

TEST_F(ShimKernels, UseDynamicSharedMemory) {
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 0);
  const DeviceArray device(values);
  EXPECT_EQ(simt::launch(1, 100, 100 * sizeof(int), nullptr, reverse_kernel, device.data()), cudaSuccess);
  std::reverse(values.begin(), values.end());
  EXPECT_EQ(device.values(), values);
}

__global__ void triple_kernel(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 3 * in[i] + 1;
}

TEST_F(ShimKernels, AreCountedWithTheirThreadsBarriersAndCollectives) {
  constexpr unsigned count = 1U << 20;
  const DeviceArray in(std::vector<unsigned>(count, 2));
  const DeviceArray<unsigned> out(count);
  const simt::Stats before = simt::stats();
  run(count / kBlock, kBlock, triple_kernel, in.data(), out.data());
  const simt::Stats between = simt::stats();
  EXPECT_EQ(between.threads - before.threads, count);
  EXPECT_EQ(between.launches - before.launches, 1U);
  EXPECT_EQ(between.barriers - before.barriers, 0U);
  EXPECT_THAT(out.values(), Each(7U));

  const DeviceArray<unsigned long long> total({0});
  run(2, kBlock, sum_kernel, in.data(), count, total.data());
  const simt::Stats after = simt::stats();
  EXPECT_EQ(after.barriers - between.barriers, 2U * 4U);
  EXPECT_EQ(after.collectives - between.collectives, 2U * 8U * 5U);
}

// ---- what only some orders bring to light ----

__global__ void neighbour_kernel(unsigned* out, bool with_barrier) {
  auto& values = simt::shared_array<unsigned, 64, decltype([] {})>();
  values[threadIdx.x] = threadIdx.x;
  if (with_barrier) __syncthreads();
  out[threadIdx.x] = values[(threadIdx.x + 32) % 64];
}

__global__ void mirror_kernel(unsigned* out, bool with_barrier) {
  auto& values = simt::shared_array<unsigned, 32, decltype([] {})>();
  values[threadIdx.x] = threadIdx.x;
  if (with_barrier) __syncwarp();
  out[threadIdx.x] = values[31 - threadIdx.x];
}

__global__ void chain_kernel(unsigned* out, bool ordered) {
  if (threadIdx.x == 0) out[0] = ordered ? out[0] + blockIdx.x : out[0] * 3 + blockIdx.x;
}

__global__ void increment_kernel(unsigned* out, bool atomic) {
  if (atomic) {
    atomicAdd(out, 1U);
  } else {
    const unsigned old = *out;
    __threadfence();
    *out = old + 1;
  }
}

std::set<std::vector<unsigned>> results_in_all_orders(dim3 grid, dim3 block, void (*kernel)(unsigned*, bool),
                                                      bool right) {
  std::set<std::vector<unsigned>> results;
  for (const simt::Schedule& schedule : all_schedules()) {
    simt::set_schedule(schedule);
    const DeviceArray out(std::vector<unsigned>(64));
    run(grid, block, kernel, out.data(), right);
    results.insert(out.values());
  }
  return results;
}

TEST_F(ShimSchedules, ShowAMissingBarrier) {
  EXPECT_EQ(results_in_all_orders(1, 64, neighbour_kernel, true).size(), 1U);
  EXPECT_GT(results_in_all_orders(1, 64, neighbour_kernel, false).size(), 1U);
}

TEST_F(ShimSchedules, ShowAMissingSyncwarp) {
  EXPECT_EQ(results_in_all_orders(1, 32, mirror_kernel, true).size(), 1U);
  EXPECT_GT(results_in_all_orders(1, 32, mirror_kernel, false).size(), 1U);
}

TEST_F(ShimSchedules, ShowThatBlocksDependOnTheirOrder) {
  EXPECT_EQ(results_in_all_orders(5, 32, chain_kernel, true).size(), 1U);
  EXPECT_GT(results_in_all_orders(5, 32, chain_kernel, false).size(), 1U);
}

TEST_F(ShimSchedules, ShowAnUpdateThatIsNotAtomic) {
  EXPECT_EQ(results_in_all_orders(1, 32, increment_kernel, true).size(), 1U);
  EXPECT_GT(results_in_all_orders(1, 32, increment_kernel, false).size(), 1U);
}

__global__ void read_garbage_kernel(unsigned* out) {
  auto& values = simt::shared_array<unsigned, 8, decltype([] {})>();
  auto& others = simt::shared_array<unsigned, 8, decltype([] {})>();
  const unsigned* const dynamic = simt::dynamic_shared<unsigned>();
  const unsigned sources[3] = {values[threadIdx.x], others[threadIdx.x], dynamic[threadIdx.x]};
  for (unsigned i = 0; i < 3; ++i) out[(blockIdx.x * 3 + i) * 8 + threadIdx.x] = sources[i];
}

TEST_F(ShimSchedules, FillSharedMemoryWithGarbageThatDiffersByArrayBlockAndSeed) {
  std::set<unsigned> seen;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    simt::set_schedule({.seed = seed});
    const DeviceArray<unsigned> out(48);
    EXPECT_EQ(simt::launch(2, 8, 8 * sizeof(unsigned), nullptr, read_garbage_kernel, out.data()), cudaSuccess);
    for (const unsigned value : out.values()) seen.insert(value);
  }
  EXPECT_EQ(seen.size(), 3U * 48U);
}

TEST_F(ShimSchedules, RepeatARunExactly) {
  const auto run_once = [] {
    const DeviceArray out(std::vector<unsigned>(64));
    run(3, 64, increment_kernel, out.data(), false);
    return out.values();
  };
  simt::set_schedule({simt::Order::random, 12, 400});
  EXPECT_EQ(run_once(), run_once());
}

// ---- several threads of the host ----

void sum_on_the_device(unsigned factor) {
  std::vector<unsigned> values(3000);
  for (unsigned i = 0; i < values.size(); ++i) values[i] = i * factor;
  const DeviceArray device(values);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const DeviceArray<unsigned long long> total({0});
    run(12, kBlock, sum_kernel, device.data(), 3000U, total.data());
    EXPECT_EQ(total.values()[0], std::accumulate(values.begin(), values.end(), 0ULL));
  }
}

TEST_F(ShimHostThreads, LaunchAllocateAndCopyAtOnce) {
  simt::set_schedule({simt::Order::random, 3, 200});
  std::vector<std::thread> threads;
  for (unsigned factor = 1; factor <= 4; ++factor) threads.emplace_back(sum_on_the_device, factor);
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ShimHostThreads, MayBeTasksOfTbb) {
  tbb::parallel_for(1U, 33U, [](unsigned factor) { sum_on_the_device(factor); });
}

TEST_F(ShimHostThreads, OpenDeviceMemoryWithOverlappingScopes) {
  const DeviceArray<int> values({1, 2, 3});
  tbb::parallel_for(0, 200, [&](int) {
    const simt::DeviceScope open;
    const DeviceArray<int> made_while_open(1);
    *made_while_open.data() = values.data()[2];
    EXPECT_EQ(made_while_open.values()[0], 3);
  });
}

TEST_F(ShimHostThreads, HaveTheirOwnLastError) {
  EXPECT_EQ(cudaSetDevice(5), cudaErrorInvalidDevice);
  std::thread([] { EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess); }).join();
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

}  // namespace
}  // namespace spineweave::test
