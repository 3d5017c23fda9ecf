#include "cuda_state.cuh"

#include <algorithm>

#include "accumulate_loads.hpp"
#include "apply_moves.hpp"
#include "score_candidates.hpp"

namespace spineweave::gpu {

CudaState::CudaState(std::shared_ptr<const DeviceProblem> problem, const Tuning& tuning)
    : problem_(std::move(problem)),
      tuning_(tuning),
      routing_(problem_->view().num_flows),
      saved_routing_(routing_.size()),
      congestion_(problem_->num_places()),
      saved_congestion_(congestion_.size()),
      now_(*problem_, 1, tuning),
      next_(*problem_, 1, tuning),
      resting_(routing_.size()),
      claim_board_(problem_->view().paths.num_cells),
      better_(1) {
  claim_board_.clear(stream_.get());
  resting_.fill_bytes(0, stream_.get());
  routing_.fill_bytes(0xff, stream_.get());  // kNone
  launch_accumulate_loads(problem_->view(), routing_.data(), 1, congestion_.data(), tuning_, stream_.get());
  snapshot();
}

// The stream may still use what is about to be freed.
CudaState::~CudaState() {
  if (cudaStreamSynchronize(stream_.get()) != cudaSuccess) (void)cudaGetLastError();
}

void CudaState::assign(std::span<const PathIndex> routing) {
  const DeviceScope device(problem_->device());
  scored_ = false;
  routing_.write(routing, stream_.get());
  launch_accumulate_loads(problem_->view(), routing_.data(), 1, congestion_.data(), tuning_, stream_.get());
  resting_.fill_bytes(0, stream_.get());
  snapshot();
  stream_.wait();
}

// Only where each flow goes last counts: its load is added where it stays, and taken away where it was.
void CudaState::apply(std::span<const Move> moves) {
  const DeviceScope device(problem_->device());
  scored_ = false;
  std::vector<Move> last(moves.rbegin(), moves.rend());
  const auto by_flow = [](const Move& a, const Move& b) { return a.flow < b.flow; };
  std::stable_sort(last.begin(), last.end(), by_flow);
  const auto same_flow = [](const Move& a, const Move& b) { return a.flow == b.flow; };
  last.erase(std::unique(last.begin(), last.end(), same_flow), last.end());
  kept_.reserve(last.size());
  kept_.write(last, stream_.get());
  launch_apply_moves(problem_->view(), kept_.data(), static_cast<std::uint32_t>(last.size()), Direction::forth,
                     routing_.data(), congestion_.data(), tuning_, stream_.get());
  stream_.wait();
}

void CudaState::work_out_score(Scoreboard& board) {
  board.work_out(routing_.data(), congestion_.data(), 1, scratch_, stream_.get());
}

void CudaState::ensure_scored() {
  if (!scored_) work_out_score(now_);
  scored_ = true;
}

Score CudaState::score(std::span<std::uint64_t> job_bottlenecks) {
  const DeviceScope device(problem_->device());
  ensure_scored();
  Score score;
  now_.read({&score, 1}, stream_.get());
  if (!job_bottlenecks.empty()) now_.read_bottlenecks(job_bottlenecks, stream_.get());
  return score;
}

void CudaState::score_candidates(std::span<const FlowId> flows, const std::uint8_t* resting) {
  if (!std::equal(flows.begin(), flows.end(), host_flows_.begin(), host_flows_.end())) {
    host_flows_.clear();  // in case the device has no room
    flows_.reserve(flows.size());
    moves_.reserve(flows.size());
    flows_.write(flows, stream_.get());
    stream_.wait();
    host_flows_.assign(flows.begin(), flows.end());
  }
  launch_score_candidates(
      problem_->view(),
      {flows_.data(), static_cast<std::uint32_t>(flows.size()), routing_.data(), congestion_.data(), resting},
      moves_.data(), tuning_, stream_.get());
}

void CudaState::begin_best_moves(std::span<const FlowId> flows) {
  const DeviceScope device(problem_->device());
  score_candidates(flows, nullptr);
  host_moves_.resize(flows.size());
  moves_.read(host_moves_, stream_.get());
}

std::span<const BestMove> CudaState::finish_best_moves() {
  stream_.wait();
  return host_moves_;
}

void CudaState::begin_round(const RoundSpec& spec) {
  const DeviceScope device(problem_->device());
  ensure_scored();
  score_candidates(spec.flows, resting_.data());
  max_moves_ = spec.max_moves;
}

// Moves stay on the device; the host learns how many are left after each step.
RoundResult CudaState::finish_round() {
  const DeviceScope device(problem_->device());
  const ProblemView& view = problem_->view();
  const auto num_flows = static_cast<std::uint32_t>(host_flows_.size());
  ordered_.reserve(num_flows), claims_.reserve(num_flows), kept_.reserve(num_flows);
  const std::uint32_t helping =
      order_helping_moves(moves_.data(), num_flows, routing_.data(), ordered_.data(), scratch_, stream_.get());
  claim_cells(view, ordered_.data(), helping, routing_.data(), claim_board_, claims_.data(), tuning_, stream_.get());
  std::uint32_t kept = collect_kept_moves(ordered_.data(), claims_.data(), helping, routing_.data(), kept_.data(),
                                          scratch_, stream_.get());
  RoundResult result;
  const auto apply_kept = [&](Direction direction) {
    launch_apply_moves(view, kept_.data(), kept, direction, routing_.data(), congestion_.data(), tuning_,
                       stream_.get());
  };
  for (kept = std::min(kept, max_moves_); kept > 0; kept /= 2) {
    scored_ = false;
    apply_kept(Direction::forth);
    work_out_score(next_);
    if (better_after(now_, next_)) {
      std::swap(now_, next_);
      scored_ = true;
      result.kept.resize(kept);
      kept_.read(result.kept, stream_.get());
      break;
    }
    apply_kept(Direction::back);
    scored_ = true;
    result.taken_back = true;
    if (kept == 1) rest_first_kept();
  }
  now_.read({&result.score, 1}, stream_.get());
  return result;
}

bool CudaState::better_after(const Scoreboard& before, const Scoreboard& after) {
  launch_compare_scores(before.first(), after.first(), problem_->view().num_jobs, better_.data(), tuning_,
                        stream_.get());
  std::uint32_t better = 0;
  better_.read({&better, 1}, stream_.get());
  stream_.wait();
  return better != 0;
}

void CudaState::rest_first_kept() {
  Move move;
  kept_.read({&move, 1}, stream_.get());
  stream_.wait();
  SPINEWEAVE_CUDA_CHECK(cudaMemsetAsync(resting_.data() + move.flow, 1, 1, stream_.get()));
}

void CudaState::snapshot() {
  const DeviceScope device(problem_->device());
  saved_routing_.copy_from(routing_, stream_.get());
  saved_congestion_.copy_from(congestion_, stream_.get());
}

void CudaState::rollback() {
  const DeviceScope device(problem_->device());
  scored_ = false;
  routing_.copy_from(saved_routing_, stream_.get());
  congestion_.copy_from(saved_congestion_, stream_.get());
}

void CudaState::read_congestion(std::span<std::uint32_t> out) const {
  const DeviceScope device(problem_->device());
  congestion_.read(out, stream_.get());
  stream_.wait();
}

void CudaState::read_routing(std::span<PathIndex> out) const {
  const DeviceScope device(problem_->device());
  routing_.read(out, stream_.get());
  stream_.wait();
}

}  // namespace spineweave::gpu
