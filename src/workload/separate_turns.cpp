#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "spineweave/error.hpp"
#include "spineweave/workload.hpp"

namespace spineweave {
namespace {

constexpr std::uint64_t kMostPhases = 64;
constexpr std::uint64_t kPhaseLengthNs = 1;  // all alike

std::uint32_t count_turns(const Job& job) {
  std::uint32_t turns = 0;
  for (std::size_t c = 0; c < job.collectives.size(); ++c)
    if (c == 0 || job.collectives[c].turn != job.collectives[c - 1].turn) ++turns;
  return turns;
}

constexpr std::uint64_t least_prime_factor(std::uint64_t number) {
  std::uint64_t factor = 2;
  while (number % factor != 0) ++factor;
  return factor;
}

// Which of its T turns each job takes in each phase: first all the same one; then, for each digit of the jobs' numbers,
// each start and each stride, turn (start + digit * stride) mod T. Digits are below the least prime factor of T, so
// that where those of two jobs differ, the difference has an inverse, and any two of their turns meet (an orthogonal
// array: Rao, "Factorial Experiments Derivable from Combinatorial Arrangements of Arrays", 1947).
class Meetings {
 public:
  Meetings(std::uint64_t jobs, std::uint64_t most_turns) : turns_(most_turns), base_(least_prime_factor(most_turns)) {
    std::uint64_t phases = turns_;
    for (std::uint64_t place = 1; place < jobs; place *= base_) phases += turns_ * (turns_ - 1);
    if (phases > kMostPhases)
      throw Error(
          ErrorCode::bad_input,
          fmt::format("{} jobs of up to {} turns need {} phases, so that any two turns meet; expected at most {}: "
                      "declare phases, which say who communicates together",
                      jobs, turns_, phases, kMostPhases));
    for (std::uint64_t turn = 0; turn < turns_; ++turn) choices_.push_back({1, turn, 0});
    for (std::uint64_t place = 1; place < jobs; place *= base_)
      for (std::uint64_t stride = 1; stride < turns_; ++stride)
        for (std::uint64_t start = 0; start < turns_; ++start) choices_.push_back({place, start, stride});
  }

  [[nodiscard]] std::size_t num_phases() const { return choices_.size(); }

  // The phases in which the job with this number takes this one of its turns.
  [[nodiscard]] std::uint64_t mask(std::uint64_t job, std::uint64_t turn, std::uint64_t turns) const {
    std::uint64_t mask = 0;
    for (std::size_t p = 0; p < choices_.size(); ++p) {
      const Choice& choice = choices_[p];
      const std::uint64_t taken = (choice.start + job / choice.place % base_ * choice.stride) % turns_;
      if (taken % turns == turn) mask |= std::uint64_t{1} << p;
    }
    return mask;
  }

 private:
  struct Choice {
    std::uint64_t place = 1;  // of the digit: a power of the base
    std::uint64_t start = 0, stride = 0;
  };
  std::uint64_t turns_;
  std::uint64_t base_;
  std::vector<Choice> choices_;  // [phases]
};

// Adds the job's turns to `jobs`.
void split(Job job, std::uint32_t number, const Meetings& meetings, std::vector<Job>& jobs) {
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

  const Meetings meetings(split_jobs, most_turns);
  for (std::size_t p = 0; p < meetings.num_phases(); ++p)
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
