// The best candidates of flows against frozen congestion.
#pragma once

#include <cstdint>
#include <span>

#include "evaluate/flow_rows.hpp"
#include "evaluate/score_kernels.hpp"
#include "spineweave/move.hpp"
#include "spineweave/problem.hpp"

namespace spineweave {

// What the loads look like while flows are scored: read-only, so that any number of flows look at once.
struct FrozenLoads {
  const std::uint32_t* congestion = nullptr;  // [phases * cells], dead cells: kDeadCongestion
  const PathIndex* routing = nullptr;         // [num_flows]
  std::uint32_t peak = 0;                     // no live cell has more
  bool complete = false;                      // all flows have a path
};

// One problem on one instruction set.
class MoveScorer {
 public:
  MoveScorer(const Problem& problem, const ScoreKernels& kernels);

  // Fills moves[i] for flows[i].
  void find_best_moves(const FrozenLoads& loads, std::span<const FlowId> flows, BestMove* moves) const;

  // Flows that are worth a thread's while.
  [[nodiscard]] std::size_t chunk() const { return chunk_; }

 private:
  ProblemView problem_;
  const ScoreKernels& kernels_;
  FlowRows rows_;
  std::size_t chunk_;
};

}  // namespace spineweave
