// The stand-in runtime: each group of instructions, the orders in which threads run, and each error it finds.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cuda_on_cpu/ptx/control.hpp"
#include "cuda_on_cpu/ptx/fault.hpp"
#include "cuda_on_cpu/ptx/grid.hpp"
#include "cuda_on_cpu/ptx/module.hpp"
#include "cuda_on_cpu/ptx/ptx_test_kernels.hpp"

namespace {

using std::uint32_t;
using std::uint64_t;

// Device memory with given contents, or filled with zeros.
template <typename T>
class Device {
 public:
  explicit Device(const std::vector<T>& values) : size_(values.size()) {
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&data_), size_ * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
  }
  explicit Device(std::size_t size) : Device(std::vector<T>(size)) {}
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() { EXPECT_EQ(cudaFree(data_), cudaSuccess); }
  T* data() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> result(size_);
    EXPECT_EQ(cudaMemcpy(result.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return result;
  }

 private:
  std::size_t size_;
  T* data_ = nullptr;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class PtxOrders : public testing::TestWithParam<ptx::Schedule> {
 protected:
  void SetUp() override { ptx::set_schedule(GetParam()); }
  void TearDown() override { ptx::set_schedule({}); }
};

TEST_P(PtxOrders, ComputeWhatTheHostComputes) {
  std::mt19937_64 random(5);
  std::vector<uint64_t> a = {0, 1, ~uint64_t{0}, uint64_t{1} << 63, 0x80000000, 0x7FFFFFFF, 12345, 1};
  std::vector<uint64_t> b = {0, 0, ~uint64_t{0}, ~uint64_t{0}, 0xFFFFFFFF, 2, 0, uint64_t{1} << 63};
  while (a.size() < 500) {
    a.push_back(random() >> (random() % 64));
    b.push_back(random() >> (random() % 64));
  }
  const auto count = static_cast<uint32_t>(a.size());
  std::vector<uint64_t> expected(a.size() * ptx_test::kResultsPerPair);
  ptx_test::compute_on_host(a.data(), b.data(), expected.data(), count);
  const Device<uint64_t> device_a(a);
  const Device<uint64_t> device_b(b);
  const Device<uint64_t> results(expected.size());
  ASSERT_EQ(ptx_test::compute_on_device(device_a.data(), device_b.data(), results.data(), count), cudaSuccess);
  const std::vector<uint64_t> found = results.values();
  for (std::size_t index = 0; index < expected.size(); ++index) {
    const std::size_t pair = index / ptx_test::kResultsPerPair;
    ASSERT_EQ(found[index], expected[index])
        << "result " << index % ptx_test::kResultsPerPair << " of " << a[pair] << " and " << b[pair];
  }
}

TEST_P(PtxOrders, DoWarpOperations) {
  const Device<uint32_t> results(32 * ptx_test::kWarpResults);
  ASSERT_EQ(ptx_test::warp_operations(results.data()), cudaSuccess);
  const std::vector<uint32_t> found = results.values();
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t* const out = found.data() + lane * ptx_test::kWarpResults;
    EXPECT_EQ(out[0], lane < 3 ? lane : lane - 3);
    EXPECT_EQ(out[1], lane > 26 ? lane : lane + 5);
    EXPECT_EQ(out[2], lane ^ 6);
    EXPECT_EQ(out[3], 18U);
    EXPECT_EQ(out[4], lane % 8 < 2 ? lane : lane - 2);
    EXPECT_EQ(out[5], 0x49249249U);
    EXPECT_EQ(out[6], 1U);
    EXPECT_EQ(out[7], 0xFU << (lane / 4 * 4));
    EXPECT_EQ(out[8], 0U);  // the full mask, and one more
    EXPECT_EQ(out[9], 496U);
    EXPECT_EQ(out[10], lane % 2 == 0 ? 0x55555555U : 0xAAAAAAAAU);
    EXPECT_EQ(out[11], lane % 2 == 0 ? 0x55U : 0xAAU);
    EXPECT_EQ(out[12], lane / 4 * 4 + (lane + 1) % 4);
    EXPECT_EQ(out[13], lane ^ 1);
    EXPECT_EQ(out[14], 0U);
    EXPECT_EQ(out[15], 1U);
  }
}

TEST_P(PtxOrders, UpdateAtomicallyInGlobalAndSharedMemory) {
  constexpr uint32_t kBlocks = 5;
  constexpr uint64_t kThreads = kBlocks * 96;
  std::vector<uint64_t> start(16);
  start[1] = ~uint64_t{0};
  start[5] = ~uint64_t{0};
  start[7] = uint64_t{1} << 63;
  const Device<uint64_t> results(start);
  ASSERT_EQ(ptx_test::update_atomically(results.data(), kBlocks), cudaSuccess);
  const std::vector<uint64_t> found = results.values();
  const uint64_t sum = kThreads * (kThreads + 1) / 2;
  uint64_t exclusive = 0;
  for (uint64_t number = 1; number <= kThreads; ++number) exclusive ^= number;
  EXPECT_EQ(found[0], sum);
  EXPECT_EQ(found[1], 1'000'000 - kThreads);
  EXPECT_EQ(found[2], kThreads << 32);
  EXPECT_EQ(found[3], ~uint64_t{0});
  EXPECT_EQ(found[4], exclusive);
  EXPECT_EQ(found[5], 0xFFFF'0000'0000'0000U);
  EXPECT_EQ(found[6], sum);
  EXPECT_EQ(found[7], ~uint64_t{0});
  EXPECT_EQ(found[8], sum);
  EXPECT_EQ(found[9], kThreads);
  EXPECT_EQ(found[10], sum << 20);
  EXPECT_EQ(found[11], kThreads << 20);
  EXPECT_EQ(found[12] & 0xFFFFFFFF, (0 - kThreads) & 0xFFFFFFFF);
  EXPECT_EQ(found[12] >> 32, kThreads % 5);
  EXPECT_EQ(found[13] >> 32, 1U);
}

TEST_P(PtxOrders, ShareMemoryBetweenTheThreadsOfABlock) {
  std::vector<uint32_t> values(1000);
  std::iota(values.begin(), values.end(), 7U);
  const Device<uint32_t> device(values);
  const Device<uint64_t> sums(8);
  ASSERT_EQ(ptx_test::sum_blocks(device.data(), 1000, sums.data()), cudaSuccess);
  const std::vector<uint64_t> found = sums.values();
  for (std::size_t block = 0; block < 8; ++block) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(block * 128);
    const auto end = block == 7 ? values.end() : begin + 128;
    EXPECT_EQ(found[block], std::accumulate(begin, end, uint64_t{0}));
  }
}

TEST_P(PtxOrders, ReduceAtBarriers) {
  const Device<uint32_t> results(3);
  ASSERT_EQ(ptx_test::count_with_barriers(results.data()), cudaSuccess);
  EXPECT_EQ(results.values(), (std::vector<uint32_t>{34, 1, 1}));
}

TEST_P(PtxOrders, GiveEachThreadLocalMemoryOfItsOwn) {
  const Device<uint32_t> results(70);
  ASSERT_EQ(ptx_test::use_local_memory(results.data(), 70), cudaSuccess);
  const std::vector<uint32_t> found = results.values();
  for (uint32_t index = 0; index < 70; ++index) {
    uint32_t digits[16];
    for (uint32_t digit = 0; digit < 16; ++digit) digits[digit] = index * digit;
    digits[(index * 7) % 16] += 1000;
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit < 16; ++digit) sum += digits[(digit * index) % 16];
    EXPECT_EQ(found[index], sum);
  }
}

