#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "spineweave/error.hpp"
#include "spineweave/workload.hpp"
#include "workload/turn_meetings.hpp"

namespace spineweave {
namespace {

constexpr std::uint64_t kPhaseLengthNs = 1;  // all alike

std::uint32_t count_turns(const Job& job) {
  std::uint32_t turns = 0;
  for (std::size_t c = 0; c < job.collectives.size(); ++c)
    if (c == 0 || job.collectives[c].turn != job.collectives[c - 1].turn) ++turns;
  return turns;
}

void refuse_too_many(std::uint32_t jobs, std::uint32_t most_turns) {
  const std::uint64_t phases = TurnMeetings::count_phases(jobs, most_turns);
  if (phases <= kMostPhases) return;
  throw Error(ErrorCode::bad_input,
              fmt::format("{} jobs of up to {} turns need {} phases, so that any two turns meet; expected at most {}: "
                          "declare phases, which say who communicates together",
                          jobs, most_turns, phases, kMostPhases));
}

// Adds the job's turns to `jobs`.
void split(Job job, std::uint32_t number, const TurnMeetings& meetings, std::vector<Job>& jobs) {
  const std::uint32_t turns = count_turns(job);
  std::vector<Collective> collectives = std::exchange(job.collectives, {});
  std::uint32_t turn = 0;
  for (std::size_t begin = 0, end = 0; begin < collectives.size(); begin = end, ++turn) {
    const std::uint32_t name = collectives[begin].turn;
    Job& part = jobs.emplace_back(job);
    part.id = fmt::format("{}/{}", job.id, name);
    part.phase_mask = meetings.mask(number, turn, turns);
    for (; end < collectives.size() && collectives[end].turn == name; ++end)
      part.collectives.push_back(std::move(collectives[end]));
  }
}

}  // namespace

Workload separate_turns(Workload workload) {
  std::uint32_t most_turns = 0, split_jobs = 0;
  for (const Job& job : workload.jobs) {
    const std::uint32_t turns = count_turns(job);
    most_turns = std::max(most_turns, turns);
    if (turns > 1) ++split_jobs;
  }
  if (!workload.phases.empty() || split_jobs == 0) return workload;

  refuse_too_many(split_jobs, most_turns);
  const TurnMeetings meetings(split_jobs, most_turns);
  for (std::uint32_t p = 0; p < meetings.num_phases(); ++p)
    workload.phases.push_back({fmt::format("{}", p), kPhaseLengthNs});
  std::uint32_t number = 0;
  for (Job& job : std::exchange(workload.jobs, {})) {
    if (count_turns(job) > 1) {
      split(std::move(job), number++, meetings, workload.jobs);
    } else {
      workload.jobs.push_back(std::move(job));
    }
  }
  return workload;
}

}  // namespace spineweave
