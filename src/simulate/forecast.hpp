// Which jobs will communicate together, and in which of their turns, as far as their own times tell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulate/turn_phases.hpp"

namespace spineweave {

// What is known of a job's times.
struct JobTimes {
  bool communicates = false;
  std::uint32_t turn = 0;              // where it communicates: which one of its turns it is in
  std::uint64_t left_ns = 0;           // of that
  std::uint64_t next_epoch_ns = 0;     // where it does not: when the next epoch starts
  std::vector<std::uint64_t> turn_ns;  // each turn as a whole
  std::uint64_t compute_ns = 0;        // between two epochs
  std::uint32_t epochs = 0;            // that are still to start
};

struct Forecast {
  std::vector<TurnPhase> phases;      // in the order of time; no set within another
  std::vector<std::uint32_t> starts;  // [turns] how often each one starts before the horizon
};

// Who communicates from `now` on, for `horizon_ns`, if every job keeps its times. The time in which only some of a
// set communicate counts as that set's. Where there are more than kMostPhases sets, all but the longest become one,
// of whose jobs each may be in any of its turns there.
// O(communications x (log communications + turns / 64)).
[[nodiscard]] Forecast forecast(std::span<const JobTimes> jobs, std::uint64_t now, std::uint64_t horizon_ns);

}  // namespace spineweave
