// What a test may set and ask of the stand-in runtime. Safe to call from any thread.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace ptx {

// The order in which the blocks of a grid, the warps of a block and the threads of a warp run.
enum class Order { ascending, descending, random };

struct Schedule {
  Order order = Order::ascending;
  std::uint64_t seed = 0;  // for the random order, and for what shared memory holds at the start of a block
  // Instructions that a grid may run without any thread ending or passing a barrier; then it counts as hung.
  std::uint64_t patience = 4'000'000'000;
};

void set_schedule(const Schedule& schedule);

// What cudaMemGetInfo reports as the size of the device; cudaMalloc fails beyond it.
void set_memory_limit(std::uint64_t bytes);

// With 0, cudaGetDeviceCount returns cudaErrorNoDevice and leaves its argument alone.
void set_device_count(int count);

struct Stats {
  std::uint64_t launches = 0;
  std::uint64_t instructions = 0;
  std::set<std::string> kernels;  // mangled names of those that ran
};

Stats stats();
void reset_stats();

// Why the last launch that failed did so; empty if none has.
std::string last_fault();

}  // namespace ptx
