// Sets of turns that communicate together, and what happens where one holds several turns of a job.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulate/traffic.hpp"

namespace spineweave {

struct TurnPhase {
  std::vector<bool> turns;  // [turns of all jobs]
  std::uint64_t length_ns = 0;
};

// A job is in one turn at a time. Where a set holds several of one, they are those that it may be in: it becomes
// phases in which each job is in one of them, and any two turns of different jobs meet. Where that takes more than
// `kMostPhases`, it stays one, which asks for more than will ever happen at once.
// `turn_begin`: [jobs + 1], as in Traffic.
[[nodiscard]] std::size_t count_phases(const TurnPhase& set, std::span<const TurnId> turn_begin);
[[nodiscard]] std::vector<TurnPhase> separate_turns(TurnPhase set, std::span<const TurnId> turn_begin);

}  // namespace spineweave
