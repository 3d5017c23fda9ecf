// The runtime answers as CUDA's does, and can be told to fail.
#include <cstring>
#include <limits>
#include <set>

#include "cuda_on_cpu/shim/shim_test_support.hpp"

namespace spineweave::test {
namespace {

class ShimRuntime : public ShimTest {};
class ShimFaults : public ShimTest {};

__global__ void store_kernel(int* out) { out[threadIdx.x] = 9; }

TEST_F(ShimRuntime, DescribesItsDevice) {
  cudaDeviceProp properties{};
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_STREQ(properties.name, "CUDA shim on the CPU");
  EXPECT_EQ(properties.totalGlobalMem, simt::kDefaultMemoryLimit);
  const auto attribute = [](cudaDeviceAttr which) {
    int value = -1;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, which, 0), cudaSuccess);
    return value;
  };
  EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMajor), properties.major);
  EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMinor), properties.minor);
  EXPECT_EQ(attribute(cudaDevAttrMultiProcessorCount), properties.multiProcessorCount);
  EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlock), static_cast<int>(properties.sharedMemPerBlock));
  EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin), static_cast<int>(properties.sharedMemPerBlockOptin));
  EXPECT_EQ(cudaGetDeviceProperties(&properties, 1), cudaErrorInvalidDevice);
}

TEST_F(ShimRuntime, RemembersTheLastFailureUntilAsked) {
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(ShimRuntime, NamesItsErrors) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorNoDevice), "cudaErrorNoDevice");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(12)), "unrecognized error code");
}

TEST_F(ShimRuntime, CopiesAndFillsOnStreams) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  const DeviceArray<int> a({1, 2, 3});
  const DeviceArray<int> b(3);
  const std::size_t bytes = 3 * sizeof(int);
  EXPECT_EQ(cudaMemcpyAsync(b.data(), a.data(), bytes, cudaMemcpyDeviceToDevice, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(b.data() + 1, 0, sizeof(int), stream), cudaSuccess);
  int* host = nullptr;
  ASSERT_EQ(cudaMallocHost(&host, bytes), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(host, b.data(), bytes, cudaMemcpyDefault, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(std::vector<int>(host, host + 3), (std::vector<int>{1, 0, 3}));
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(host), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(simt::launch(1, 3, 0, stream, store_kernel, a.data()), cudaErrorInvalidResourceHandle);
}

TEST_F(ShimRuntime, RefusesCopiesThatLeaveAnAllocationOrMistakeItsSide) {
  const DeviceArray<int> device(3);
  int host[4] = {};
  EXPECT_EQ(cudaMemcpy(host, device.data(), sizeof host, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, device.data(), sizeof(int), cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, device.data(), sizeof(int), cudaMemcpyHostToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, device.data(), sizeof(int), static_cast<cudaMemcpyKind>(7)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemsetAsync(device.data() + 1, 0, 3 * sizeof(int)), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemsetAsync(host, 0, sizeof host), cudaErrorInvalidValue);
}

TEST_F(ShimRuntime, FreesOnlyWhatItGave) {
  int on_the_stack = 0;
  EXPECT_EQ(cudaFree(&on_the_stack), cudaErrorInvalidValue);
  const DeviceArray<int> values(4);
  EXPECT_EQ(cudaFree(values.data() + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  int* nothing = &on_the_stack;
  EXPECT_EQ(cudaMalloc(&nothing, 0), cudaSuccess);
  EXPECT_EQ(nothing, nullptr);
}

TEST_F(ShimRuntime, GivesMemoryFullOfGarbageThatDiffersBySeed) {
  std::set<std::uint64_t> seen;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    simt::set_schedule({.seed = seed});
    const DeviceArray<std::uint64_t> values(10);
    for (const std::uint64_t value : values.values()) seen.insert(value);
  }
  EXPECT_EQ(seen.size(), 30U);
}

TEST_F(ShimRuntime, MeasuresTimeBetweenRecordedEvents) {
  cudaEvent_t start = nullptr;
  cudaEvent_t end = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&start, cudaEventDefault), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&end, cudaEventDefault), cudaSuccess);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventRecord(start), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(end), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
  EXPECT_GE(milliseconds, 0);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end), cudaErrorInvalidResourceHandle);
}

TEST_F(ShimRuntime, RefusesEmptyLaunches) {
  const DeviceArray<int> out(1);
  EXPECT_EQ(simt::launch(0, 1, 0, nullptr, store_kernel, out.data()), cudaErrorInvalidConfiguration);
  EXPECT_EQ(simt::launch(dim3(1, 0), 1, 0, nullptr, store_kernel, out.data()), cudaErrorInvalidConfiguration);
  EXPECT_EQ(simt::launch(1, 0, 0, nullptr, store_kernel, out.data()), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
}

TEST_F(ShimFaults, LimitTheMemoryOfTheDevice) {
  std::size_t free = 0;
  std::size_t total = 0;
  simt::set_memory_limit(1000);
  {
    const DeviceArray<char> most(900);
    ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    EXPECT_EQ(free, 100U);
    EXPECT_EQ(total, 1000U);
    char* more = nullptr;
    EXPECT_EQ(cudaMalloc(&more, 101), cudaErrorMemoryAllocation);
    EXPECT_EQ(more, nullptr);
    EXPECT_EQ(cudaMalloc(&more, std::numeric_limits<std::size_t>::max()), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    simt::set_memory_limit(10);
    ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    EXPECT_EQ(free, 0U);
    EXPECT_EQ(cudaMalloc(&more, 1), cudaErrorMemoryAllocation);
    simt::set_memory_limit(1000);
  }
  const DeviceArray<char> all(1000);
}

TEST_F(ShimFaults, TakeAllDevicesAway) {
  int count = -7;
  int* memory = nullptr;
  simt::set_device_count(0);
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
  EXPECT_EQ(count, -7);
  EXPECT_EQ(cudaMalloc(&memory, 4), cudaErrorNoDevice);
  EXPECT_EQ(simt::launch(1, 1, 0, nullptr, store_kernel, memory), cudaErrorNoDevice);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorNoDevice);
  simt::set_device_count(2);
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaGetDevice(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST_F(ShimFaults, FailOneChosenLaunch) {
  const DeviceArray<int> out({0});
  const auto launch = [&] { return simt::launch(1, 1, 0, nullptr, store_kernel, out.data()); };
  simt::fail_launch(2);
  EXPECT_EQ(launch(), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(out.data(), 0, sizeof(int)), cudaSuccess);
  EXPECT_EQ(launch(), cudaErrorLaunchFailure);
  EXPECT_EQ(out.values()[0], 0);
  EXPECT_EQ(launch(), cudaSuccess);
  EXPECT_EQ(out.values()[0], 9);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
}

}  // namespace
}  // namespace spineweave::test
