// Phases in which jobs take one of their turns each, so that any two turns of different jobs meet in one of them.
#pragma once

#include <cstdint>
#include <vector>

namespace spineweave {

// First all jobs take the same turn; then, for each digit of the jobs' numbers, each start and each stride, turn
// (start + digit * stride) mod T. Digits are below the least prime factor of T, so that where those of two jobs
// differ, the difference has an inverse, and any two of their turns meet (an orthogonal array: Rao, "Factorial
// Experiments Derivable from Combinatorial Arrangements of Arrays", 1947).
class TurnMeetings {
 public:
  // `most_turns`: 2 at least. How many phases it takes: with more than kMostPhases there are no meetings to be had.
  [[nodiscard]] static std::uint64_t count_phases(std::uint64_t jobs, std::uint64_t most_turns);

  TurnMeetings(std::uint64_t jobs, std::uint64_t most_turns);

  [[nodiscard]] std::uint32_t num_phases() const { return static_cast<std::uint32_t>(choices_.size()); }

  // The phases in which the job with this number takes this one of its turns.
  [[nodiscard]] std::uint64_t mask(std::uint64_t job, std::uint64_t turn, std::uint64_t turns) const;

 private:
  struct Choice {
    std::uint64_t place = 1;  // of the digit: a power of the base
    std::uint64_t start = 0, stride = 0;
  };
  std::uint64_t turns_;
  std::uint64_t base_;
  std::vector<Choice> choices_;  // [phases]
};

}  // namespace spineweave
