// Launch shapes. Every result is the same for every choice of them; tests run several.
#pragma once

#include <cstddef>

namespace spineweave::gpu {

inline constexpr unsigned kWarp = 32;
// Threads that a multiprocessor holds at once with 64 registers each: what kernels ask for whose state
// would spill into memory with fewer.
inline constexpr unsigned kResidentThreads = 1024;
inline constexpr unsigned kMostGridRows = 65535;  // of a grid's second dimension

struct Tuning {
  // Threads of a block: 64, 128 or 256. Kernels use few registers and, but for private loads, little
  // shared memory, so that 128 keeps every multiprocessor full on all architectures.
  unsigned block = 128;
  // Loads are summed in a block's shared memory where one routing's fit into this; more than the 48 KiB
  // that every device grants would leave room for too few blocks at once.
  std::size_t private_load_bytes = 48 * 1024;
  // Of flows a thread adds to a private copy before it is worth its flush.
  unsigned flows_per_thread = 8;
  // Device memory that a batch of whole routings may take at once.
  std::size_t batch_bytes = std::size_t{256} << 20U;
};

}  // namespace spineweave::gpu
