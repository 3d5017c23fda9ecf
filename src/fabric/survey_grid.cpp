#include <fmt/format.h>

#include "fabric/survey_parts.hpp"

namespace spineweave {
namespace {

// Cables between a lower and a higher switch, live or not: what is built, not what works.
std::uint32_t count_cables(const Fabric& fabric, NodeId low, NodeId high) {
  std::uint32_t cables = 0;
  while (fabric.find_link(low, high, cables)) ++cables;
  return cables;
}

class GridSurvey {
 public:
  GridSurvey(const Fabric& fabric, const ClosShape& shape)
      : fabric_(fabric),
        shape_(shape),
        first_leaf_(fabric.num_endpoints()),
        first_agg_(first_leaf_ + shape.num_leaves),
        first_core_(first_agg_ + shape.num_aggs) {}

  void run(std::vector<Finding>& findings) {
    const bool three_tiers = shape_.num_tiers == 3;
    for (NodeId leaf = first_leaf_; leaf < first_agg_; ++leaf)
      for (NodeId agg = first_agg_; agg < first_core_; ++agg)
        if (fabric_.node(leaf).pod == fabric_.node(agg).pod) compare(leaf, agg, shape_.leaf_trunk);
    report(three_tiers ? "leaf-aggregation pairs of a pod" : "leaf-spine pairs", shape_.leaf_trunk, findings);
    if (!three_tiers) return;

    for (NodeId core = first_core_; core < first_core_ + shape_.num_cores; ++core) {
      const std::uint32_t plane = plane_of_core(core);
      for (NodeId agg = first_agg_; agg < first_core_; ++agg)
        if (plane_of_agg(agg) == plane) compare(agg, core, shape_.core_trunk);
    }
    report("aggregation-core pairs of a plane", shape_.core_trunk, findings);
  }

 private:
  void compare(NodeId low, NodeId high, std::uint32_t trunk) {
    const std::uint32_t cables = count_cables(fabric_, low, high);
    if (cables == trunk) return;
    std::string name = fmt::format("{}-{}", fabric_.node(low).name, fabric_.node(high).name);
    if (cables > 0) name += fmt::format(" ({})", cables);
    (cables == 0 ? none_ : fewer_).push_back(std::move(name));
  }

  void report(std::string_view pairs, std::uint32_t trunk, std::vector<Finding>& findings) {
    if (!none_.empty()) findings.push_back({fmt::format("{} without a cable", pairs), std::move(none_)});
    if (!fewer_.empty())
      findings.push_back({fmt::format("{} with fewer than {} cables", pairs, trunk), std::move(fewer_)});
    none_.clear();
    fewer_.clear();
  }

  [[nodiscard]] std::uint32_t plane_of_agg(NodeId agg) const {
    return shape_.position[agg - first_leaf_] / shape_.aggs_per_plane;
  }

  // That of any of its aggregations; a core without one is in no plane.
  [[nodiscard]] std::uint32_t plane_of_core(NodeId core) const {
    for (const Link& link : fabric_.links_from(core))
      if (link.to >= first_agg_ && link.to < first_core_) return plane_of_agg(link.to);
    return kNone;
  }

  const Fabric& fabric_;
  const ClosShape& shape_;
  NodeId first_leaf_;
  NodeId first_agg_;
  NodeId first_core_;
  std::vector<std::string> none_;
  std::vector<std::string> fewer_;
};

}  // namespace

void survey_grid(const Fabric& fabric, std::vector<Finding>& findings) {
  const ClosShape* shape = fabric.clos();
  if (shape != nullptr && !shape->symmetric) GridSurvey(fabric, *shape).run(findings);
}

}  // namespace spineweave