TEST_P(PtxOrders, ReachSharedAndLocalMemoryThroughGenericAddresses) {
  const Device<uint32_t> results(64);
  ASSERT_EQ(ptx_test::use_generic_addresses(results.data()), cudaSuccess);
  const std::vector<uint32_t> found = results.values();
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const bool even = lane % 2 == 0;
    const uint32_t shared = lane + (even ? 101 : 0);
    const uint32_t local = lane + lane % 4 + 1;
    EXPECT_EQ(found[32 + lane], shared + 1000 * local + (even ? 1'000'000 : 0) + 2'000'000) << lane;
    EXPECT_EQ(found[lane], even ? 0U : 101U);
  }
}

TEST_P(PtxOrders, CallFunctionsThatAreNotInlined) {
  const Device<uint64_t> results(200);
  ASSERT_EQ(ptx_test::call_functions(results.data(), 200), cudaSuccess);
  const std::vector<uint64_t> found = results.values();
  for (uint32_t index = 0; index < 200; ++index) {
    EXPECT_EQ(found[index], ptx_test::call_functions_on_host(index)) << index;
  }
}

TEST_P(PtxOrders, MoveVectors) {
  std::vector<uint32_t> values(128);
  std::iota(values.begin(), values.end(), 0U);
  const Device<uint32_t> from(values);
  const Device<uint32_t> to(128);
  ASSERT_EQ(ptx_test::copy_vectors(from.data(), to.data()), cudaSuccess);
  std::reverse(values.begin(), values.end());
  EXPECT_EQ(to.values(), values);
}

