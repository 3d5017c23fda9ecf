// Which moves of a round are kept: those whose cells no earlier kept move changes.
#pragma once

#include <cstdint>

#include "device_buffer.cuh"
#include "order_moves.hpp"
#include "tuning.hpp"

namespace spineweave::gpu {

// Who has claimed each cell. Rounds and turns only ever count on, so that nothing is wiped in between.
struct ClaimBoard {
  explicit ClaimBoard(std::uint32_t num_cells) : claims(num_cells), taken(num_cells), open(1) {}
  void clear(cudaStream_t stream) {
    claims.fill_bytes(0xff, stream), taken.fill_bytes(0, stream);
    round = 0, turns_left = kNone;
  }
  DeviceBuffer<std::uint64_t> claims;  // [cells] (turns left when it was made, rank): the least wins
  DeviceBuffer<std::uint32_t> taken;   // [cells] the last round in which a kept move changed the cell
  DeviceBuffer<std::uint32_t> open;    // [1] moves that are neither kept nor dropped yet
  std::uint32_t round = 0;
  std::uint32_t turns_left = kNone;
};

// Fills claims[num_moves] for moves in order. The outcome is that of going through the moves one by one
// (lexicographically first maximal independent set; Blelloch, Fineman, Shun, "Greedy sequential maximal
// independent set and matching are parallel on average", 2012): in each turn the open moves that come
// first on all their cells are kept, and those on a kept move's cells are dropped.
void claim_cells(const ProblemView& problem, const BestMove* ordered, std::uint32_t num_moves, const PathIndex* routing,
                 ClaimBoard& board, Claim* claims, const Tuning& tuning, cudaStream_t stream);

}  // namespace spineweave::gpu
