// Runs the threads of one block at a time on the calling thread of the operating system.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cuda_on_cpu/shim/collective.hpp"
#include "cuda_on_cpu/shim/fiber.hpp"
#include "cuda_on_cpu/shim/limits.hpp"
#include "cuda_on_cpu/shim/settings.hpp"
#include "cuda_on_cpu/shim/shared_memory.hpp"

namespace simt {

// What every CUDA thread of a launch does.
struct Body {
  void (*run)(void*) = nullptr;
  void* argument = nullptr;
};

// One per thread of the operating system. CUDA threads run to their end one after the other on the same fiber;
// only a thread that has to wait keeps its fiber, and the next one gets another.
class Scheduler {
 public:
  static Scheduler& of_this_thread();
  static Scheduler* running();  // null outside kernels

  Scheduler() = default;
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // `block` and `grid` have at least one thread and block.
  void begin_grid(dim3 grid, dim3 block, const Body& body, const Schedule& schedule);
  void run_block(uint3 block);
  Stats end_grid();

  // For the CUDA thread that calls.
  int barrier(bool predicate, const Site& where);
  std::uint64_t collective(Collective kind, std::uint32_t mask, std::uint64_t value, int argument, int width,
                           const Site& where);
  void maybe_pause();

  SharedMemory& shared_memory() { return shared_memory_; }

 private:
  struct Warp {
    std::uint32_t live = 0;
    std::uint32_t waiting = 0;  // in collectives
  };

  static void fiber_main() noexcept;
  void start_next_lane();
  void exit_lane();
  void retire_fiber();

  void wait();
  Fiber& next_fiber();
  Fiber& idle_fiber();
  void make_runnable(Lane& lane);
  Lane& take_runnable();
  template <class Wanted>
  void wake(std::span<Lane> lanes, Wanted wanted);
  std::uint64_t random();

  void release_barrier();
  void complete_collective(Lane& lane);
  std::span<Lane> warp_of(const Lane& lane);
  [[noreturn]] void report_deadlock();

  // What all threads of a grid share.
  Body body_;
  Schedule schedule_;
  Stats stats_;

  // The running block.
  std::vector<Lane> lanes_;
  std::vector<unsigned> start_order_;
  std::size_t started_ = 0;
  std::vector<Warp> warps_;
  unsigned live_ = 0;
  unsigned at_barrier_ = 0;
  int predicates_ = 0;  // that were true among the threads at the barrier
  Site barrier_site_;
  std::uint64_t random_state_ = 0;
  SharedMemory shared_memory_;

  // A ring of the lanes that have a fiber and can go on.
  std::array<Lane*, kBlockThreads> runnable_{};
  std::size_t runnable_begin_ = 0;
  std::size_t runnable_count_ = 0;

  Lane* current_ = nullptr;
  Fiber own_;  // of the caller of run_block()
  Fiber* fiber_ = &own_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
  bool closing_ = false;
};

}  // namespace simt
