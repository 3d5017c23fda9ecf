// Cuts between two leaves, where faults or holes leave them fewer common ways than each has alone.
#include <algorithm>
#include <numeric>
#include <utility>

#include "optimize/cuts.hpp"
#include "optimize/live_rows.hpp"

namespace spineweave {
namespace {

bool same_pair(std::span<const PathBlock> blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [&](const PathBlock& block) {
    return block.src == blocks.front().src && block.dst == blocks.front().dst;
  });
}

// The flows between each two leaves or, without tiers, between each two switches.
class PairList {
 public:
  // `near` < num_near, the end whose links make the cut; `far` tells apart what one near end has.
  PairList(const Problem& problem, std::uint32_t num_near) : problem_(problem), bucket_begin_(num_near + 1, 0) {
    for (const std::uint32_t scale : problem.scales()) slowest_ = std::max<std::uint64_t>(slowest_, scale);
    least_floor_ = problem.num_jobs() == 0 ? 0 : *std::ranges::min_element(problem.floors());
  }
  void add(std::uint32_t near, std::uint32_t far, FlowId flow) {
    entries_.push_back({near, far, flow});
    ++bucket_begin_[near + 1];
  }

  // Makes a cut of each pair for which add_cells(near, far, family) adds any. Pairs whose flows would
  // harm nobody on a single link are left out: nearly all are.
  template <class AddCells>
  [[nodiscard]] CutFamily finish(std::uint32_t num_far, const AddCells& add_cells) {
    CutFamily family;
    family.cut_of_flow.assign(problem_.num_flows(), kNone);
    fill_buckets();
    std::vector<std::uint64_t> weight_to(num_far, 0);
    for (std::size_t near = 0; near + 1 < bucket_begin_.size(); ++near) {
      const std::span bucket =
          std::span(entries_).subspan(bucket_begin_[near], bucket_begin_[near + 1] - bucket_begin_[near]);
      for (const Entry& entry : bucket) weight_to[entry.far] += problem_.weights()[entry.flow];
      const auto harmless = std::ranges::stable_partition(
          bucket, [&](const Entry& entry) { return weight_to[entry.far] * slowest_ > least_floor_; });
      for (const Entry& entry : bucket) weight_to[entry.far] = 0;
      const std::span harmful = bucket.first(bucket.size() - harmless.size());
      std::ranges::stable_sort(harmful, {}, &Entry::far);
      for (std::size_t begin = 0, end = 0; begin < harmful.size(); begin = end) {
        while (end < harmful.size() && harmful[end].far == harmful[begin].far) ++end;
        add_cells(harmful[begin].near, harmful[begin].far, family);
        if (family.cells.size() == family.cell_begin.back()) continue;
        for (std::size_t i = begin; i < end; ++i) family.cut_of_flow[harmful[i].flow] = family.num_cuts();
        family.end_cut();
      }
    }
    return family;
  }

 private:
  struct Entry {
    std::uint32_t near, far;
    FlowId flow;
  };

  // By near end, flows ascending.
  void fill_buckets() {
    std::partial_sum(bucket_begin_.begin(), bucket_begin_.end(), bucket_begin_.begin());
    std::vector<std::uint32_t> next(bucket_begin_.begin(), bucket_begin_.end() - 1);
    std::vector<Entry> sorted(entries_.size());
    for (const Entry& entry : entries_) sorted[next[entry.near]++] = entry;
    entries_ = std::move(sorted);
  }

