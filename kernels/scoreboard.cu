#include "scoreboard.cuh"

#include <algorithm>

#include "measure_flows.hpp"

namespace spineweave::gpu {

Scoreboard::Scoreboard(const DeviceProblem& problem, std::uint32_t max_routings, const Tuning& tuning)
    : problem_(&problem),
      tuning_(tuning),
      flow_congestion_(std::size_t{max_routings} * problem.view().num_flows),
      peaks_(std::size_t{max_routings} * problem.view().num_jobs),
      ranks_(peaks_.size()),
      totals_(max_routings) {
  peak_buffers_.reserve(peaks_.size());
}

std::size_t Scoreboard::most_routings(const ProblemView& problem) {
  return 0xffffffffU / std::max({problem.num_flows, problem.num_jobs, 1U});
}

std::size_t Scoreboard::bytes_per_routing(const ProblemView& problem) {
  return std::size_t{problem.num_flows} * sizeof(std::uint32_t) + sizeof(LinkTotals) +
         problem.num_jobs * (sizeof(std::uint32_t) + 2 * sizeof(JobPeak) + sizeof(JobRank));
}

void Scoreboard::work_out(const PathIndex* routings, const std::uint32_t* congestion, std::uint32_t num_routings,
                          Scratch& scratch, cudaStream_t stream) {
  const ProblemView& view = problem_->view();
  launch_measure_flows(view, routings, congestion, num_routings, flow_congestion_.data(), tuning_, stream);
  launch_sum_pressure(view, congestion, num_routings, totals_.data(), tuning_, stream);
  launch_rank_jobs(view, flow_congestion_.data(), num_routings, peak_buffers_, peaks_.data(), ranks_.data(), scratch,
                   tuning_, stream);
}

void Scoreboard::read(std::span<Score> scores, cudaStream_t stream) {
  const std::size_t num_jobs = problem_->view().num_jobs;
  host_ranks_.resize(scores.size() * num_jobs);
  host_totals_.resize(scores.size());
  ranks_.read(host_ranks_, stream);
  totals_.read(host_totals_, stream);
  SPINEWEAVE_CUDA_CHECK(cudaStreamSynchronize(stream));
  for (std::size_t k = 0; k < scores.size(); ++k) {
    Score& score = scores[k];
    score.normalised.resize(num_jobs);
    score.at_bottleneck.resize(num_jobs);
    for (std::size_t j = 0; j < num_jobs; ++j) {
      score.normalised[j] = host_ranks_[k * num_jobs + j].normalised;
      score.at_bottleneck[j] = host_ranks_[k * num_jobs + j].at_bottleneck;
    }
    score.pressure = host_totals_[k].pressure;
    score.max_congestion = host_totals_[k].max_congestion;
  }
}

void Scoreboard::read_bottlenecks(std::span<std::uint64_t> bottlenecks, cudaStream_t stream) {
  std::vector<JobPeak> peaks(problem_->view().num_jobs);
  peaks_.read(peaks, stream);
  SPINEWEAVE_CUDA_CHECK(cudaStreamSynchronize(stream));
  for (std::size_t j = 0; j < peaks.size(); ++j) bottlenecks[j] = peaks[j].congestion;
}

}  // namespace spineweave::gpu
