// What only a device can tell: its name, its ceilings, and the time of kernels by its own clock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spineweave/evaluator.hpp"

namespace spineweave::perf {

struct DeviceInfo {
  std::string name, compute, driver, runtime, compiler;
  std::uint32_t multiprocessors = 0;
  std::uint64_t memory_bytes = 0, cache_bytes = 0;
};
// Throws Error{backend_unavailable} without a usable device.
[[nodiscard]] DeviceInfo describe_device();

// Bytes in a second, one figure a repetition. Each checks what it copied or read.
struct Ceilings {
  std::vector<double> copy;    // device memory to device memory, reads and writes both counted
  std::vector<double> shared;  // reads of shared memory, all multiprocessors together
};
[[nodiscard]] Ceilings measure_ceilings(std::uint32_t repetitions);

// Times are of the device's work alone, between two events in one stream; nothing crosses the bus.
struct TimedScoring {
  std::vector<double> us;
  std::vector<BestMove> moves;  // [num_flows]
};
[[nodiscard]] TimedScoring time_scoring(const Problem& problem, const Routing& routing, unsigned block,
                                        std::uint32_t repetitions);

struct TimedRoutings {
  std::vector<double> us;
  std::vector<Score> scores;
};
[[nodiscard]] TimedRoutings time_routings(const Problem& problem, std::span<const PathIndex> routings,
                                          std::uint32_t num_routings, std::uint32_t repetitions);

}  // namespace spineweave::perf
