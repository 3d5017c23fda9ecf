#include "workload/turn_meetings.hpp"

namespace spineweave {
namespace {

constexpr std::uint64_t least_prime_factor(std::uint64_t number) {
  std::uint64_t factor = 2;
  while (number % factor != 0) ++factor;
  return factor;
}

}  // namespace

std::uint64_t TurnMeetings::count_phases(std::uint64_t jobs, std::uint64_t most_turns) {
  const std::uint64_t base = least_prime_factor(most_turns);
  std::uint64_t phases = most_turns;
  for (std::uint64_t place = 1; place < jobs; place *= base) phases += most_turns * (most_turns - 1);
  return phases;
}

TurnMeetings::TurnMeetings(std::uint64_t jobs, std::uint64_t most_turns)
    : turns_(most_turns), base_(least_prime_factor(most_turns)) {
  for (std::uint64_t turn = 0; turn < turns_; ++turn) choices_.push_back({1, turn, 0});
  for (std::uint64_t place = 1; place < jobs; place *= base_)
    for (std::uint64_t stride = 1; stride < turns_; ++stride)
      for (std::uint64_t start = 0; start < turns_; ++start) choices_.push_back({place, start, stride});
}

std::uint64_t TurnMeetings::mask(std::uint64_t job, std::uint64_t turn, std::uint64_t turns) const {
  std::uint64_t mask = 0;
  for (std::size_t p = 0; p < choices_.size(); ++p) {
    const Choice& choice = choices_[p];
    const std::uint64_t taken = (choice.start + job / choice.place % base_ * choice.stride) % turns_;
    if (taken % turns == turn) mask |= std::uint64_t{1} << p;
  }
  return mask;
}

}  // namespace spineweave
