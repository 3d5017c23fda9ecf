// One CUDA thread: its frames, its local memory and where it stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda_on_cpu/ptx/instruction.hpp"

namespace ptx {

class Thread {
 public:
  enum class Wait { none, barrier, warp, ended };

  // Starts anew at the top of the kernel; memory of an earlier life is reused.
  void start(const Function& entry, std::uint32_t index);

  std::uint64_t* frame() { return slots_.data() + frame_begin_; }
  const Function& function() const { return *function_; }
  std::vector<std::byte>& local_memory() { return local_; }
  std::uint64_t frame_memory() const { return local_begin_; }

  // Both throw Fault. `enter` copies the arguments, `leave` the results; `leave` resumes at `position`.
  void enter(const Kernel& kernel, const CallSite& site);
  void leave();

  std::uint32_t index = 0;  // in the block
  std::uint32_t position = 0;
  Wait wait = Wait::none;
  const Instruction* waits_at = nullptr;

 private:
  struct Caller {
    const Function* function;
    const CallSite* site;
    std::size_t frame_begin;
    std::uint64_t local_begin;
    std::uint32_t position;
  };

  const Function* function_ = nullptr;
  std::vector<std::uint64_t> slots_;
  std::vector<std::byte> local_;
  std::vector<Caller> callers_;
  std::size_t frame_begin_ = 0;
  std::uint64_t local_begin_ = 0;
};

}  // namespace ptx
