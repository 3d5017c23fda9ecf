// Where each link stands in the link-load pictures, before it is known how full it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/link_loads.hpp"
#include "spineweave/fabric.hpp"

namespace spineweave::report {

// One direction of the links between two tiers.
struct LinkGrid {
  std::string title;  // "Up: leaf to spine"
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::vector<LinkId> links;  // [rows * columns], kNone: no cable in this place
};

// Both directions, with one meaning of rows and columns.
struct HeatMap {
  std::string row_noun, column_noun;  // "leaves", "uplinks"
  std::string first_row, last_row;    // names
  LinkGrid up, down;
};

// Clos: leaves by uplink slots and, where three tiers, aggregations by cores of their plane. Empty for
// other fabrics.
[[nodiscard]] std::vector<HeatMap> lay_out_heat_maps(const Fabric& fabric);

// A grid small enough to draw: each cell stands for a block of links and shows its fullest.
struct Picture {
  std::uint32_t rows = 0, columns = 0;
  std::uint32_t rows_per_cell = 1, columns_per_cell = 1;
  std::vector<LinkId> shown;  // [rows * columns], kNone: none; a dead link only where all are dead
};
[[nodiscard]] Picture shrink(const LinkGrid& grid, const Fabric& fabric, const LinkLoads& loads);

// All counted links in one row, the fullest first: the picture of fabrics that are no Clos.
[[nodiscard]] Picture sorted_strip(const Fabric& fabric, const LinkLoads& loads);

}  // namespace spineweave::report
