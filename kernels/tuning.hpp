// Launch shapes. Every result is the same for every choice of them; tests run several.
#pragma once

#include <cstddef>

namespace spineweave::gpu {

inline constexpr unsigned kWarp = 32;
// Threads that a multiprocessor holds at once with 64 registers each: what kernels ask for whose state
// would spill into memory with fewer.
inline constexpr unsigned kResidentThreads = 1024;

struct Tuning {
  // Threads of a block: 64, 128 or 256. Kernels use few registers and, but for private loads, little
  // shared memory, so that 128 keeps every multiprocessor full on all architectures.
  unsigned block = 128;
  // One block sums a routing's loads in its shared memory where they fit into this; more than the 48 KiB
  // that every device grants would leave room for too few blocks at once.
  std::size_t private_load_bytes = 48 * 1024;
  // For so many routings at least: with fewer, one block for each would leave the device idle.
  unsigned private_routings = 32;
  // Routings that one launch takes: the limit of a grid's second dimension.
  unsigned grid_rows = 65535;
  // Device memory that a batch of whole routings may take at once.
  std::size_t batch_bytes = std::size_t{256} << 20U;
};

}  // namespace spineweave::gpu
