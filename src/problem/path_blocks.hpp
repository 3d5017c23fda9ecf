// The pairs of ports that each flow's candidate paths join.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "problem/build.hpp"

namespace spineweave {

struct PathBlocks {
  std::vector<std::uint32_t> begin;  // [flows + 1] into blocks
  std::vector<PathBlock> blocks;
  std::uint64_t num_candidates = 0;  // over all flows
  std::vector<FlowId> cut_off;       // ascending: without a live path
};

// For each flow all pairs of ports whose shortest live paths are the shortest of all. `pairs`, sorted, are
// the pairs of switches that an explicit `view` holds.
[[nodiscard]] PathBlocks find_path_blocks(const Fabric& fabric, std::span<const FlowSpec> flows, const PathView& view,
                                          const CellLayout& layout, std::span<const std::pair<NodeId, NodeId>> pairs);

}  // namespace spineweave
