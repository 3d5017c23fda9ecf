// Explicit candidate sets: the shortest paths between pairs of switches of any graph.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "spineweave/fabric.hpp"

namespace spineweave {

struct ExplicitPaths {
  std::vector<std::uint32_t> pair_begin;  // [pairs + 1] into path_begin
  std::vector<std::uint32_t> path_begin;  // [paths + 1] into links
  std::vector<LinkId> links;
  std::uint32_t capped_pairs = 0;
};

// Paths for each (from, to) in the order given, each pair's in the order of their link sequences.
// Where tiers are known: all shortest up-then-down paths of the intact fabric. If none of them is
// alive: those over live links; then, with allow_valley, any shortest live path. A pair may end with
// no live path. Above max_paths, that many are taken at even distances in their order, so that they
// spread over all spines.
[[nodiscard]] ExplicitPaths find_explicit_paths(const Fabric& fabric, std::span<const std::pair<NodeId, NodeId>> pairs,
                                                std::uint32_t max_paths, bool allow_valley);

}  // namespace spineweave
