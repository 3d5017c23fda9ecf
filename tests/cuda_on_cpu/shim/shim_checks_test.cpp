// Every mistake that the shim promises to see ends the process, with a message that says where it was made.
#include <cstdint>

#include "cuda_on_cpu/shim/shim_test_support.hpp"

namespace spineweave::test {
namespace {

class ShimChecks : public ShimTest {};
class ShimMemoryFaults : public ShimTest {};

constexpr unsigned kFull = 0xFFFFFFFF;

#define SHIM_PLACE(block, thread) "block \\(" block "\\), thread \\(" thread "\\), .*shim_checks_test.cpp:[0-9]+"

__global__ void two_barriers_kernel() {
  if (blockIdx.x == 0) return;
  if (threadIdx.x < 16)
    __syncthreads();
  else
    __syncthreads();
}

TEST_F(ShimChecks, SeeBarriersAtDifferentLines) {
  EXPECT_DEATH(run(2, 32, two_barriers_kernel), "barriers at different source lines: " SHIM_PLACE("1,0,0", "16,0,0"));
}

__global__ void deadlock_kernel(int* out) {
  if (threadIdx.x == 3) __syncthreads();
  out[threadIdx.x] = __shfl_xor_sync(kFull, 1, 1);
}

TEST_F(ShimChecks, SeeADeadlock) {
  const DeviceArray<int> out(32);
  EXPECT_DEATH(run(1, 32, deadlock_kernel, out.data()),
               "thread \\(0,0,0\\) waits at .*shim_checks_test.cpp:[0-9]+ for the lanes ffffffff(.|\n)*"
               "thread \\(3,0,0\\) waits at .*shim_checks_test.cpp:[0-9]+ for its block(.|\n)*"
               "deadlock.*: " SHIM_PLACE("0,0,0", "0,0,0"));
}

__global__ void outside_mask_kernel(int* out) { out[threadIdx.x] = __shfl_sync(0xFFFF0000U, 1, 20); }

TEST_F(ShimChecks, SeeACallerOutsideItsMask) {
  const DeviceArray<int> out(32);
  EXPECT_DEATH(run(1, 32, outside_mask_kernel, out.data()),
               "mask lacks the calling lane: " SHIM_PLACE("0,0,0", "0,0,0"));
}

__global__ void mixed_intrinsics_kernel(int* out) {
  if (threadIdx.x != 3)
    out[threadIdx.x] = __shfl_xor_sync(kFull, 1, 1);
  else
    __syncwarp();
}

__global__ void mixed_lines_kernel(int* out) {
  if (threadIdx.x != 3)
    out[threadIdx.x] = __any_sync(kFull, 1);
  else
    out[threadIdx.x] = __any_sync(kFull, 1);
}

__global__ void mixed_masks_kernel() { __syncwarp(threadIdx.x == 0 ? 0x3U : 0x7U); }

TEST_F(ShimChecks, SeeLanesOfOneMaskAtDifferentIntrinsicsLinesOrMasks) {
  const DeviceArray<int> out(32);
  EXPECT_DEATH(run(1, 32, mixed_intrinsics_kernel, out.data()),
               "different warp intrinsics.*: " SHIM_PLACE("0,0,0", "31,0,0"));
  EXPECT_DEATH(run(1, 32, mixed_lines_kernel, out.data()),
               "different warp intrinsics.*: " SHIM_PLACE("0,0,0", "31,0,0"));
  EXPECT_DEATH(run(1, 3, mixed_masks_kernel), "different warp intrinsics.*: " SHIM_PLACE("0,0,0", "[0-9],0,0"));
}

__global__ void nested_masks_kernel(unsigned* out) {
  if (threadIdx.x < 2) out[threadIdx.x] = __ballot_sync(0x3U, 1);
  out[threadIdx.x] += __ballot_sync(0x7U, 1);
}

TEST_F(ShimChecks, AllowGroupsOfLanesThatMeetLater) {
  for (const simt::Schedule& schedule : all_schedules()) {
    simt::set_schedule(schedule);
    const DeviceArray<unsigned> out({0, 0, 0});
    run(1, 3, nested_masks_kernel, out.data());
    EXPECT_EQ(out.values(), (std::vector<unsigned>{10, 10, 7}));
  }
}

__global__ void shuffle_from_kernel(int* out, unsigned mask, int source) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_sync(mask, 1, source);
}

__global__ void reduce_half_kernel(int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_down_sync(0xFFFFU, 1, 8);
}

TEST_F(ShimChecks, SeeAShuffleFromALaneThatIsNotInTheMaskOrHasLeft) {
  const DeviceArray<int> out(32);
  const char* const message = "shuffle reads from a lane.*: " SHIM_PLACE("0,0,0", "0,0,0");
  EXPECT_DEATH(run(1, 32, shuffle_from_kernel, out.data(), 0xFFFFU, 20), message);
  EXPECT_DEATH(run(1, 32, shuffle_from_kernel, out.data(), kFull, 20), message);
  EXPECT_DEATH(run(1, 16, shuffle_from_kernel, out.data(), kFull, 20), message);
  EXPECT_DEATH(run(1, 32, reduce_half_kernel, out.data()),
               "shuffle reads from a lane.*: " SHIM_PLACE("0,0,0", "8,0,0"));
}

__global__ void wide_shuffle_kernel(int* out) { out[threadIdx.x] = __shfl_sync(kFull, 1, 0, 12); }

TEST_F(ShimChecks, SeeAWidthThatIsNoPowerOfTwo) {
  const DeviceArray<int> out(32);
  EXPECT_DEATH(run(1, 32, wide_shuffle_kernel, out.data()), "power of two.*: " SHIM_PLACE("0,0,0", "0,0,0"));
}

constexpr std::size_t kKiB = 1024;

template <std::size_t Bytes>
__global__ void take_shared_kernel() {
  auto& values = simt::shared_array<char, Bytes, decltype([] {})>();
  values[threadIdx.x] = 1;
}

TEST_F(ShimChecks, SeeMoreSharedMemoryThanABlockHas) {
  run(1, 1, take_shared_kernel<48 * kKiB>);
  EXPECT_DEATH(run(1, 1, take_shared_kernel<48 * kKiB + 1>), "more shared memory.*: " SHIM_PLACE("0,0,0", "0,0,0"));
  EXPECT_EQ(simt::launch(1, 1, 16 * kKiB, nullptr, take_shared_kernel<32 * kKiB>), cudaSuccess);
  EXPECT_DEATH((void)simt::launch(1, 1, 16 * kKiB + 1, nullptr, take_shared_kernel<32 * kKiB>),
               "more shared memory.*: " SHIM_PLACE("0,0,0", "0,0,0"));
  EXPECT_DEATH((void)simt::launch(1, 1, 48 * kKiB + 1, nullptr, take_shared_kernel<1>), "more dynamic shared memory");
}

TEST_F(ShimChecks, AllowTheSharedMemoryThatTheAttributeRaises) {
  constexpr int raised = 100 * 1024;
  EXPECT_EQ(cudaFuncSetAttribute(take_shared_kernel<2>, cudaFuncAttributeMaxDynamicSharedMemorySize, raised),
            cudaSuccess);
  EXPECT_EQ(simt::launch(1, 1, raised, nullptr, take_shared_kernel<2>), cudaSuccess);
  EXPECT_DEATH((void)simt::launch(1, 1, raised + 1, nullptr, take_shared_kernel<2>), "more dynamic shared memory");
  cudaFuncAttributes attributes{};
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, take_shared_kernel<2>), cudaSuccess);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, raised);
  EXPECT_EQ(cudaFuncSetAttribute(take_shared_kernel<2>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20),
            cudaErrorInvalidValue);
}