TEST_P(PtxOrders, LetBlocksWaitForEarlierBlocks) {
  constexpr uint32_t kBlocks = 300;
  const Device<uint32_t> state(kBlocks + 1);
  ASSERT_EQ(ptx_test::wait_for_earlier_blocks(state.data(), kBlocks), cudaSuccess);
  EXPECT_EQ(state.values().back(), kBlocks * (kBlocks + 1) / 2);
}

TEST_P(PtxOrders, LetThreadsTakeALockInTurn) {
  const Device<uint32_t> state(2);
  ASSERT_EQ(ptx_test::take_a_lock(state.data(), 3), cudaSuccess);
  EXPECT_EQ(state.values(), (std::vector<uint32_t>{0, 192}));
}

TEST_P(PtxOrders, StartKernelsWrittenWithChevrons) {
  const Device<uint32_t> results(100);
  ASSERT_EQ(ptx_test::launch_with_chevrons(results.data(), 100), cudaSuccess);
  std::vector<uint32_t> expected(100);
  std::iota(expected.begin(), expected.end(), 1U);
  EXPECT_EQ(results.values(), expected);
}

std::string order_name(const testing::TestParamInfo<ptx::Schedule>& schedule) {
  const char* const orders[] = {"Ascending", "Descending", "Random"};
  return orders[static_cast<int>(schedule.param.order)] + std::to_string(schedule.param.seed);
}

const ptx::Schedule kSchedules[] = {{.order = ptx::Order::ascending},
                                    {.order = ptx::Order::descending},
                                    {.order = ptx::Order::random, .seed = 1},
                                    {.order = ptx::Order::random, .seed = 2}};

INSTANTIATE_TEST_SUITE_P(All, PtxOrders, testing::ValuesIn(kSchedules), order_name);

TEST(PtxVariables, HaveTheirInitialValuesAndKeepWhatIsStored) {
  const Device<uint64_t> results(8);
  ASSERT_EQ(ptx_test::read_variables(results.data()), cudaSuccess);
  EXPECT_EQ(results.values(), (std::vector<uint64_t>{22, uint64_t(-1), 78, 6, 'e', 0, 5, 0}));
  ASSERT_EQ(ptx_test::read_variables(results.data()), cudaSuccess);
  EXPECT_EQ(results.values(), (std::vector<uint64_t>{22, uint64_t(-1), 79, 6, 'e', 1, 5, 0}));
}

class PtxFaults : public testing::Test {
 protected:
  void TearDown() override { ptx::set_schedule({}); }
  // The error is the launch's and the last error, the reason has the parts, and the next kernel works.
  static void expect_fault(cudaError_t found, cudaError_t expected, const std::vector<std::string>& parts) {
    EXPECT_EQ(found, expected);
    EXPECT_EQ(cudaPeekAtLastError(), expected);
    EXPECT_EQ(cudaGetLastError(), expected);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    for (const std::string& part : parts) EXPECT_TRUE(contains(ptx::last_fault(), part)) << ptx::last_fault();
    const Device<uint32_t> results(3);
    EXPECT_EQ(ptx_test::count_with_barriers(results.data()), cudaSuccess);
  }
};

TEST_F(PtxFaults, NameAnAccessBeyondAnAllocation) {
  const Device<uint32_t> memory(10);
  EXPECT_EQ(ptx_test::read_beyond(memory.data(), 9), cudaSuccess);
  expect_fault(ptx_test::read_beyond(memory.data(), 10), cudaErrorIllegalAddress,
               {"read_kernel", "ld.global.u32", "thread (0,0,0)", "4 bytes at 0x"});
}

TEST_F(PtxFaults, NameAnAccessToHostMemory) {
  uint32_t host = 0;
  expect_fault(ptx_test::read_beyond(&host, 0), cudaErrorIllegalAddress, {"outside every allocation"});
}

TEST_F(PtxFaults, NameAnAccessToMemoryThatWasFreed) {
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 64), cudaSuccess);
  ASSERT_EQ(ptx_test::read_beyond(static_cast<uint32_t*>(memory), 1), cudaSuccess);
  ASSERT_EQ(cudaFree(memory), cudaSuccess);
  expect_fault(ptx_test::read_beyond(static_cast<uint32_t*>(memory), 1), cudaErrorIllegalAddress, {"read_kernel"});
}

