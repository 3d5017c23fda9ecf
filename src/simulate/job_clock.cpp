#include "simulate/job_clock.hpp"

#include <algorithm>

namespace spineweave {
namespace {

constexpr std::uint64_t kParts = 1U << 16U;  // in which what is left of a turn is told

}  // namespace

std::vector<JobTimes> JobClock::job_times(std::uint64_t now) const {
  const Traffic& traffic = scenario_.traffic;
  std::vector<JobTimes> times(scenario_.schedules.size());
  for (JobId job = 0; job < times.size(); ++job) {
    JobTimes& time = times[job];
    time.communicates = playback_.job_communicates(job);
    time.next_epoch_ns = playback_.epoch_start_ns(job);
    time.compute_ns = scenario_.schedules[job].compute_ns;
    time.epochs = playback_.epochs_to_start(job);
    for (TurnId turn = traffic.turn_begin[job]; turn < traffic.turn_begin[job + 1]; ++turn) {
      const std::uint64_t last_ns = playback_.last_turn_ns(turn);
      time.turn_ns.push_back(last_ns > 0 ? last_ns : scenario_.ideal_ns[turn]);
      if (!playback_.is_under_way(turn)) continue;
      time.turn = turn - traffic.turn_begin[job];
      time.left_ns = left_ns(turn, time.turn_ns.back(), now);
    }
  }
  return times;
}

std::uint64_t JobClock::left_ns(TurnId turn, std::uint64_t turn_ns, std::uint64_t now) const {
  if (!playback_.is_under_way(turn)) return turn_ns;
  const TurnTraffic& collectives = scenario_.traffic.turns[turn];
  Volume left = 0, whole = 0;
  for (CollectiveId id = collectives.first; id < collectives.last; ++id) {
    whole = std::max(whole, playback_.whole(id));
    if (playback_.communicates(id)) left = std::max(left, playback_.left(id, now));
  }
  const auto parts = static_cast<std::uint64_t>(left / (whole / kParts + 1));
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(Volume{turn_ns} * parts / kParts));
}

}  // namespace spineweave
