#include "service/api/load_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace spineweave::service::api {
namespace {

// Switches of one tier, which are neighbours by id.
struct Tier {
  std::uint32_t number = kUnknownTier;
  NodeId first = 0;
  std::uint32_t count = 0;
};

std::vector<Tier> tiers_of(const Fabric& fabric) {
  std::vector<Tier> tiers;
  for (NodeId id = fabric.num_endpoints(); id < fabric.num_nodes(); ++id) {
    if (tiers.empty() || tiers.back().number != fabric.node(id).tier) tiers.push_back({fabric.node(id).tier, id, 0});
    ++tiers.back().count;
  }
  return tiers;
}

std::string tier_name(std::size_t place, std::size_t num_tiers) {
  if (place == 0) return "leaf";
  if (num_tiers == 2) return "spine";
  if (num_tiers == 3) return place == 1 ? "aggregation" : "core";
  return fmt::format("tier {}", place + 1);
}

std::uint32_t divide_up(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

class GridBuilder {
 public:
  GridBuilder(const Snapshot& snapshot, const LinkLayer& layer, std::uint32_t first, std::uint32_t count)
      : snapshot_(snapshot), fabric_(*snapshot.fabric), layer_(layer), loads_(snapshot) {
    divide_rows(first, count);
    divide_columns();
  }

  [[nodiscard]] LoadGrid build() && {
    grid_.up.resize(grid_.rows.size() * grid_.columns.size());
    grid_.down.resize(grid_.up.size());
    visit([&](std::size_t row, std::uint32_t column, LinkId link) {
      const std::size_t cell = row * grid_.columns.size() + column / columns_per_group_;
      const LinkId back = fabric_.reverse(link);
      add(grid_.up[cell], layer_.is_access ? back : link);
      add(grid_.down[cell], layer_.is_access ? link : back);
    });
    return std::move(grid_);
  }

 private:
  [[nodiscard]] std::uint32_t pod_of(std::uint32_t place) const { return fabric_.node(layer_.first + place).pod; }

  void divide_rows(std::uint32_t first, std::uint32_t count) {
    const std::uint32_t most = divide_up(count, kMostGridRows);
    for (std::uint32_t place = first; place < first + count; ++place) {
      const bool starts = grid_.rows.empty() || grid_.rows.back().count == most || pod_of(place) != pod_of(place - 1);
      if (starts) grid_.rows.push_back({{}, place, 0});
      ++grid_.rows.back().count;
    }
    by_plane_ = !layer_.is_access && fabric_.clos() != nullptr && grid_.rows.size() < count &&
                fabric_.node(layer_.first).tier > 1;
    for (LoadGrid::Row& row : grid_.rows) row.name = row_name(row);
  }

  [[nodiscard]] std::string row_name(const LoadGrid::Row& row) const {
    const std::uint32_t end = row.first + row.count;
    const std::string& name = fabric_.node(layer_.first + row.first).name;
    if (row.count == 1) return name;
    const std::uint32_t pod = pod_of(row.first);
    const bool is_pod = pod != kNone && (row.first == 0 || pod_of(row.first - 1) != pod) &&
                        (end == layer_.count || pod_of(end) != pod) && has_pods();
    return is_pod ? fmt::format("pod {}", pod)
                  : fmt::format("{} – {}", name, fabric_.node(layer_.first + end - 1).name);
  }

  [[nodiscard]] bool has_pods() const { return fabric_.clos() != nullptr && fabric_.clos()->num_pods > 1; }

  // A column that means one switch has its name; one that means another in every row has a number.
  void divide_columns() {
    std::vector<NodeId> node_of;
    visit([&](std::size_t, std::uint32_t column, LinkId link) {
      const NodeId other = fabric_.link(link).to;
      if (column >= node_of.size()) node_of.resize(column + 1, kNone);
      node_of[column] = node_of[column] == kNone || node_of[column] == other ? other : kNone - 1;
    });
    const auto count = static_cast<std::uint32_t>(node_of.size());
    grid_.column_kind = layer_.is_access || by_plane_ ? layer_.lower : layer_.upper;
    columns_per_group_ = std::max(1U, divide_up(count, kMostGridColumns));
    const auto name_of = [&](std::uint32_t column) {
      return node_of[column] < fabric_.num_nodes() ? fabric_.node(node_of[column]).name : fmt::format("#{}", column);
    };
    for (std::uint32_t begin = 0; begin < count; begin += columns_per_group_) {
      const std::uint32_t last = std::min(begin + columns_per_group_, count) - 1;
      grid_.columns.push_back(last == begin ? name_of(begin) : fmt::format("{} – {}", name_of(begin), name_of(last)));
    }
  }

  [[nodiscard]] bool is_in_layer(NodeId from, NodeId to) const {
    if (layer_.is_access) return to < fabric_.num_endpoints();
    return to >= fabric_.num_endpoints() && fabric_.node(to).tier >= fabric_.node(from).tier;
  }

  // Calls with (row, column, link out of the row's switch), by link. Above the leaves of a Clos a column is a position
  // in the grid of switches, so that a cable that is missing shifts nothing.
  template <class Visitor>
  void visit(Visitor visitor) const {
    const ClosShape* const clos = layer_.is_access ? nullptr : fabric_.clos();
    const auto position = [&](NodeId node) { return clos->position[node - fabric_.num_endpoints()]; };
    for (std::size_t r = 0; r < grid_.rows.size(); ++r) {
      const NodeId begin = layer_.first + grid_.rows[r].first;
      for (NodeId from = begin; from < begin + grid_.rows[r].count; ++from) {
        std::uint32_t neighbours = 0;
        NodeId before = kNone;
        for (LinkId link = fabric_.first_link(from); link < fabric_.first_link(from + 1); ++link) {
          const NodeId to = fabric_.link(link).to;
          if (!is_in_layer(from, to)) continue;
          if (to != before) ++neighbours;
          before = to;
          visitor(r, clos == nullptr ? neighbours - 1 : position(by_plane_ ? from : to), link);
        }
      }
    }
  }

  void add(LoadGrid::Cell& cell, LinkId link) const {
    ++cell.links;
    if (link_state(snapshot_, link).state == LinkState::down) ++cell.dead;
    cell.most = std::max(cell.most, loads_.now_of(link));
    cell.most_before = std::max(cell.most_before, loads_.before_of(link));
    cell.sum += loads_.now_of(link);
  }

  const Snapshot& snapshot_;
  const Fabric& fabric_;
  const LinkLayer& layer_;
  const LinkLoads loads_;
  LoadGrid grid_;
  // A pod's aggregations side by side: the same core position of two planes has nothing in common.
  bool by_plane_ = false;
  std::uint32_t columns_per_group_ = 1;
};

}  // namespace

std::vector<LinkLayer> layers_of(const Fabric& fabric) {
  const std::vector<Tier> tiers = tiers_of(fabric);
  std::vector<LinkLayer> layers;
  if (tiers.empty()) return layers;
  layers.push_back({"endpoint", "leaf", tiers.front().first, tiers.front().count, true});
  if (!fabric.tiers_known()) {
    layers.push_back({"switch", "switch", fabric.num_endpoints(), fabric.num_switches(), false});
    return layers;
  }
  for (std::size_t t = 0; t + 1 < tiers.size(); ++t)
    layers.push_back(
        {tier_name(t, tiers.size()), tier_name(t + 1, tiers.size()), tiers[t].first, tiers[t].count, false});
  return layers;
}

LinkLoads::LinkLoads(const Snapshot& snapshot) {
  const Summary* const summary = snapshot.summary.get();
  if (summary == nullptr || summary->inputs < snapshot.fabric_revision) return;
  const std::size_t num_links = snapshot.fabric->num_links();
  if (summary->link_loads.size() == num_links) now = summary->link_loads;
  if (summary->loads_before.size() == num_links) before = summary->loads_before;
}

LoadGrid make_load_grid(const Snapshot& snapshot, const LinkLayer& layer, std::uint32_t first, std::uint32_t count) {
  return GridBuilder(snapshot, layer, first, count).build();
}

}  // namespace spineweave::service::api
