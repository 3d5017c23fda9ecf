// Cuts between two leaves, where faults or holes leave them fewer common ways than each has alone.
#include <algorithm>
#include <utility>

#include "optimize/cuts.hpp"

namespace spineweave {
namespace {

bool same_pair(std::span<const PathBlock> blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [&](const PathBlock& block) {
    return block.src == blocks.front().src && block.dst == blocks.front().dst;
  });
}

// Collects (key of a pair, flow) and makes each key a cut.
class PairList {
 public:
  explicit PairList(std::uint32_t num_flows) { family_.cut_of_flow.assign(num_flows, kNone); }
  void add(std::uint64_t key, FlowId flow) { entries_.emplace_back(key, flow); }

  // append_links(key, links) lists the links of a pair's cut.
  template <class AppendLinks>
  [[nodiscard]] CutFamily finish(const AppendLinks& append_links) {
    std::sort(entries_.begin(), entries_.end());
    family_.link_begin.push_back(0);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const auto& [key, flow] = entries_[i];
      if (i == 0 || entries_[i - 1].first != key) {
        append_links(key, family_.links);
        family_.link_begin.push_back(static_cast<std::uint32_t>(family_.links.size()));
      }
      family_.cut_of_flow[flow] = family_.num_cuts() - 1;
    }
    return std::move(family_);
  }

 private:
  CutFamily family_;
  std::vector<std::pair<std::uint64_t, FlowId>> entries_;
};

// Which groups of slots of each leaf's row have a live link. A group is what must match at both ends:
// the cables of one position within a pod, those of one plane between pods.
class LiveGroups {
 public:
  LiveGroups(const Problem& problem, std::uint32_t first_row, std::uint32_t num_leaves, std::uint32_t slots_per_group)
      : words_(problem.paths().leaf_slots / slots_per_group / 64 + 1),
        bits_(std::size_t{num_leaves} * words_, 0),
        slots_per_group_(slots_per_group) {
    const PathView& view = problem.paths();
    for (std::uint32_t leaf = 0; leaf < num_leaves; ++leaf) {
      for (std::uint32_t slot = 0; slot < view.leaf_slots; ++slot) {
        if (problem.scales()[first_row + leaf * view.leaf_stride + slot] == 0) continue;
        const std::uint32_t group = slot / slots_per_group;
        bits_[leaf * words_ + group / 64] |= std::uint64_t{1} << (group % 64);
      }
    }
  }

  [[nodiscard]] bool has(std::uint32_t leaf, std::uint32_t slot) const {
    const std::uint32_t group = slot / slots_per_group_;
    return (bits_[leaf * words_ + group / 64] >> (group % 64) & 1U) != 0;
  }
  // True where `leaf` has every group alive that `other_leaf` has in `other`.
  [[nodiscard]] bool covers(std::uint32_t leaf, const LiveGroups& other, std::uint32_t other_leaf) const {
    for (std::size_t word = 0; word < words_; ++word)
      if ((other.bits_[other_leaf * words_ + word] & ~bits_[leaf * words_ + word]) != 0) return false;
    return true;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;  // [leaves * words]
  std::uint32_t slots_per_group_;
};

CutFamily tiered_pair_cuts(const Problem& problem, CutSide side) {
  const PathView& view = problem.paths();
  const std::uint32_t num_leaves = problem.fabric().clos()->num_leaves;
  const std::uint32_t near_row = side == CutSide::out ? view.leaf_up : view.leaf_down;
  const std::uint32_t far_row = side == CutSide::out ? view.leaf_down : view.leaf_up;
  const std::uint32_t group[] = {view.leaf_trunk, view.leaf_trunk * view.aggs_per_plane};  // by height - 1
  const LiveGroups near[] = {{problem, near_row, num_leaves, group[0]}, {problem, near_row, num_leaves, group[1]}};
  const LiveGroups far[] = {{problem, far_row, num_leaves, group[0]}, {problem, far_row, num_leaves, group[1]}};

  PairList list(problem.num_flows());
  for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
    const std::span<const PathBlock> blocks = problem.blocks(flow);
    const PathBlock& block = blocks.front();
    if (block.height == 0 || !same_pair(blocks)) continue;
    const std::uint32_t near_leaf = side == CutSide::out ? block.src : block.dst;
    const std::uint32_t far_leaf = side == CutSide::out ? block.dst : block.src;
    const std::uint32_t level = block.height - 1;
    if (far[level].covers(far_leaf, near[level], near_leaf)) continue;
    list.add(std::uint64_t{near_leaf} << 32U | std::uint64_t{far_leaf} << 1U | level, flow);
  }
  return list.finish([&](std::uint64_t key, std::vector<LinkId>& links) {
    const auto near_leaf = static_cast<std::uint32_t>(key >> 32U);
    const auto far_leaf = static_cast<std::uint32_t>(key) >> 1U;
    const std::uint32_t first = near_row + near_leaf * view.leaf_stride;
    for (std::uint32_t slot = 0; slot < view.leaf_slots; ++slot)
      if (problem.scales()[first + slot] > 0 && far[key & 1U].has(far_leaf, slot))
        links.push_back(problem.link_of(first + slot));
  });
}

CutFamily explicit_pair_cuts(const Problem& problem, CutSide side) {
  const PathView& view = problem.paths();
  const auto cells_of = [&](std::uint32_t path) {
    return std::span(view.path_cells + view.path_begin[path], view.path_cells + view.path_begin[path + 1]);
  };
  PairList list(problem.num_flows());
  for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
    const std::span<const PathBlock> blocks = problem.blocks(flow);
    const std::uint32_t pair = blocks.front().src;
    const bool stays_in_leaf = cells_of(view.pair_begin[pair]).empty();
    if (!stays_in_leaf && same_pair(blocks)) list.add(pair, flow);
  }
  std::vector<std::uint32_t> ends;
  return list.finish([&](std::uint64_t pair, std::vector<LinkId>& links) {
    ends.clear();
    for (std::uint32_t path = view.pair_begin[pair]; path < view.pair_begin[pair + 1]; ++path) {
      const std::span<const std::uint32_t> cells = cells_of(path);
      const bool alive = std::ranges::all_of(cells, [&](std::uint32_t cell) { return problem.scales()[cell] > 0; });
      if (alive) ends.push_back(side == CutSide::out ? cells.front() : cells.back());
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    for (const std::uint32_t cell : ends) links.push_back(problem.link_of(cell));
  });
}

}  // namespace

CutFamily pair_cuts(const Problem& problem, CutSide side) {
  return problem.paths().kind == PathKind::tiered ? tiered_pair_cuts(problem, side) : explicit_pair_cuts(problem, side);
}

}  // namespace spineweave
