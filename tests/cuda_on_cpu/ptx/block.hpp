// One block that is resident: its threads, its warps and its shared memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cuda_on_cpu/ptx/control.hpp"
#include "cuda_on_cpu/ptx/instruction.hpp"
#include "cuda_on_cpu/ptx/memory.hpp"
#include "cuda_on_cpu/ptx/thread.hpp"

namespace ptx {

struct Extent {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
  std::uint64_t size() const { return std::uint64_t{x} * y * z; }
};

// The same for all blocks of a launch.
struct LaunchContext {
  const Kernel& kernel;
  const Memory& memory;
  Schedule schedule;
  Extent grid;
  Extent block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;
  std::vector<Memory::Range> ranges;  // [num_instructions] the allocation that each used last
  std::uint64_t instructions = 0;
  std::uint64_t random_state = 0;

  std::uint64_t random();  // the next of a sequence that the seed fixes
};

Space space_of(std::uint64_t generic_address);

class Block {
 public:
  enum class Progress { ended, some, none };

  void start(LaunchContext& context, std::uint64_t index);
  // Gives every thread that can run a turn. Throws Fault.
  Progress run_round();
  std::uint64_t footprint_bytes() const;

 private:
  struct Warp {
    std::uint32_t live = 0;                 // lanes that have not ended
    std::uint32_t ready = 0;                // lanes that can run
    std::uint32_t waiting = 0;              // lanes at a warp operation
    std::array<std::uint32_t, 32> masks{};  // of the operation at which each lane waits
  };

  void set_special_registers(Thread& thread);
  void run_warp(std::uint32_t warp);
  void run_lane(std::uint32_t warp, std::uint32_t lane);
  void run_thread(Thread& thread, std::uint64_t limit);
  std::uint64_t turn_length();
  bool preempts();

  std::byte* locate(Thread& thread, const Instruction& instruction, std::uint64_t bytes);
  std::byte* locate_in(std::vector<std::byte>& memory, const Thread& thread, const Instruction& instruction,
                       const char* name, std::uint64_t address, std::uint64_t bytes) const;
  std::byte* locate_global(const Thread& thread, const Instruction& instruction, std::uint64_t address,
                           std::uint64_t bytes);
  void load(Thread& thread, const Instruction& instruction);
  void store(Thread& thread, const Instruction& instruction);
  void update(Thread& thread, const Instruction& instruction);
  [[noreturn]] void fail_assertion(Thread& thread, const Instruction& instruction);

  bool resolve_warp(std::uint32_t warp);
  bool agrees(std::uint32_t warp, std::uint32_t lane, std::uint32_t needed);
  void resolve_operation(std::uint32_t warp, std::uint32_t lanes, const Instruction& instruction);
  void shuffle(std::uint32_t warp, std::uint32_t lanes, const Instruction& instruction);
  void vote(std::uint32_t warp, std::uint32_t lanes, const Instruction& instruction);
  void match(std::uint32_t warp, std::uint32_t lanes, const Instruction& instruction);
  void resolve_barriers();
  void resolve_barrier(std::uint32_t barrier);
  [[noreturn]] void fail_deadlock() const;

  Thread& lane_thread(std::uint32_t warp, std::uint32_t lane) { return threads_[warp * 32 + lane]; }
  std::string describe(const Thread& thread, const Instruction& instruction) const;
  [[noreturn]] void fail(const Thread& thread, const Instruction& instruction, const std::string& what) const;
  [[noreturn]] void fail_access(const Thread& thread, const Instruction& instruction, const std::string& what,
                                std::uint64_t address, std::uint64_t bytes) const;

  LaunchContext* context_ = nullptr;
  Extent position_;  // in the grid
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  std::vector<std::uint32_t> warp_order_;
  std::vector<std::byte> shared_;
  std::uint32_t num_live_ = 0;
  std::array<std::uint32_t, 16> arrived_{};  // threads at each barrier
  bool has_progress_ = false;                // in this round a thread ended or passed a barrier
  bool is_stuck_ = false;                    // in this round no thread could do anything
};

}  // namespace ptx
