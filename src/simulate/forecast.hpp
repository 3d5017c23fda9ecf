// Which jobs will communicate together, as far as their own times tell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spineweave/types.hpp"

namespace spineweave {

// What is known of a job's times.
struct JobTimes {
  bool communicates = false;
  std::uint64_t left_ns = 0;        // of the present communication, where it communicates
  std::uint64_t next_epoch_ns = 0;  // where it does not: when the next one starts
  std::uint64_t allreduce_ns = 0;   // a whole communication
  std::uint64_t compute_ns = 0;     // between two
  std::uint32_t epochs = 0;         // that are still to start
};

struct Forecast {
  struct Phase {
    std::vector<bool> jobs;  // [jobs]
    std::uint64_t length_ns = 0;
  };
  std::vector<Phase> phases;          // in the order of time; no set within another
  std::vector<std::uint32_t> epochs;  // [jobs] that start before the horizon
};

inline constexpr std::size_t kMostPhases = 64;

// Who communicates from `now` on, for `horizon_ns`, if every job keeps its times. The time in which only some of a
// set communicate counts as that set's. Where there are more than kMostPhases sets, all but the longest become one,
// which asks for more than will ever happen at once.
// O(communications x (log communications + jobs / 64)).
[[nodiscard]] Forecast forecast(std::span<const JobTimes> jobs, std::uint64_t now, std::uint64_t horizon_ns);

}  // namespace spineweave
