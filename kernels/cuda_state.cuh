// A search state on the device: its own loads, its own stream. After an exception assign() makes it whole
// again.
#pragma once

#include <memory>
#include <vector>

#include "claim_cells.hpp"
#include "device_problem.cuh"
#include "scoreboard.cuh"
#include "spineweave/evaluator.hpp"

namespace spineweave::gpu {

class CudaState final : public SearchState {
 public:
  CudaState(std::shared_ptr<const DeviceProblem> problem, const Tuning& tuning);
  ~CudaState() override;

  void assign(std::span<const PathIndex> routing) override;
  void apply(std::span<const Move> moves) override;
  Score score(std::span<std::uint64_t> job_bottlenecks) override;
  void begin_best_moves(std::span<const FlowId> flows) override;
  std::span<const BestMove> finish_best_moves() override;
  void begin_round(const RoundSpec& spec) override;
  RoundResult finish_round() override;
  void snapshot() override;
  void rollback() override;
  void read_congestion(std::span<std::uint32_t> out) const override;
  void read_routing(std::span<PathIndex> out) const override;

 private:
  void work_out_score(Scoreboard& board);
  void ensure_scored();
  void score_candidates(std::span<const FlowId> flows, const std::uint8_t* resting);
  [[nodiscard]] bool better_after(const Scoreboard& before, const Scoreboard& after);
  void rest_first_kept();

  std::shared_ptr<const DeviceProblem> problem_;
  Tuning tuning_;
  Stream stream_;
  Scratch scratch_;
  DeviceBuffer<PathIndex> routing_, saved_routing_;            // [num_flows]
  DeviceBuffer<std::uint32_t> congestion_, saved_congestion_;  // [phases * cells]
  Scoreboard now_, next_;                                      // next_: after the moves on trial
  bool scored_ = false;                                        // now_ is of the loads as they are

  std::vector<FlowId> host_flows_;  // what flows_ holds: most rounds ask for the same flows again
  DeviceBuffer<FlowId> flows_;
  DeviceBuffer<BestMove> moves_, ordered_;
  std::vector<BestMove> host_moves_;

  DeviceBuffer<std::uint8_t> resting_;  // [num_flows] their best move alone made the score worse
  ClaimBoard claim_board_;
  DeviceBuffer<Claim> claims_;
  DeviceBuffer<Move> kept_;
  DeviceBuffer<std::uint32_t> better_;  // [1]
  std::uint32_t max_moves_ = 0;
};

}  // namespace spineweave::gpu
