// The loads of the links between two tiers as a small grid, whatever the fabric's size: a row for a switch or for a
// group of neighbouring ones, a column for each of their places to connect to.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "service/control/snapshot.hpp"

namespace spineweave::service::api {

// Neighbouring tiers: leaves and endpoints, leaves and spines, ...
struct LinkLayer {
  std::string lower, upper;  // "leaf", "spine"
  NodeId first = 0;          // the switches that make the rows: [first, first + count)
  std::uint32_t count = 0;   // of the lower tier; leaves for endpoints
  bool is_access = false;    // to endpoints
  [[nodiscard]] std::string name() const { return is_access ? "access" : lower + " – " + upper; }
};
// From the access links upwards. Where tiers are not known, one layer holds all links between switches.
[[nodiscard]] std::vector<LinkLayer> layers_of(const Fabric& fabric);

struct LoadGrid {
  // The links of a cell in one direction. Loads are demand over capacity.
  struct Cell {
    float most = 0, most_before = 0, sum = 0;
    std::uint32_t links = 0, dead = 0;
  };
  struct Row {
    std::string name;
    std::uint32_t first = 0, count = 0;  // places in the layer
  };
  std::vector<Row> rows;
  std::vector<std::string> columns;  // a switch, or "#5" where it is another one in every row
  std::string column_kind;           // "spine", "aggregation", "core", "endpoint", ...
  std::vector<Cell> up, down;        // [rows * columns]
};

inline constexpr std::uint32_t kMostGridRows = 64, kMostGridColumns = 64;

// Loads by link, or nothing where the routing was chosen for another fabric.
struct LinkLoads {
  std::span<const float> now, before;  // [num_links] or empty
  explicit LinkLoads(const Snapshot& snapshot);
  [[nodiscard]] float now_of(LinkId link) const { return now.empty() ? 0.0F : now[link]; }
  [[nodiscard]] float before_of(LinkId link) const { return before.empty() ? 0.0F : before[link]; }
};

// The switches [first, first + count) of the layer; more than kMostGridRows of them are grouped, never across pods.
// O(links of these switches).
[[nodiscard]] LoadGrid make_load_grid(const Snapshot& snapshot, const LinkLayer& layer, std::uint32_t first,
                                      std::uint32_t count);

}  // namespace spineweave::service::api
