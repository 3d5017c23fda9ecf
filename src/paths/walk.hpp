// Reading a PathView: how many candidates a block has, which cells one of them loads, and back.
#pragma once

#include <cstdint>

#include "spineweave/paths.hpp"
#include "util/host_device.hpp"

namespace spineweave {

SPINEWEAVE_HOST_DEVICE inline std::uint32_t num_candidates(const PathView& view, const PathBlock& block) {
  if (view.kind == PathKind::explicit_) return view.pair_begin[block.src + 1] - view.pair_begin[block.src];
  if (block.height == 0) return 1;
  const std::uint32_t down =
      block.height == 1 ? view.leaf_trunk : view.aggs_per_plane * view.core_trunk * view.leaf_trunk;
  return view.leaf_slots * down * (block.height == 1 ? 1 : view.core_slots);
}

// Slots serve as rows where a slot of the source's row meets the same slot of the destination's: no
// parallel cables, one aggregation a plane.
SPINEWEAVE_HOST_DEVICE inline bool has_slot_rows(const PathView& view) {
  return view.kind == PathKind::tiered && view.leaf_trunk == 1 && view.core_trunk == 1 && view.aggs_per_plane == 1;
}

// The row of the aggregation at a leaf's pod and a position in it, or kNone.
SPINEWEAVE_HOST_DEVICE inline std::uint32_t agg_row(const PathView& view, std::uint32_t leaf, std::uint32_t position) {
  return view.agg_row[view.pod_of_leaf[leaf] * view.aggs_per_pod + position];
}

// A tiered candidate taken apart. Slots count within their row.
struct TieredPath {
  std::uint32_t up_slot = 0;                           // of the source leaf
  std::uint32_t down_slot = 0;                         // of the destination leaf
  std::uint32_t core_up_slot = 0, core_down_slot = 0;  // height 2
  std::uint32_t up_position = 0, down_position = 0;    // of the aggregations in their pods
};

SPINEWEAVE_HOST_DEVICE inline TieredPath take_apart(const PathView& view, std::uint32_t height, PathIndex path) {
  TieredPath parts;
  const std::uint32_t down_cable = path % view.leaf_trunk;
  path /= view.leaf_trunk;
  if (height == 1) {
    parts.up_slot = path;
    parts.up_position = parts.down_position = path / view.leaf_trunk;
  } else {
    const std::uint32_t core_cable = path % view.core_trunk;
    path /= view.core_trunk;
    const std::uint32_t in_plane = path % view.aggs_per_plane;
    path /= view.aggs_per_plane;
    parts.core_up_slot = path % view.core_slots;
    parts.up_slot = path / view.core_slots;
    parts.up_position = parts.up_slot / view.leaf_trunk;
    parts.down_position = parts.up_position / view.aggs_per_plane * view.aggs_per_plane + in_plane;
    parts.core_down_slot = parts.core_up_slot / view.core_trunk * view.core_trunk + core_cable;
  }
  parts.down_slot = parts.down_position * view.leaf_trunk + down_cable;
  return parts;
}

SPINEWEAVE_HOST_DEVICE inline PathIndex put_together(const PathView& view, std::uint32_t height,
                                                     const TieredPath& parts) {
  PathIndex path = parts.up_slot;
  if (height == 2) {
    path = path * view.core_slots + parts.core_up_slot;
    path = path * view.aggs_per_plane + parts.down_position % view.aggs_per_plane;
    path = path * view.core_trunk + parts.core_down_slot % view.core_trunk;
  }
  return path * view.leaf_trunk + parts.down_slot % view.leaf_trunk;
}

// Calls visit(cell) for the switch-to-switch cells of the block's candidate `path`, in path order.
// A place where no aggregation stands is visited as cell 0, the hole that is always dead.
template <class Visit>
SPINEWEAVE_HOST_DEVICE inline void visit_fabric_cells(const PathView& view, const PathBlock& block, PathIndex path,
                                                      Visit&& visit) {
  if (view.kind == PathKind::explicit_) {
    const std::uint32_t at = view.pair_begin[block.src] + path;
    for (std::uint32_t i = view.path_begin[at]; i < view.path_begin[at + 1]; ++i) visit(view.path_cells[i]);
    return;
  }
  if (block.height == 0) return;
  const TieredPath parts = take_apart(view, block.height, path);
  visit(view.leaf_up + block.src * view.leaf_stride + parts.up_slot);
  if (block.height == 2) {
    const std::uint32_t up = agg_row(view, block.src, parts.up_position);
    const std::uint32_t down = agg_row(view, block.dst, parts.down_position);
    visit(up == kNone ? 0 : view.agg_up + up * view.core_stride + parts.core_up_slot);
    visit(down == kNone ? 0 : view.agg_down + down * view.core_stride + parts.core_down_slot);
  }
  visit(view.leaf_down + block.dst * view.leaf_stride + parts.down_slot);
}

// The same with the access links at both ends.
template <class Visit>
SPINEWEAVE_HOST_DEVICE inline void visit_cells(const PathView& view, const PathBlock& block, PathIndex path,
                                               Visit&& visit) {
  visit(block.access_up);
  visit_fabric_cells(view, block, path, visit);
  visit(block.access_down);
}

}  // namespace spineweave
