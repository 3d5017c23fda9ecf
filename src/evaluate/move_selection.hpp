// Which moves of a round are kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/cell_walk.hpp"
#include "spineweave/move.hpp"

namespace spineweave {

class MoveSelection {
 public:
  explicit MoveSelection(const CellWalk& walk) : walk_(walk), claimed_(walk.problem().paths.num_cells, 0) {}

  // The moves that help in the order of (pressure change, flow), each touching no cell that an earlier
  // one changes, as many as `max_moves`.
  void select(std::span<const BestMove> best, const PathIndex* routing, std::uint32_t max_moves,
              std::vector<Move>& kept);

 private:
  bool claim(FlowId flow, PathIndex from, PathIndex to);

  struct Helping {
    std::int64_t pressure_change;
    FlowId flow;
    PathIndex to;
  };

  const CellWalk& walk_;
  std::vector<Helping> helping_;
  std::vector<std::uint32_t> claimed_;  // [cells] == claim_: a kept move of this round changes it
  std::vector<std::uint32_t> changed_;  // cells, of one move
  std::uint32_t claim_ = 0;
};

}  // namespace spineweave
