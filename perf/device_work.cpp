#include "perf/device_work.hpp"

#include <bit>

#include "evaluate/score_core.hpp"

namespace spineweave::perf {
namespace {

constexpr std::uint64_t kWord = 4;  // bytes of a load, a scale, a path index and a cell number

// Read of a cell against which a flow is tried: the scale once, the load in each phase.
std::uint64_t cell_bytes(std::uint64_t phases) { return kWord * (1 + phases); }
// A multiplication, an addition and a maximum in each phase.
std::uint64_t cell_operations(std::uint64_t phases) { return 3 * phases; }
constexpr std::uint64_t kCompares = 2;  // of a candidate: is it alive, is it better

// The links between switches of a block's candidates, all candidates together.
std::uint64_t listed_cells(const PathView& view, const PathBlock& block) {
  return view.path_begin[view.pair_begin[block.src + 1]] - view.path_begin[view.pair_begin[block.src]];
}

void add_block(Work& work, const ProblemView& problem, const PathBlock& block, std::uint64_t phases) {
  const PathView& view = problem.paths;
  const std::uint64_t candidates = num_candidates(view, block);
  std::uint64_t cells = 0;
  if (view.kind == PathKind::explicit_) {
    const std::uint64_t listed = listed_cells(view, block);
    cells = 2 * candidates + listed;
    work.read_bytes += kWord * (listed + candidates);  // the lists themselves, and where each begins
  } else if (has_rows(problem) && block.height > 0) {
    // A pair of row cells for each candidate, one for each slot above it, and the ends once.
    cells = 2 * candidates + (block.height == 2 ? 2 * view.leaf_slots : 0) + 2;
  } else {
    cells = (2 + 2 * std::uint64_t{block.height}) * candidates;
  }
  work.candidates += candidates;
  work.read_bytes += cells * cell_bytes(phases);
  work.operations += cells * cell_operations(phases) + kCompares * candidates;
}

// The problem's arrays and one set of loads.
std::uint64_t problem_bytes(const ProblemView& problem) {
  const PathView& view = problem.paths;
  std::uint64_t bytes = kWord * view.num_cells + kWord * 3 * problem.num_flows +
                        sizeof(PathBlock) * problem.block_begin[problem.num_flows] + 16 * problem.num_jobs;
  if (view.kind == PathKind::explicit_) {
    const std::uint32_t paths = view.pair_begin[view.num_pairs];
    bytes += kWord * (std::uint64_t{view.num_pairs} + paths + view.path_begin[paths]);
  }
  return bytes;
}

std::uint64_t phases_of(const ProblemView& problem, FlowId flow) {
  return static_cast<std::uint64_t>(std::popcount(problem.phases_of_job[problem.job_of_flow[flow]]));
}

}  // namespace

Work scoring_work(const Problem& problem) {
  const ProblemView view = problem.view();
  Work work;
  for (FlowId flow = 0; flow < view.num_flows; ++flow)
    for (const PathBlock& block : problem.blocks(flow)) add_block(work, view, block, phases_of(view, flow));
  const std::uint64_t ends = (2 * kWord + sizeof(BestMove)) * view.num_flows;  // flow, its path, its move
  const std::uint64_t loads = kWord * view.num_phases * view.paths.num_cells;
  work.read_bytes += ends;
  work.footprint_bytes = problem_bytes(view) + loads + ends;
  return work;
}

Work routings_work(const Problem& problem, std::uint32_t num_routings) {
  const ProblemView view = problem.view();
  const std::uint64_t flows = view.num_flows;
  const std::uint64_t places = std::uint64_t{view.num_phases} * view.paths.num_cells;
  Work one;
  for (FlowId flow = 0; flow < view.num_flows; ++flow) {
    const PathBlock& block = problem.blocks(flow)[0];
    std::uint64_t cells = 2 + 2 * block.height;
    if (view.paths.kind == PathKind::explicit_)
      cells = 2 + listed_cells(view.paths, block) / num_candidates(view.paths, block);
    const std::uint64_t phases = phases_of(view, flow);
    // Loads: a scale, and a load read and written; then the load is read for the flow's maximum.
    one.read_bytes += cells * (kWord + 3 * kWord * phases);
    one.operations += cells * cell_operations(phases);
  }
  // The path twice; the flow's congestion written and read; loads set to nothing and read for the pressure.
  one.read_bytes += 4 * kWord * flows + 2 * kWord * places;
  one.operations += 3 * places;
  Work work;
  work.candidates = num_routings;
  work.read_bytes = num_routings * one.read_bytes;
  work.operations = num_routings * one.operations;
  work.footprint_bytes = problem_bytes(view) + num_routings * (3 * kWord * flows + 2 * kWord * places);
  return work;
}

}  // namespace spineweave::perf
