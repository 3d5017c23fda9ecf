#include "report/heat_map.hpp"

#include <algorithm>

namespace spineweave::report {
namespace {

// Cells that fit the page: the narrow pictures stand four in a row, the wide ones two.
constexpr std::uint32_t kNarrowColumns = 64;
constexpr std::uint32_t kRowsWhenNarrow = 256;
constexpr std::uint32_t kWideColumns = 128;
constexpr std::uint32_t kRowsWhenWide = 128;
constexpr std::uint32_t kStripColumns = 480;

std::uint32_t blocks_of(std::uint32_t total, std::uint32_t most) { return (total + most - 1) / most; }

// Of two links that share a cell: a live one rather than a dead one, the fuller, the first.
bool outshines(LinkId candidate, LinkId shown, const Fabric& fabric, const LinkLoads& loads) {
  if (candidate == kNone) return false;
  if (shown == kNone) return true;
  if (is_dead(fabric, candidate) != is_dead(fabric, shown)) return is_dead(fabric, shown);
  return loads.utilisation[candidate] > loads.utilisation[shown];
}

LinkGrid empty_grid(std::string title, std::uint32_t rows, std::uint32_t columns) {
  return {std::move(title), rows, columns, std::vector<LinkId>(std::size_t{rows} * columns, kNone)};
}

}  // namespace

std::vector<HeatMap> lay_out_heat_maps(const Fabric& fabric) {
  std::vector<HeatMap> maps;
  const ClosShape* clos = fabric.clos();
  if (clos == nullptr || clos->num_aggs == 0) return maps;
  const NodeId first_leaf = fabric.num_endpoints();
  const NodeId first_agg = first_leaf + clos->num_leaves;
  const NodeId first_core = first_agg + clos->num_aggs;
  const bool three_tiers = clos->num_tiers == 3;

  const std::uint32_t leaf_columns = clos->aggs_per_pod * clos->leaf_trunk;
  maps.push_back(
      {"leaves", "uplinks", fabric.node(first_leaf).name, fabric.node(first_agg - 1).name,
       empty_grid(three_tiers ? "Up: leaf to aggregation" : "Up: leaf to spine", clos->num_leaves, leaf_columns),
       empty_grid(three_tiers ? "Down: aggregation to leaf" : "Down: spine to leaf", clos->num_leaves, leaf_columns)});
  if (three_tiers && clos->cores_per_plane > 0) {
    const std::uint32_t core_columns = clos->cores_per_plane * clos->core_trunk;
    maps.push_back({"aggregations", "core links", fabric.node(first_agg).name, fabric.node(first_core - 1).name,
                    empty_grid("Up: aggregation to core", clos->num_aggs, core_columns),
                    empty_grid("Down: core to aggregation", clos->num_aggs, core_columns)});
  }
  for (LinkId id = 0; id < fabric.num_links(); ++id) {
    const Link& link = fabric.link(id);
    const NodeId low = std::min(link.from, link.to);
    const NodeId high = std::max(link.from, link.to);
    if (low < first_leaf || high < first_agg || high >= first_core + clos->num_cores) continue;
    const bool to_core = high >= first_core;
    HeatMap& map = maps[to_core ? 1 : 0];
    const std::uint32_t trunk = to_core ? clos->core_trunk : clos->leaf_trunk;
    const std::uint32_t row = low - (to_core ? first_agg : first_leaf);
    const std::uint32_t column = clos->position[high - first_leaf] * trunk + link.parallel;
    LinkGrid& grid = link.from == low ? map.up : map.down;
    grid.links[std::size_t{row} * grid.columns + column] = id;
  }
  return maps;
}

Picture shrink(const LinkGrid& grid, const Fabric& fabric, const LinkLoads& loads) {
  const bool narrow = grid.columns <= kNarrowColumns;
  Picture picture;
  picture.rows_per_cell = blocks_of(grid.rows, narrow ? kRowsWhenNarrow : kRowsWhenWide);
  picture.columns_per_cell = narrow ? 1 : blocks_of(grid.columns, kWideColumns);
  picture.rows = blocks_of(grid.rows, picture.rows_per_cell);
  picture.columns = blocks_of(grid.columns, picture.columns_per_cell);
  picture.shown.assign(std::size_t{picture.rows} * picture.columns, kNone);
  for (std::uint32_t row = 0; row < grid.rows; ++row) {
    for (std::uint32_t column = 0; column < grid.columns; ++column) {
      const LinkId link = grid.links[std::size_t{row} * grid.columns + column];
      LinkId& shown =
          picture.shown[std::size_t{row / picture.rows_per_cell} * picture.columns + column / picture.columns_per_cell];
      if (outshines(link, shown, fabric, loads)) shown = link;
    }
  }
  return picture;
}

Picture sorted_strip(const Fabric& fabric, const LinkLoads& loads) {
  std::vector<LinkId> links = counted_links(fabric);
  std::ranges::stable_sort(links, [&](LinkId a, LinkId b) { return outshines(a, b, fabric, loads); });
  Picture picture;
  const auto total = static_cast<std::uint32_t>(links.size());
  picture.rows = 1;
  picture.columns_per_cell = std::max(1U, blocks_of(total, kStripColumns));
  picture.columns = blocks_of(total, picture.columns_per_cell);
  for (std::uint32_t first = 0; first < total; first += picture.columns_per_cell) picture.shown.push_back(links[first]);
  return picture;
}

}  // namespace spineweave::report
