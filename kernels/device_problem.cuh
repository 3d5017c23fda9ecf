// The device's copy of a problem.
#pragma once

#include "device_buffer.cuh"
#include "spineweave/problem.hpp"

namespace spineweave::gpu {

class DeviceProblem {
 public:
  // Throws Error{out_of_memory}.
  explicit DeviceProblem(const Problem& problem);
  // The one that was current when the copy was made.
  [[nodiscard]] int device() const noexcept { return device_; }
  // Pointers into the device's memory.
  [[nodiscard]] const ProblemView& view() const noexcept { return view_; }
  [[nodiscard]] std::size_t num_places() const noexcept {
    return std::size_t{view_.num_phases} * view_.paths.num_cells;
  }

 private:
  DeviceBuffer<std::uint32_t> scales_, phase_weights_, weights_, job_of_flow_, block_begin_;
  DeviceBuffer<std::uint64_t> phases_of_job_, floors_;
  DeviceBuffer<PathBlock> blocks_;
  DeviceBuffer<std::uint32_t> pod_of_leaf_, agg_row_, pair_begin_, path_begin_, path_cells_;
  ProblemView view_;
  int device_ = 0;
};

}  // namespace spineweave::gpu