__global__ void empty_kernel() {}
__global__ void launching_kernel() { (void)simt::launch(1, 1, 0, nullptr, empty_kernel); }

TEST_F(ShimChecks, SeeLaunchesThatNoDeviceAllows) {
  run(1, 1024, empty_kernel);
  EXPECT_DEATH(run(1, 1025, empty_kernel), "more threads in a block");
  EXPECT_DEATH(run(1, dim3(1U << 16, 1U << 16, 1U << 16), empty_kernel), "more threads in a block");
  EXPECT_DEATH(run(dim3(1, 65536), 1, empty_kernel), "larger grid");
  EXPECT_DEATH(run(1, 1, launching_kernel), "launch from within a kernel");
}

TEST_F(ShimChecks, SeeABarrierOutsideAKernel) { EXPECT_DEATH(__syncthreads(), "outside a kernel"); }

// ---- memory ----

__global__ void touch_kernel(unsigned* values, unsigned at) {
  if (threadIdx.x == 0) values[at] += 1;
}

TEST_F(ShimMemoryFaults, StopAKernelOneElementPastAnAllocation) {
  for (const unsigned count : {1U, 3U, 33U, 1024U, 5001U}) {
    const DeviceArray<unsigned> values(count);
    run(1, 32, touch_kernel, values.data(), count - 1);
    EXPECT_DEATH(run(1, 32, touch_kernel, values.data(), count), "");
  }
}