  const Problem& problem_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> bucket_begin_;  // [num_near + 1]
  std::uint64_t slowest_ = 0;                // congestion of one unit on the slowest live link
  std::uint64_t least_floor_ = 0;
};

// No link of a leaf to another switch is dead or missing.
bool leaves_are_whole(const Problem& problem) {
  const PathView& view = problem.paths();
  for (const std::uint32_t first_row : {view.leaf_up, view.leaf_down}) {
    for (std::uint32_t leaf = 0; leaf < view.num_leaves; ++leaf) {
      const auto row = problem.scales().subspan(first_row + leaf * view.leaf_stride, view.leaf_slots);
      if (std::ranges::find(row, 0U) != row.end()) return false;
    }
  }
  return true;
}

CutFamily tiered_pair_cuts(const Problem& problem, CutSide side) {
  if (leaves_are_whole(problem)) {
    CutFamily none;
    none.cut_of_flow.assign(problem.num_flows(), kNone);
    return none;
  }
  const PathView& view = problem.paths();
  const std::uint32_t num_leaves = view.num_leaves;
  const std::uint32_t near_row = side == CutSide::out ? view.leaf_up : view.leaf_down;
  const std::uint32_t far_row = side == CutSide::out ? view.leaf_down : view.leaf_up;
  // What must match at both ends: the cables of one position within a pod, those of one plane between pods.
  const std::uint32_t group[] = {view.leaf_trunk, view.leaf_trunk * view.aggs_per_plane};  // by height - 1
  std::vector<LiveRows> near, far;  // by height - 1, or one for both where they are the same
  for (const std::uint32_t slots : std::span(group).first(group[0] == group[1] ? 1 : 2)) {
    near.emplace_back(problem, near_row, num_leaves, view.leaf_stride, view.leaf_slots, slots);
    far.emplace_back(problem, far_row, num_leaves, view.leaf_stride, view.leaf_slots, slots);
  }

  PairList list(problem, view.num_leaves);
  for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
    const std::span<const PathBlock> blocks = problem.blocks(flow);
    const PathBlock& block = blocks.front();
    if (block.height == 0 || !same_pair(blocks)) continue;
    const std::uint32_t near_leaf = side == CutSide::out ? block.src : block.dst;
    const std::uint32_t far_leaf = side == CutSide::out ? block.dst : block.src;
    list.add(near_leaf, far_leaf << 1U | (block.height - 1), flow);
  }
  return list.finish(2 * view.num_leaves, [&](std::uint32_t near_leaf, std::uint32_t far_key, CutFamily& family) {
    const std::uint32_t far_leaf = far_key >> 1U;
    const std::size_t level = std::min<std::size_t>(far_key & 1U, far.size() - 1);
    if (far[level].covers(far_leaf, near[level], near_leaf)) return;
    const std::uint32_t first = near_row + near_leaf * view.leaf_stride;
    for (std::uint32_t slot = 0; slot < view.leaf_slots; ++slot)
      if (far[level].has(far_leaf, slot)) family.add_cell(problem, first + slot);
  });
}

CutFamily explicit_pair_cuts(const Problem& problem, CutSide side) {
  const PathView& view = problem.paths();
  const auto cells_of = [&](std::uint32_t path) {
    return std::span(view.path_cells + view.path_begin[path], view.path_cells + view.path_begin[path + 1]);
  };
  PairList list(problem, view.num_pairs);
  for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
    const std::span<const PathBlock> blocks = problem.blocks(flow);
    const std::uint32_t pair = blocks.front().src;
    const bool stays_in_leaf = cells_of(view.pair_begin[pair]).empty();
    if (!stays_in_leaf && same_pair(blocks)) list.add(pair, 0, flow);
  }
  std::vector<std::uint32_t> ends;
  return list.finish(1, [&](std::uint32_t pair, std::uint32_t, CutFamily& family) {
    ends.clear();
    for (std::uint32_t path = view.pair_begin[pair]; path < view.pair_begin[pair + 1]; ++path) {
      const std::span<const std::uint32_t> cells = cells_of(path);
      const bool alive = std::ranges::all_of(cells, [&](std::uint32_t cell) { return problem.scales()[cell] > 0; });
      if (alive) ends.push_back(side == CutSide::out ? cells.front() : cells.back());
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    for (const std::uint32_t cell : ends) family.add_cell(problem, cell);
  });
}

}  // namespace

CutFamily pair_cuts(const Problem& problem, CutSide side) {
  return problem.paths().kind == PathKind::tiered ? tiered_pair_cuts(problem, side) : explicit_pair_cuts(problem, side);
}

}  // namespace spineweave
