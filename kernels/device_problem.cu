#include "device_problem.cuh"

#include <span>
#include <type_traits>

namespace spineweave::gpu {

DeviceProblem::DeviceProblem(const Problem& problem) : view_(problem.view()) {
  SPINEWEAVE_CUDA_CHECK(cudaGetDevice(&device_));
  const Stream stream;
  const auto move_over = [&](auto& buffer, auto& pointer, std::size_t count) {
    using Buffer = std::remove_reference_t<decltype(buffer)>;
    buffer = Buffer(std::span(pointer, count), stream.get());
    pointer = buffer.data();
  };
  const std::uint32_t num_blocks = view_.block_begin[view_.num_flows];
  move_over(scales_, view_.scales, view_.paths.num_cells);
  move_over(phase_weights_, view_.phase_weights, view_.num_phases);
  move_over(weights_, view_.weights, view_.num_flows);
  move_over(job_of_flow_, view_.job_of_flow, view_.num_flows);
  move_over(phases_of_job_, view_.phases_of_job, view_.num_jobs);
  move_over(floors_, view_.floors, view_.num_jobs);
  move_over(block_begin_, view_.block_begin, view_.num_flows + std::size_t{1});
  move_over(blocks_, view_.blocks, num_blocks);
  PathView& paths = view_.paths;
  if (paths.kind == PathKind::tiered) {
    move_over(pod_of_leaf_, paths.pod_of_leaf, paths.num_leaves);
    move_over(agg_row_, paths.agg_row, std::size_t{paths.num_pods} * paths.aggs_per_pod);
  } else {
    const std::uint32_t num_paths = paths.pair_begin[paths.num_pairs];
    const std::uint32_t num_cells = paths.path_begin[num_paths];
    move_over(pair_begin_, paths.pair_begin, paths.num_pairs + std::size_t{1});
    move_over(path_begin_, paths.path_begin, num_paths + std::size_t{1});
    move_over(path_cells_, paths.path_cells, num_cells);
  }
  stream.wait();
}

}  // namespace spineweave::gpu
