// Runs a kernel over all blocks of a grid.
#pragma once

#include <cstdint>

#include "cuda_on_cpu/ptx/block.hpp"

namespace ptx {

struct LaunchRequest {
  Extent grid;
  Extent block;
  std::uint32_t dynamic_shared_bytes = 0;
  const void* const* arguments = nullptr;
  Schedule schedule;
};

// Counts the instructions that ran into `instructions`, also where it throws Fault.
void run_grid(const Kernel& kernel, const Memory& memory, const LaunchRequest& request, std::uint64_t& instructions);

}  // namespace ptx