TEST_F(PtxFaults, AllowPinnedHostMemory) {
  void* memory = nullptr;
  ASSERT_EQ(cudaMallocHost(&memory, 64), cudaSuccess);
  static_cast<uint32_t*>(memory)[3] = 99;
  EXPECT_EQ(ptx_test::read_beyond(static_cast<uint32_t*>(memory), 3), cudaSuccess);
  EXPECT_EQ(static_cast<uint32_t*>(memory)[0], 99U);
  EXPECT_EQ(cudaFreeHost(memory), cudaSuccess);
}

TEST_F(PtxFaults, NameAMisalignedAccess) {
  const Device<uint32_t> memory(10);
  expect_fault(ptx_test::read_misaligned(memory.data()), cudaErrorIllegalAddress, {"misaligned", "misaligned_kernel"});
}

TEST_F(PtxFaults, NameAnAccessBeyondSharedMemory) {
  EXPECT_EQ(ptx_test::write_beyond_shared(7), cudaSuccess);
  expect_fault(ptx_test::write_beyond_shared(8), cudaErrorIllegalAddress, {"shared memory of 32 bytes", "st.volatile"});
  const Device<uint32_t> memory(2);
  EXPECT_EQ(ptx_test::read_beyond_dynamic_shared(memory.data(), 3, 32), cudaSuccess);
  expect_fault(ptx_test::read_beyond_dynamic_shared(memory.data(), 4, 32), cudaErrorIllegalAddress, {"ld.shared"});
}

TEST_F(PtxFaults, NameABarrierThatThreadsReachAtDifferentPlaces) {
  const Device<uint32_t> memory(3);
  expect_fault(ptx_test::skip_a_barrier(memory.data()), cudaErrorLaunchFailure, {"divergent barrier", "bar.sync"});
}

TEST_F(PtxFaults, NameAWarpOperationThatLanesReachAtDifferentPlaces) {
  const Device<uint32_t> memory(3);
  expect_fault(ptx_test::diverge_in_warp(memory.data()), cudaErrorLaunchFailure,
               {"divergent warp operation", "shfl.sync", "vote.sync"});
}

TEST_F(PtxFaults, NameADeadlock) {
  const Device<uint32_t> memory(3);
  expect_fault(ptx_test::wait_for_missing_lane(memory.data()), cudaErrorLaunchFailure, {"deadlock", "vote.sync"});
}

TEST_F(PtxFaults, NameATrapAndAFailedAssertion) {
  expect_fault(ptx_test::trap(), cudaErrorLaunchFailure, {"trap", "trap_kernel"});
  EXPECT_EQ(ptx_test::fail_assertion(4), cudaSuccess);
  expect_fault(ptx_test::fail_assertion(5), cudaErrorLaunchFailure, {"assertion \"value < 5\" failed", ".cu:"});
}

