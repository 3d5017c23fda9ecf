// Candidate paths: a plain view that host and device code read alike.
//
// Loads live in *cells*. A cell is a link, or a hole: a place in the Clos grid where this fabric has
// no cable. Cells of one leaf's uplinks lie side by side, and so do those of its downlinks, so that
// scoring all spines for a flow walks two rows and gathers nothing. Cell 0 is always a hole.
#pragma once

#include <cstdint>

#include "spineweave/types.hpp"

namespace spineweave {

// One (source port, destination port) pair of a flow; a flow with single-port ends has one block.
// The candidates of block b are the flow's path indices
// [first_path, first_path + num_candidates(view, b)).
struct PathBlock {
  std::uint32_t access_up = 0;    // cell of the source's access link
  std::uint32_t access_down = 0;  // cell of the destination's access link
  std::uint32_t src = 0;          // tiered: leaf row; explicit: index of the leaf pair
  std::uint32_t dst = 0;          // tiered: leaf row
  std::uint32_t height = 0;       // tiered: 0 same leaf, 1 over an aggregation, 2 over a core
  PathIndex first_path = 0;
};

enum class PathKind : std::uint32_t {
  tiered,    // implicit: the grid of a two- or three-tier Clos
  explicit_  // CSR: shortest paths of any graph, shared by all flows between two switches
};

// Tiered candidates in their order, which is the order of link sequences where nothing is missing:
//   height 1: (up slot, down cable)            up slot = position * leaf_trunk + cable
//   height 2: (up slot, core slot, aggregation of the plane, core cable, down cable)
//             core slot = core * core_trunk + cable
struct PathView {
  PathKind kind = PathKind::tiered;
  std::uint32_t num_cells = 0;
  std::uint32_t num_leaves = 0, num_pods = 0;  // tiered
  std::uint32_t num_pairs = 0;                 // explicit

  std::uint32_t aggs_per_pod = 0, leaf_trunk = 1, aggs_per_plane = 1, core_trunk = 1;
  std::uint32_t leaf_slots = 0;                    // row width of a leaf: aggs_per_pod * leaf_trunk
  std::uint32_t core_slots = 0;                    // row width of an aggregation: cores_per_plane * core_trunk
  std::uint32_t leaf_stride = 0, core_stride = 0;  // row widths, padded
  std::uint32_t leaf_up = 0, leaf_down = 0;        // first cell of the leaves' rows
  std::uint32_t agg_up = 0, agg_down = 0;          // first cell of the aggregations' rows
  const std::uint32_t* pod_of_leaf = nullptr;      // [num_leaves]
  const std::uint32_t* agg_row = nullptr;          // [num_pods * aggs_per_pod] row, or kNone: no such switch

  const std::uint32_t* pair_begin = nullptr;  // [num_pairs + 1] into path_begin
  const std::uint32_t* path_begin = nullptr;  // [paths + 1] into path_cells
  const std::uint32_t* path_cells = nullptr;
};

}  // namespace spineweave