TEST_F(ShimMemoryFaults, StopTheHostOutsideOfKernelsAndScopes) {
  const DeviceArray<unsigned> values({7});
  volatile unsigned* const address = values.data();
  EXPECT_DEATH((void)*address, "");
  {
    const simt::DeviceScope open;
    EXPECT_EQ(*address, 7U);
  }
  EXPECT_DEATH((void)*address, "");
}

TEST_F(ShimMemoryFaults, StopAKernelThatUsesFreedMemory) {
  unsigned* values = nullptr;
  ASSERT_EQ(cudaMalloc(&values, 4 * sizeof(unsigned)), cudaSuccess);
  ASSERT_EQ(cudaFree(values), cudaSuccess);
  EXPECT_DEATH(run(1, 32, touch_kernel, values, 0U), "");
}

__global__ void deep_kernel(unsigned* out, unsigned depth) {
  volatile unsigned frame[1024];
  frame[0] = depth;
  if (depth > 0) deep_kernel(out, depth - 1);
  out[0] = frame[0];
}

TEST_F(ShimMemoryFaults, StopAThreadThatLeavesItsStack) {
  const DeviceArray<unsigned> out(1);
  EXPECT_DEATH(run(1, 1, deep_kernel, out.data(), 1U << 20), "");
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAddressSanitizer = true;
#else
constexpr bool kAddressSanitizer = false;
#endif

__global__ void static_overrun_kernel(unsigned at) {
  auto& values = simt::shared_array<unsigned, 33, decltype([] {})>();
  volatile unsigned* const address = values;
  address[at] = 1;
}

__global__ void dynamic_overrun_kernel(unsigned at) {
  volatile unsigned* const values = simt::dynamic_shared<unsigned>();
  values[at] = 1;
}

TEST_F(ShimMemoryFaults, AreReportedByAddressSanitizerForSharedArrays) {
  if (!kAddressSanitizer) GTEST_SKIP() << "needs -fsanitize=address";
  run(1, 1, static_overrun_kernel, 32U);
  EXPECT_DEATH(run(1, 1, static_overrun_kernel, 33U), "heap-buffer-overflow");
  EXPECT_EQ(simt::launch(1, 1, 20, nullptr, dynamic_overrun_kernel, 4U), cudaSuccess);
  EXPECT_DEATH((void)simt::launch(1, 1, 20, nullptr, dynamic_overrun_kernel, 5U), "heap-buffer-overflow");
  EXPECT_DEATH(run(1, 1, dynamic_overrun_kernel, 0U), "heap-buffer-overflow");
}

TEST_F(ShimMemoryFaults, AreReportedByAddressSanitizerBeforeAnAllocation) {
  if (!kAddressSanitizer) GTEST_SKIP() << "needs -fsanitize=address";
  const DeviceArray<unsigned> values(100);
  EXPECT_DEATH(run(1, 32, touch_kernel, values.data() - 2, 0U), "use-after-poison");
}

__global__ void local_overrun_kernel(unsigned* out, unsigned at) {
  volatile unsigned local[8] = {};
  volatile unsigned* const address = local;
  __syncthreads();
  address[at] = 1;
  __syncthreads();
  out[threadIdx.x] = local[0];
}

TEST_F(ShimMemoryFaults, AreReportedBySanitizersForLocalVariablesOfAThread) {
  if (!kAddressSanitizer) GTEST_SKIP() << "needs -fsanitize=address";
  const DeviceArray<unsigned> out(32);
  run(1, 32, local_overrun_kernel, out.data(), 7U);
  EXPECT_DEATH(run(1, 32, local_overrun_kernel, out.data(), 8U), "stack-buffer-overflow|insufficient space");
}

}  // namespace
}  // namespace spineweave::test
