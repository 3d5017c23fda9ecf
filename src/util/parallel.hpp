// Parallel loops over fixed-size chunks: the split never depends on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace spineweave::util {

// Calls body(begin, end) for each chunk of [0, count), in parallel and in no order. Runs in the arena
// of the ThreadScope that lives; without one, on as many threads as the machine has.
void parallel_chunks(std::size_t count, std::size_t chunk, const std::function<void(std::size_t, std::size_t)>& body);

}  // namespace spineweave::util
