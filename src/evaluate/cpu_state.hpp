// A search state on the CPU: loads in one array, flows scored in parallel chunks.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "evaluate/aligned_cells.hpp"
#include "evaluate/best_move.hpp"
#include "evaluate/cell_walk.hpp"
#include "evaluate/move_selection.hpp"
#include "spineweave/evaluator.hpp"

namespace spineweave {

// What all states of one evaluator share.
class CpuProblem {
 public:
  CpuProblem(std::shared_ptr<const Problem> problem, const ScoreKernels& kernels)
      : problem_(std::move(problem)), kernels_(kernels), walk_(*problem_) {}

  [[nodiscard]] const Problem& problem() const { return *problem_; }
  [[nodiscard]] const ScoreKernels& kernels() const { return kernels_; }
  [[nodiscard]] const CellWalk& walk() const { return walk_; }
  // Made when the first state looks for moves: a routing that is only scored needs none.
  [[nodiscard]] const MoveScorer& scorer();

 private:
  std::shared_ptr<const Problem> problem_;
  const ScoreKernels& kernels_;
  CellWalk walk_;
  std::once_flag scorer_made_;
  std::optional<MoveScorer> scorer_;
};

class CpuState final : public SearchState {
 public:
  explicit CpuState(std::shared_ptr<CpuProblem> shared);

  void assign(std::span<const PathIndex> routing) override;
  void apply(std::span<const Move> moves) override;
  Score score(std::span<std::uint64_t> job_bottlenecks) override;
  void begin_best_moves(std::span<const FlowId> flows) override;
  std::span<const BestMove> finish_best_moves() override { return best_moves_; }
  void begin_round(const RoundSpec& spec) override;
  RoundResult finish_round() override { return std::move(round_); }
  void snapshot() override { journal_.clear(); }
  void rollback() override;
  void read_congestion(std::span<std::uint32_t> out) const override;
  void read_routing(std::span<PathIndex> out) const override;

 private:
  void load(FlowId flow, PathIndex path);
  void unload(FlowId flow, PathIndex path);
  void reroute(FlowId flow, PathIndex to);
  void measure_flows();
  void rank_jobs(Score& score);
  void add_pressure(Score& score);

  std::shared_ptr<CpuProblem> shared_;
  const Problem& problem_;
  const CellWalk& walk_;
  AlignedCells congestion_;  // [phases * cells]
  std::uint32_t peak_ = 0;   // no live cell has more
  std::size_t unplaced_;     // flows without a path
  std::vector<PathIndex> routing_;
  std::vector<bool> resting_;  // flows whose best move alone made the score worse
  std::vector<Move> journal_;  // since the last snapshot
  std::vector<BestMove> best_moves_;
  MoveSelection selection_;
  RoundResult round_;
  // The score of the loads as they are, if it is known.
  std::optional<Score> scored_;
  std::vector<std::uint64_t> bottlenecks_;  // of it: [jobs]

  // Room that calls share.
  std::vector<std::uint32_t> flow_congestion_;                    // [flows]
  std::vector<std::pair<std::uint64_t, std::uint32_t>> ranking_;  // normalised, flows at the bottleneck: [jobs]
  std::vector<RowSum> sums_;                                      // of chunks of cells
  std::vector<FlowId> awake_;
};

}  // namespace spineweave
