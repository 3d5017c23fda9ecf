#include "evaluate/move_selection.hpp"

#include <algorithm>

namespace spineweave {

void MoveSelection::select(std::span<const BestMove> best, const PathIndex* routing, std::uint32_t max_moves,
                           std::vector<Move>& kept) {
  helping_.clear();
  for (const BestMove& move : best)
    if (move.to != routing[move.flow]) helping_.push_back({move.pressure_change, move.flow, move.to});
  std::sort(helping_.begin(), helping_.end(), [](const Helping& a, const Helping& b) {
    return a.pressure_change != b.pressure_change ? a.pressure_change < b.pressure_change : a.flow < b.flow;
  });
  if (++claim_ == 0) std::fill(claimed_.begin(), claimed_.end(), 0), claim_ = 1;
  kept.clear();
  for (const Helping& move : helping_) {
    if (kept.size() >= max_moves) break;
    if (claim(move.flow, routing[move.flow], move.to)) kept.push_back({move.flow, routing[move.flow], move.to});
  }
}

bool MoveSelection::claim(FlowId flow, PathIndex from, PathIndex to) {
  changed_.clear();
  bool free = true;
  walk_.visit_changed_cells(flow, from, to, [&](std::uint32_t cell) {
    free = free && claimed_[cell] != claim_;
    changed_.push_back(cell);
  });
  if (free)
    for (const std::uint32_t cell : changed_) claimed_[cell] = claim_;
  return free;
}

}  // namespace spineweave
