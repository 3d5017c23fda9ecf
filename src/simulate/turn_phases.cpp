#include "simulate/turn_phases.hpp"

#include <algorithm>
#include <utility>

#include "workload/turn_meetings.hpp"

namespace spineweave {
namespace {

// The jobs that have several turns in the set, with these turns.
std::vector<std::vector<TurnId>> jobs_in_several_turns(const TurnPhase& set, std::span<const TurnId> turn_begin) {
  std::vector<std::vector<TurnId>> jobs;
  std::vector<TurnId> turns;
  for (JobId job = 0; job + 1 < turn_begin.size(); ++job) {
    turns.clear();
    for (TurnId turn = turn_begin[job]; turn < turn_begin[job + 1]; ++turn)
      if (set.turns[turn]) turns.push_back(turn);
    if (turns.size() > 1) jobs.push_back(turns);
  }
  return jobs;
}

std::size_t most_turns(const std::vector<std::vector<TurnId>>& jobs) {
  return std::ranges::max_element(jobs, {}, &std::vector<TurnId>::size)->size();
}

std::size_t count_phases_of(const std::vector<std::vector<TurnId>>& jobs) {
  if (jobs.empty()) return 1;
  const std::uint64_t phases = TurnMeetings::count_phases(jobs.size(), most_turns(jobs));
  return phases <= kMostPhases ? static_cast<std::size_t>(phases) : 1;
}

}  // namespace

std::size_t count_phases(const TurnPhase& set, std::span<const TurnId> turn_begin) {
  return count_phases_of(jobs_in_several_turns(set, turn_begin));
}

std::vector<TurnPhase> separate_turns(TurnPhase set, std::span<const TurnId> turn_begin) {
  const auto jobs = jobs_in_several_turns(set, turn_begin);
  const std::size_t num_phases = count_phases_of(jobs);
  if (num_phases == 1) return {std::move(set)};
  const TurnMeetings meetings(jobs.size(), most_turns(jobs));
  set.length_ns = std::max<std::uint64_t>(1, set.length_ns / num_phases);
  std::vector<TurnPhase> phases(num_phases, set);
  for (std::size_t number = 0; number < jobs.size(); ++number) {
    const std::vector<TurnId>& turns = jobs[number];
    for (std::size_t place = 0; place < turns.size(); ++place) {
      const std::uint64_t mask = meetings.mask(number, place, turns.size());
      for (std::size_t p = 0; p < num_phases; ++p) phases[p].turns[turns[place]] = (mask >> p & 1U) != 0;
    }
  }
  return phases;
}

}  // namespace spineweave
