// The moves of a round that help, in the one order that all backends share.
#pragma once

#include <cstdint>

#include "device_buffer.cuh"
#include "scratch.cuh"
#include "spineweave/evaluator.hpp"

namespace spineweave::gpu {

// Copies the moves that lead elsewhere to `ordered`, by (pressure change, flow). Returns how many.
[[nodiscard]] std::uint32_t order_helping_moves(const BestMove* moves, std::uint32_t num_moves,
                                                const PathIndex* routing, BestMove* ordered, Scratch& scratch,
                                                cudaStream_t stream);

// Copies the moves that were kept, in their order, to `kept`, with the paths that they leave. Returns
// how many.
enum class Claim : std::uint8_t { open, kept, dropped };
[[nodiscard]] std::uint32_t collect_kept_moves(const BestMove* ordered, const Claim* claims, std::uint32_t num_moves,
                                               const PathIndex* routing, Move* kept, Scratch& scratch,
                                               cudaStream_t stream);

}  // namespace spineweave::gpu
