// What is known of jobs' times while they are played.
#pragma once

#include <cstdint>
#include <vector>

#include "simulate/forecast.hpp"
#include "simulate/playback.hpp"
#include "simulate/scenario.hpp"

namespace spineweave {

class JobClock {
 public:
  // Both must outlive it.
  JobClock(const Scenario& scenario, const Playback& playback) : scenario_(scenario), playback_(playback) {}

  // [jobs] for a forecast: each turn as it was the last time, or else as it would be alone.
  [[nodiscard]] std::vector<JobTimes> job_times(std::uint64_t now) const;
  // Of a turn that takes `turn_ns` as a whole: as much as its slowest collective has left, and all of it where it is
  // not under way.
  [[nodiscard]] std::uint64_t left_ns(TurnId turn, std::uint64_t turn_ns, std::uint64_t now) const;

 private:
  const Scenario& scenario_;
  const Playback& playback_;
};

}  // namespace spineweave
