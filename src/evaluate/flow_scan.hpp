// The best candidate of a flow where slots do not serve as rows: cables side by side, several aggregations
// a plane, explicit lists.
#pragma once

#include <cstdint>
#include <vector>

#include "evaluate/score_core.hpp"
#include "evaluate/score_kernels.hpp"
#include "spineweave/problem.hpp"

namespace spineweave {

// Serves one flow after the other; keeps its room between them.
class FlowScan {
 public:
  FlowScan(const ProblemView& problem, const ScoreKernels& kernels, const std::uint32_t* congestion)
      : problem_(problem), view_(problem.paths), kernels_(kernels), congestion_(congestion) {}

  [[nodiscard]] BestMove find_best_move(FlowId flow, PathIndex current);

 private:
  void scan_leaf_rows(const PathBlock& block, const Key& ends);
  void scan_core_rows(const PathBlock& block, const Key& ends);
  void scan_cores(const PathBlock& block, TieredPath parts, const Key& outer);
  void scan_lists(const PathBlock& block, const Key& ends);
  void fill(std::uint32_t first_cell, std::uint32_t cells, std::vector<std::uint32_t>& congestion) const;
  void add_pair(Key& key, std::uint32_t up, std::uint32_t down) const;
  void try_path(Key key, std::uint32_t up, std::uint32_t down);

  const ProblemView& problem_;
  const PathView& view_;
  const ScoreKernels& kernels_;
  const std::uint32_t* congestion_;
  const FlowScorer* scorer_ = nullptr;
  std::uint32_t weight_ = 0;
  std::vector<std::uint32_t> own_cells_;                        // of the flow's own path
  std::vector<bool> is_own_;                                    // [cells], explicit lists only
  std::vector<std::uint32_t> up_, down_, core_up_, core_down_;  // congestion of rows with the flow on each cell
  Key best_;
};

}  // namespace spineweave
