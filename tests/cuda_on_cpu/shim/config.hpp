// What tests set and read: the order in which CUDA threads run, the device to pretend, the faults to
// simulate, and counts of what ran. All of it is global and may be used from several threads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt {

// Order in which blocks, and the threads that can go on within a block, are taken.
enum class Order { ascending, descending, random };

struct Schedule {
  Order order = Order::ascending;
  // Decides random orders, and in every order the garbage that memory holds at first.
  std::uint64_t seed = 1;
  // Chance, in random order, that a thread pauses before an atomic or a fence.
  unsigned preempt_permille = 0;
};

// Takes effect at the next launch or allocation.
void set_schedule(const Schedule& schedule);
[[nodiscard]] Schedule schedule();

// Bytes that all allocations of device memory may have together.
inline constexpr std::size_t kDefaultMemoryLimit = std::size_t{8} << 30;
void set_memory_limit(std::size_t bytes);
[[nodiscard]] std::size_t memory_limit();

// Without a device every runtime call reports cudaErrorNoDevice. 1 unless set.
void set_device_count(int count);
[[nodiscard]] int device_count();

// The n-th launch from now (1 is the next) does nothing and returns cudaErrorLaunchFailure; 0 calls that off.
void fail_launch(unsigned n);

// Since the start of the program; a barrier counts once per block, a collective once per group of lanes.
struct Stats {
  std::uint64_t threads = 0;
  std::uint64_t launches = 0;
  std::uint64_t barriers = 0;
  std::uint64_t collectives = 0;
};
[[nodiscard]] Stats stats();

}  // namespace simt
