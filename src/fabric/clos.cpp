// Recognises the grid that a two- or three-tier Clos fills.
#include <algorithm>
#include <map>

#include "fabric/structure.hpp"

namespace spineweave {
namespace {

class Recogniser {
 public:
  explicit Recogniser(const Fabric& fabric) : fabric_(fabric), first_(fabric.num_endpoints()) {}

  std::shared_ptr<const ClosShape> run() {
    if (!fabric_.tiers_known() || !count_tiers()) return nullptr;
    shape_.position.assign(fabric_.num_switches(), kNone);
    if (shape_.num_tiers == 3) {
      place_in_planes();
    } else {
      place_in_one_pod();
    }
    measure_trunks();
    const std::uint64_t grid = std::uint64_t{shape_.num_leaves} * shape_.aggs_per_pod * shape_.leaf_trunk +
                               std::uint64_t{shape_.num_aggs} * shape_.cores_per_plane * shape_.core_trunk;
    // A grid with more holes than cables costs more to walk than a list of paths.
    if (grid > 4 * std::uint64_t{fabric_.num_links()} + 1024) return nullptr;
    shape_.symmetric = is_symmetric(grid);
    return std::make_shared<const ClosShape>(std::move(shape_));
  }

 private:
  [[nodiscard]] std::uint32_t tier(NodeId id) const { return fabric_.node(id).tier; }
  [[nodiscard]] std::uint32_t& position(NodeId id) { return shape_.position[id - first_]; }

  // Every link joins neighbouring tiers, and endpoints that carry traffic hang off leaves alone.
  bool count_tiers() {
    for (NodeId n = first_; n < fabric_.num_nodes(); ++n) {
      if (tier(n) == kUnknownTier) continue;  // cabled to nothing that matters
      if (tier(n) < 1 || tier(n) > 3) return false;
      shape_.num_tiers = std::max(shape_.num_tiers, tier(n));
      (tier(n) == 1 ? shape_.num_leaves : tier(n) == 2 ? shape_.num_aggs : shape_.num_cores)++;
    }
    for (const Link& link : fabric_.links()) {
      const Node& from = fabric_.node(link.from);
      const Node& to = fabric_.node(link.to);
      if (to.role != NodeRole::network || from.role == NodeRole::aggregation) continue;
      if (from.role == NodeRole::network ? std::max(from.tier, to.tier) - std::min(from.tier, to.tier) != 1
                                         : to.tier != 1)
        return false;
    }
    return shape_.num_leaves > 0;
  }

  void place_in_one_pod() {
    shape_.aggs_per_pod = shape_.num_aggs;
    for (std::uint32_t i = 0; i < shape_.num_aggs; ++i) position(first_ + shape_.num_leaves + i) = i;
  }

  void place_in_planes() {
    const NodeId first_agg = first_ + shape_.num_leaves;
    const NodeId first_core = first_agg + shape_.num_aggs;
    DisjointSets sets(fabric_.num_nodes());
    std::vector<bool> has_core(fabric_.num_nodes(), false);
    for (NodeId agg = first_agg; agg < first_core; ++agg)
      for (const Link& link : fabric_.links_from(agg))
        if (link.to >= first_core) sets.join(agg, link.to), has_core[agg] = true;

    std::vector<std::uint32_t> plane_of_root(fabric_.num_nodes(), kNone);
    std::uint32_t num_planes = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> in_plane_and_pod;
    for (NodeId agg = first_agg; agg < first_core; ++agg) {
      shape_.num_pods = std::max(shape_.num_pods, fabric_.node(agg).pod + 1);
      if (!has_core[agg]) continue;
      std::uint32_t& plane = plane_of_root[sets.find(agg)];
      if (plane == kNone) plane = num_planes++;
      position(agg) = in_plane_and_pod[{plane, fabric_.node(agg).pod}]++;
      shape_.aggs_per_plane = std::max(shape_.aggs_per_plane, position(agg) + 1);
    }
    for (NodeId leaf = first_; leaf < first_agg; ++leaf)
      shape_.num_pods = std::max(shape_.num_pods, fabric_.node(leaf).pod + 1);
    for (NodeId agg = first_agg; agg < first_core; ++agg)
      if (has_core[agg]) position(agg) += plane_of_root[sets.find(agg)] * shape_.aggs_per_plane;
    place_aggs_without_core(first_agg, first_core, num_planes * shape_.aggs_per_plane);

    std::vector<std::uint32_t> cores_in_plane(num_planes, 0);
    for (NodeId core = first_core; core < first_core + shape_.num_cores; ++core) {
      const std::uint32_t plane = plane_of_root[sets.find(core)];
      if (plane == kNone) continue;
      position(core) = cores_in_plane[plane]++;
      shape_.cores_per_plane = std::max(shape_.cores_per_plane, position(core) + 1);
    }
  }

  // They still join the leaves of their pod: give each the first free place there.
  void place_aggs_without_core(NodeId first_agg, NodeId first_core, std::uint32_t places) {
    std::vector<std::vector<bool>> taken(shape_.num_pods);
    for (NodeId agg = first_agg; agg < first_core; ++agg) {
      std::vector<bool>& pod = taken[fabric_.node(agg).pod];
      pod.resize(places);
      if (position(agg) != kNone) pod[position(agg)] = true;
    }
    for (NodeId agg = first_agg; agg < first_core; ++agg) {
      if (position(agg) != kNone) continue;
      std::vector<bool>& pod = taken[fabric_.node(agg).pod];
      const auto free = static_cast<std::uint32_t>(std::find(pod.begin(), pod.end(), false) - pod.begin());
      if (free == pod.size()) pod.push_back(true);
      pod[free] = true;
      position(agg) = free;
      places = std::max(places, free + 1);
    }
    const std::uint32_t plane = shape_.aggs_per_plane;
    shape_.aggs_per_pod = (places + plane - 1) / plane * plane;
  }

  void measure_trunks() {
    for (const Link& link : fabric_.links()) {
      if (link.from < first_ || link.to < first_ || tier(link.from) > tier(link.to)) continue;
      std::uint32_t& trunk = tier(link.from) == 1 ? shape_.leaf_trunk : shape_.core_trunk;
      trunk = std::max(trunk, link.parallel + 1);
    }
  }

  [[nodiscard]] bool is_symmetric(std::uint64_t grid) const {
    std::uint64_t cables = 0;
    std::uint64_t capacity[4] = {0, 0, 0, 0};
    for (const Link& link : fabric_.links()) {
      if (fabric_.node(link.from).role == NodeRole::aggregation || fabric_.node(link.to).role == NodeRole::aggregation)
        continue;
      const std::uint32_t low = std::min(tier(link.from), tier(link.to));
      if (low >= 3) return false;
      if (capacity[low] == 0) capacity[low] = link.capacity_bps;
      if (capacity[low] != link.capacity_bps || link.state != LinkState::up) return false;
      if (low > 0 && tier(link.from) == low) ++cables;
    }
    return cables == grid;
  }

  const Fabric& fabric_;
  NodeId first_;
  ClosShape shape_;
};

}  // namespace

std::shared_ptr<const ClosShape> recognise_clos(const Fabric& fabric) { return Recogniser(fabric).run(); }

}  // namespace spineweave
