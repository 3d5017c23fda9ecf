#include <algorithm>

#include "problem/build.hpp"

namespace spineweave {
namespace {

// Rows start on 64-byte lines.
constexpr std::uint32_t kCellsPerLine = 16;
std::uint32_t padded(std::uint32_t cells) { return (cells + kCellsPerLine - 1) / kCellsPerLine * kCellsPerLine; }

}  // namespace

CellLayout lay_out_cells(const Fabric& fabric, bool tiered, PathView& view) {
  CellLayout layout;
  layout.cell_of_link.assign(fabric.num_links(), kNone);
  std::uint32_t next = 1;
  if (tiered) {
    const ClosShape& clos = *fabric.clos();
    const NodeId first_leaf = fabric.num_endpoints();
    const NodeId first_agg = first_leaf + clos.num_leaves;
    const NodeId first_core = first_agg + clos.num_aggs;
    view.kind = PathKind::tiered;
    view.num_leaves = clos.num_leaves;
    view.num_pods = clos.num_pods;
    view.aggs_per_pod = clos.aggs_per_pod;
    view.leaf_trunk = clos.leaf_trunk;
    view.aggs_per_plane = clos.aggs_per_plane;
    view.core_trunk = clos.core_trunk;
    view.leaf_slots = clos.aggs_per_pod * clos.leaf_trunk;
    view.core_slots = clos.cores_per_plane * clos.core_trunk;
    view.leaf_stride = padded(view.leaf_slots);
    view.core_stride = padded(view.core_slots);
    const std::uint32_t num_agg_rows = clos.num_tiers == 3 ? clos.num_aggs : 0;
    view.leaf_up = kCellsPerLine;
    view.leaf_down = view.leaf_up + clos.num_leaves * view.leaf_stride;
    view.agg_up = view.leaf_down + clos.num_leaves * view.leaf_stride;
    view.agg_down = view.agg_up + num_agg_rows * view.core_stride;
    next = view.agg_down + num_agg_rows * view.core_stride;

    layout.pod_of_leaf.assign(clos.num_leaves, 0);
    if (clos.num_tiers == 3)
      for (std::uint32_t leaf = 0; leaf < clos.num_leaves; ++leaf)
        layout.pod_of_leaf[leaf] = fabric.node(first_leaf + leaf).pod;
    layout.agg_row.assign(std::size_t{clos.num_pods} * clos.aggs_per_pod, kNone);
    const auto position = [&](NodeId id) { return clos.position[id - first_leaf]; };
    for (std::uint32_t row = 0; row < clos.num_aggs; ++row) {
      const std::uint32_t pod = clos.num_tiers == 3 ? fabric.node(first_agg + row).pod : 0;
      layout.agg_row[std::size_t{pod} * clos.aggs_per_pod + position(first_agg + row)] = row;
    }
    const auto is_leaf = [&](NodeId id) { return id >= first_leaf && id < first_agg; };
    const auto is_agg = [&](NodeId id) { return id >= first_agg && id < first_core; };
    for (LinkId id = 0; id < fabric.num_links(); ++id) {
      const Link& link = fabric.link(id);
      std::uint32_t& cell = layout.cell_of_link[id];
      if (is_leaf(link.from) && is_agg(link.to))
        cell = view.leaf_up + (link.from - first_leaf) * view.leaf_stride + position(link.to) * clos.leaf_trunk +
               link.parallel;
      if (is_agg(link.from) && is_leaf(link.to))
        cell = view.leaf_down + (link.to - first_leaf) * view.leaf_stride + position(link.from) * clos.leaf_trunk +
               link.parallel;
      if (is_agg(link.from) && link.to >= first_core)
        cell = view.agg_up + (link.from - first_agg) * view.core_stride + position(link.to) * clos.core_trunk +
               link.parallel;
      if (link.from >= first_core && is_agg(link.to))
        cell = view.agg_down + (link.to - first_agg) * view.core_stride + position(link.from) * clos.core_trunk +
               link.parallel;
    }
  }
  for (std::uint32_t& cell : layout.cell_of_link)
    if (cell == kNone) cell = next++;
  view.num_cells = next;
  layout.link_of_cell.assign(view.num_cells, kNone);
  for (LinkId id = 0; id < fabric.num_links(); ++id) layout.link_of_cell[layout.cell_of_link[id]] = id;
  return layout;
}

}  // namespace spineweave