TEST_F(PtxFaults, NameAKernelThatHangs) {
  ptx::set_schedule({.patience = 100'000});
  const Device<uint32_t> flag(1);
  expect_fault(ptx_test::hang(flag.data()), cudaErrorLaunchFailure, {"hung", "hanging_kernel"});
}

TEST_F(PtxFaults, RefuseLaunchesThatAGpuRefuses) {
  const Device<uint32_t> memory(64);
  EXPECT_EQ(ptx_test::spin(memory.data(), 0, 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(ptx_test::use_local_memory(memory.data(), 1025), cudaErrorInvalidConfiguration);
  EXPECT_EQ(ptx_test::read_beyond_dynamic_shared(memory.data(), 0, 48 * 1024 + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(PtxFaults, ShowAMissingBarrierInTheValues) {
  const Device<uint32_t> results(64);
  std::vector<uint32_t> expected(64);
  for (uint32_t index = 0; index < 64; ++index) expected[index] = 63 - index;
  for (const ptx::Order order : {ptx::Order::ascending, ptx::Order::descending, ptx::Order::random}) {
    ptx::set_schedule({.order = order});
    ASSERT_EQ(ptx_test::forget_a_barrier(results.data()), cudaSuccess);
    EXPECT_NE(results.values(), expected);
  }
}

TEST_F(PtxFaults, ShowSharedMemoryThatWasNeverWritten) {
  const Device<uint32_t> results(64);
  std::vector<std::vector<uint32_t>> seen;
  for (const uint64_t seed : {1U, 2U, 1U}) {
    ptx::set_schedule({.seed = seed});
    ASSERT_EQ(ptx_test::leak_shared(results.data()), cudaSuccess);
    seen.push_back(results.values());
  }
  EXPECT_NE(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
  EXPECT_FALSE(std::equal(seen[0].begin(), seen[0].begin() + 32, seen[0].begin() + 32));
}

// Runs text written by hand; its one parameter is the address of `result`.
void run_text(const std::string& body, uint64_t* result) {
  ptx::Memory memory;
  const std::string text =
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry hand(.param .u64 p)\n{\n" + body + "\n}\n";
  ptx::Module module(text, memory);
  void* const device = memory.allocate(sizeof(uint64_t), ptx::Memory::Kind::device);
  *static_cast<uint64_t*>(device) = 0;
  const void* const argument = &device;
  uint64_t instructions = 0;
  const ptx::LaunchRequest request{ptx::Extent{}, ptx::Extent{}, 0, &argument, ptx::Schedule{}};
  ptx::run_grid(*module.kernel("hand"), memory, request, instructions);
  *result = *static_cast<const uint64_t*>(device);
}

std::string reason_of(const std::string& body) {
  try {
    uint64_t result = 0;
    run_text(body, &result);
  } catch (const ptx::Fault& fault) {
    return fault.what();
  }
  return "";
}

const char* const kRegisters = ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<3>;\n";

TEST(PtxText, IsAnErrorWhereAnUnknownInstructionIsReached) {
  const std::string registers = kRegisters;
  EXPECT_TRUE(contains(reason_of(registers + "frobnicate.b32 %r1, %r2;\nret;"), "frobnicate.b32 %r1, %r2;") ||
              contains(reason_of(registers + "frobnicate.b32 %r1, %r2;\nret;"), "frobnicate.b32 %r1, %r2"));
  for (const char* const text : {"add.cc.u32 %r1, %r2, %r3;", "mov.u32 %r1, %nonsense;", "add.sat.s32 %r1, %r2, %r3;",
                                 "ex2.approx.f32 %f1, %f2;", "add.rz.f32 %f1, %f1, %f2;", "ld.global.u32 %r1, %rd1;",
                                 "bar.arrive 0, 32;", "mul.lo.u32 %r1, %r2;"}) {
    EXPECT_TRUE(contains(reason_of(registers + text + "\nret;"), "not supported")) << text;
  }
  EXPECT_EQ(reason_of(registers + "bra $end;\nfrobnicate %r1;\n$end:\nret;"), "");
  EXPECT_EQ(reason_of(registers + "setp.eq.u32 %p1, 1, 2;\n@%p1 frobnicate %r1;\nret;"), "");
}

TEST(PtxText, RunsInstructionsThatTheCompilerSeldomEmits) {
  const auto result_of = [](const std::string& body) {
    uint64_t result = 0;
    run_text(std::string(kRegisters) + "ld.param.u64 %rd1, [p];\n" + body + "\nst.global.u64 [%rd1], %rd2;\nret;",
             &result);
    return result;
  };
  EXPECT_EQ(result_of("bfe.u32 %r1, 0xABCD1234, 8, 8;\ncvt.u64.u32 %rd2, %r1;"), 0x12U);
  EXPECT_EQ(result_of("bfe.s32 %r1, 0xABCD1234, 24, 8;\ncvt.s64.s32 %rd2, %r1;"), 0xFFFF'FFFF'FFFF'FFABU);
  EXPECT_EQ(result_of("bfi.b32 %r1, 0xF, 0, 4, 4;\ncvt.u64.u32 %rd2, %r1;"), 0xF0U);
  EXPECT_EQ(result_of("lop3.b32 %r1, 0xFF00, 0x0FF0, 0x00FF, 0x96;\ncvt.u64.u32 %rd2, %r1;"), 0xF00FU);
  EXPECT_EQ(result_of("bmsk.clamp.b32 %r1, 4, 8;\ncvt.u64.u32 %rd2, %r1;"), 0xFF0U);
  EXPECT_EQ(result_of("sad.s32 %r1, -5, 7, 100;\ncvt.u64.u32 %rd2, %r1;"), 112U);
  EXPECT_EQ(result_of("bfind.u32 %r1, 0x00010000;\ncvt.u64.u32 %rd2, %r1;"), 16U);
  EXPECT_EQ(result_of("prmt.b32 %r1, 0x00008000, 0, 0x9999;\ncvt.u64.u32 %rd2, %r1;"), 0xFFFFFFFFU);
  EXPECT_EQ(result_of("mad.hi.u32 %r1, 0x80000000, 6, 1;\ncvt.u64.u32 %rd2, %r1;"), 4U);
  EXPECT_EQ(result_of("mov.b32 %r1, 7;\nmov.b64 %rd2, {%r1, 9};"), (uint64_t{9} << 32) | 7);
  EXPECT_EQ(result_of("mov.u64 %rd2, 5;\n{ .reg .b64 %rd2;\nmov.u64 %rd2, 6; }"), 5U);
  EXPECT_EQ(result_of("setp.lt.and.s32 %p1|%p2, 1, 2, !%p3;\nselp.b64 %rd2, 1, 0, %p2;"), 0U);
  EXPECT_EQ(result_of("mov.u32 %r1, 2;\n$list: .branchtargets $a, $b, $c;\nbrx.idx %r1, $list;\n$a: mov.u64 %rd2, 1;\n"
                      "bra $end;\n$b: mov.u64 %rd2, 2;\nbra $end;\n$c: mov.u64 %rd2, 3;\n$end:"),
            3U);
  EXPECT_EQ(result_of("atom.global.cas.b64 %rd3, [%rd1], 0, 8;\nld.global.u64 %rd2, [%rd1];"), 8U);
}

TEST(PtxRuntime, DescribesTheDevice) {
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  cudaDeviceProp properties{};
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_STREQ(properties.name, "PTX interpreter on the CPU");
  EXPECT_EQ(properties.major * 10 + properties.minor, 75);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_STREQ(cudaGetErrorName(cudaGetLastError()), "cudaErrorInvalidDevice");
}

TEST(PtxRuntime, CanDoWithoutADevice) {
  ptx::set_device_count(0);
  int count = 42;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
  EXPECT_EQ(count, 42);
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaErrorNoDevice);
  EXPECT_EQ(ptx_test::trap(), cudaErrorNoDevice);
  ptx::set_device_count(1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNoDevice);
}

TEST(PtxRuntime, RunsOutOfMemoryAtTheLimit) {
  ptx::set_memory_limit(1000);
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total_bytes), cudaSuccess);
  EXPECT_EQ(total_bytes, 1000U);
  void* first = nullptr;
  void* second = nullptr;
  EXPECT_EQ(cudaMalloc(&first, 600), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, 401), cudaErrorMemoryAllocation);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaFree(first), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, 401), cudaSuccess);
  EXPECT_EQ(cudaFree(second), cudaSuccess);
  ptx::set_memory_limit(uint64_t{8} << 30);
}

TEST(PtxRuntime, ChecksBothSidesOfACopy) {
  const Device<uint32_t> memory(4);
  std::vector<uint32_t> host(8);
  EXPECT_EQ(cudaMemcpy(memory.data(), host.data(), 17, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), host.data() + 4, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(memory.data(), memory.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(host.data(), 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), memory.data(), 16, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaFree(host.data()), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST(PtxRuntime, KnowsItsStreamsAndEvents) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  cudaEvent_t start = nullptr;
  cudaEvent_t end = nullptr;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(start, stream), cudaSuccess);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(end, stream), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
  EXPECT_GE(milliseconds, 0);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

TEST(PtxRuntime, CountsWhatRan) {
  ptx::reset_stats();
  const Device<uint32_t> memory(64);
  ASSERT_EQ(ptx_test::spin(memory.data(), 256, 1000), cudaSuccess);
  const ptx::Stats stats = ptx::stats();
  EXPECT_EQ(stats.launches, 1U);
  EXPECT_GT(stats.instructions, 256U * 1000U);
  ASSERT_EQ(stats.kernels.size(), 1U);
  EXPECT_TRUE(contains(*stats.kernels.begin(), "spin_kernel"));
}

TEST(PtxRuntime, ServesSeveralHostThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int worker = 0; worker < 4; ++worker) {
    threads.emplace_back([worker] {
      for (int round = 0; round < 20; ++round) {
        const Device<uint64_t> results(200);
        ASSERT_EQ(ptx_test::call_functions(results.data(), 200), cudaSuccess);
        EXPECT_EQ(results.values()[150], ptx_test::call_functions_on_host(150));
        if (worker == 0) {
          EXPECT_EQ(ptx_test::trap(), cudaErrorLaunchFailure);
          EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
        } else {
          EXPECT_EQ(cudaGetLastError(), cudaSuccess);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
