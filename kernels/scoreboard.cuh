// The scores of one or many routings, worked out from their loads on the device.
#pragma once

#include <span>
#include <vector>

#include "compare_scores.hpp"
#include "device_problem.cuh"
#include "rank_jobs.hpp"
#include "spineweave/score.hpp"

namespace spineweave::gpu {

class Scoreboard {
 public:
  Scoreboard(const DeviceProblem& problem, std::uint32_t max_routings, const Tuning& tuning);

  // routings: [num_routings * num_flows], congestion: [num_routings * places], both on the device.
  void work_out(const PathIndex* routings, const std::uint32_t* congestion, std::uint32_t num_routings,
                Scratch& scratch, cudaStream_t stream);

  // The first routing's, on the device.
  [[nodiscard]] DeviceScore first() const { return {ranks_.data(), totals_.data()}; }
  // Waits for the stream. scores: as many as were worked out at most.
  void read(std::span<Score> scores, cudaStream_t stream);
  // B(j) of the first routing. Waits for the stream.
  void read_bottlenecks(std::span<std::uint64_t> bottlenecks, cudaStream_t stream);

  // How many routings one can take: places among their flows and jobs have 32 bits.
  [[nodiscard]] static std::size_t most_routings(const ProblemView& problem);
  // Device memory for each routing, without Thrust's own.
  [[nodiscard]] static std::size_t bytes_per_routing(const ProblemView& problem);

 private:
  const DeviceProblem* problem_;
  Tuning tuning_;
  DeviceBuffer<std::uint32_t> flow_congestion_;
  DeviceBuffer<JobPeak> peaks_;
  DeviceBuffer<JobRank> ranks_;
  DeviceBuffer<LinkTotals> totals_;
  PeakBuffers peak_buffers_;
  std::vector<JobRank> host_ranks_;
  std::vector<LinkTotals> host_totals_;
};

}  // namespace spineweave::gpu
