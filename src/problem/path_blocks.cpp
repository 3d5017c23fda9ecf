#include "problem/path_blocks.hpp"

#include <algorithm>
#include <numeric>

#include "paths/walk.hpp"
#include "util/parallel.hpp"

namespace spineweave {
namespace {

constexpr std::size_t kFlowsPerChunk = 4096;

class PathBuilder {
 public:
  PathBuilder(const Fabric& fabric, const PathView& view, const CellLayout& layout,
              std::span<const std::pair<NodeId, NodeId>> pairs)
      : fabric_(fabric), view_(view), cell_of_link_(layout.cell_of_link), pairs_(pairs), live_(view.num_cells) {
    for (std::uint32_t cell = 0; cell < view.num_cells; ++cell) {
      const LinkId link = layout.link_of_cell[cell];
      live_[cell] = link != kNone && fabric.link(link).state != LinkState::down;
    }
  }

  // Appends the blocks of a flow. False where there is none.
  bool append(const FlowSpec& flow, std::vector<PathBlock>& blocks) const {
    const std::size_t first = blocks.size();
    std::uint32_t lowest = kNone;
    for (LinkId up = fabric_.first_link(flow.src); up < fabric_.first_link(flow.src + 1); ++up) {
      for (LinkId out = fabric_.first_link(flow.dst); out < fabric_.first_link(flow.dst + 1); ++out) {
        const LinkId down = fabric_.reverse(out);
        PathBlock block;
        block.access_up = cell_of_link_[up];
        block.access_down = cell_of_link_[down];
        if (!live_[block.access_up] || !live_[block.access_down]) continue;
        const std::uint32_t height = find_height(fabric_.link(up).to, fabric_.link(down).from, block);
        if (height == kNone || height > lowest) continue;
        if (height < lowest) blocks.resize(first);
        lowest = height;
        blocks.push_back(block);
      }
    }
    PathIndex next = 0;
    for (std::size_t b = first; b < blocks.size(); ++b) {
      blocks[b].first_path = next;
      next += num_candidates(view_, blocks[b]);
    }
    return blocks.size() > first;
  }

 private:
  [[nodiscard]] bool has_live_path(const PathBlock& block) const {
    const std::uint32_t count = num_candidates(view_, block);
    for (PathIndex path = 0; path < count; ++path) {
      bool alive = true;
      visit_fabric_cells(view_, block, path, [&](std::uint32_t cell) { alive = alive && live_[cell]; });
      if (alive) return true;
    }
    return false;
  }

  // Tiered: the lowest tier at which a live path turns. Explicit: the hops of the live paths.
  std::uint32_t find_height(NodeId from, NodeId to, PathBlock& block) const {
    if (view_.kind == PathKind::explicit_) {
      const auto pair = std::lower_bound(pairs_.begin(), pairs_.end(), std::pair{from, to});
      block.src = static_cast<std::uint32_t>(pair - pairs_.begin());
      if (!has_live_path(block)) return kNone;
      const std::uint32_t path = view_.pair_begin[block.src];
      return view_.path_begin[path + 1] - view_.path_begin[path];
    }
    block.src = from - fabric_.num_endpoints();
    block.dst = to - fabric_.num_endpoints();
    if (from == to) return block.height = 0;
    const bool same_pod = view_.pod_of_leaf[block.src] == view_.pod_of_leaf[block.dst];
    for (block.height = same_pod ? 1 : 2; block.height <= (view_.core_slots > 0 ? 2U : 1U); ++block.height)
      if (has_live_path(block)) return block.height;
    return kNone;
  }

  const Fabric& fabric_;
  const PathView& view_;
  std::span<const std::uint32_t> cell_of_link_;
  std::span<const std::pair<NodeId, NodeId>> pairs_;
  std::vector<bool> live_;
};

}  // namespace

PathBlocks find_path_blocks(const Fabric& fabric, std::span<const FlowSpec> flows, const PathView& view,
                            const CellLayout& layout, std::span<const std::pair<NodeId, NodeId>> pairs) {
  const PathBuilder builder(fabric, view, layout, pairs);
  PathBlocks found;
  found.begin.assign(flows.size() + 1, 0);
  std::vector<PathBlocks> chunks((flows.size() + kFlowsPerChunk - 1) / kFlowsPerChunk);
  util::parallel_chunks(flows.size(), kFlowsPerChunk, [&](std::size_t begin, std::size_t end) {
    PathBlocks& chunk = chunks[begin / kFlowsPerChunk];
    chunk.blocks.reserve(end - begin);
    for (auto f = static_cast<FlowId>(begin); f < end; ++f) {
      const std::size_t first = chunk.blocks.size();
      if (!builder.append(flows[f], chunk.blocks)) {
        chunk.cut_off.push_back(f);
        continue;
      }
      found.begin[f + 1] = static_cast<std::uint32_t>(chunk.blocks.size() - first);
      chunk.num_candidates += chunk.blocks.back().first_path + num_candidates(view, chunk.blocks.back());
    }
  });
  std::partial_sum(found.begin.begin(), found.begin.end(), found.begin.begin());
  found.blocks.reserve(found.begin.back());
  for (const PathBlocks& chunk : chunks) {
    found.blocks.insert(found.blocks.end(), chunk.blocks.begin(), chunk.blocks.end());
    found.cut_off.insert(found.cut_off.end(), chunk.cut_off.begin(), chunk.cut_off.end());
    found.num_candidates += chunk.num_candidates;
  }
  return found;
}

}  // namespace spineweave
