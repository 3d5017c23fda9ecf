#include <fmt/format.h>

#include <algorithm>

#include "fabric/structure.hpp"
#include "fabric/survey_parts.hpp"

namespace spineweave {
namespace {

constexpr std::size_t kMostPairs = 1000;  // named; one dead spine can cut off millions

bool is_live(const Fabric& fabric, const Link& link) {
  return link.state != LinkState::down && fabric.node(link.from).role != NodeRole::aggregation &&
         fabric.node(link.to).role != NodeRole::aggregation;
}

// For each switch, the set of leaves that its live links lead to, one bit a leaf.
class LeafSets {
 public:
  LeafSets(std::uint32_t switches, std::size_t leaves) : words_((leaves + 63) / 64), bits_(switches * words_, 0) {}

  void insert(std::uint32_t at, std::size_t leaf) { bits_[at * words_ + leaf / 64] |= std::uint64_t{1} << (leaf % 64); }
  [[nodiscard]] bool contains(std::uint32_t at, std::size_t leaf) const {
    return (bits_[at * words_ + leaf / 64] >> (leaf % 64) & 1U) != 0;
  }
  // True where that adds something.
  bool add_all(std::uint32_t at, std::uint32_t other) {
    std::uint64_t added = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t more = bits_[other * words_ + w] & ~bits_[at * words_ + w];
      bits_[at * words_ + w] |= more;
      added |= more;
    }
    return added != 0;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

class ReachSurvey {
 public:
  explicit ReachSurvey(const Fabric& fabric) : fabric_(fabric), first_(fabric.num_endpoints()) {
    for (NodeId n = first_; n < fabric.num_nodes(); ++n) {
      const auto links = fabric.links_from(n);
      const bool serves =
          std::any_of(links.begin(), links.end(), [&](const Link& l) { return l.to < first_ && is_live(fabric, l); });
      if (serves) leaves_.push_back(n);
    }
  }

  // Where tiers are known a path goes up and then down, so the leaves below come first, then those
  // that a way up leads to; switches are numbered by tier, so one pass each is enough. Elsewhere any
  // way counts, and passes repeat until nothing is added.
  [[nodiscard]] LeafSets reachable() const {
    LeafSets sets(fabric_.num_switches(), leaves_.size());
    for (std::size_t i = 0; i < leaves_.size(); ++i) sets.insert(leaves_[i] - first_, i);
    if (!fabric_.tiers_known()) {
      for (bool changed = true; changed;) {
        changed = false;
        for (NodeId n = first_; n < fabric_.num_nodes(); ++n)
          changed |= add_from(sets, n, [](const Node&, const Node&) { return true; });
      }
      return sets;
    }
    for (NodeId n = first_; n < fabric_.num_nodes(); ++n)
      add_from(sets, n, [](const Node& from, const Node& to) { return to.tier < from.tier; });
    for (NodeId n = fabric_.num_nodes(); n-- > first_;)
      add_from(sets, n, [](const Node& from, const Node& to) { return to.tier > from.tier; });
    return sets;
  }

  void report_pairs(const LeafSets& sets, std::vector<Finding>& findings) const {
    std::vector<std::string> names;
    std::size_t pairs = 0;
    const auto reaches = [&](std::size_t a, std::size_t b) { return sets.contains(leaves_[a] - first_, b); };
    for (std::size_t a = 0; a < leaves_.size(); ++a) {
      for (std::size_t b = a + 1; b < leaves_.size(); ++b) {
        const bool there = reaches(a, b);
        const bool back = reaches(b, a);
        if (there && back) continue;
        if (pairs++ >= kMostPairs) continue;
        const std::string& first = fabric_.node(leaves_[there ? b : a]).name;
        const std::string& second = fabric_.node(leaves_[there ? a : b]).name;
        names.push_back(fmt::format("{}{}{}", first, there || back ? "->" : "-", second));
      }
    }
    if (pairs == 0) return;
    std::string what = "pairs of leaves without a live path";
    if (pairs > kMostPairs) what += fmt::format(" ({} in all, the first {} named)", pairs, kMostPairs);
    findings.push_back({std::move(what), std::move(names)});
  }

  void report_lost_switches(std::vector<Finding>& findings) const {
    DisjointSets sets(fabric_.num_nodes());
    for (const Link& link : fabric_.links())
      if (is_live(fabric_, link)) sets.join(link.from, link.to);
    std::vector<bool> serves(fabric_.num_nodes(), false);
    for (const NodeId leaf : leaves_) serves[sets.find(leaf)] = true;
    Finding lost{"switches that reach nothing", {}};
    for (NodeId n = first_; n < fabric_.num_nodes(); ++n)
      if (!serves[sets.find(n)]) lost.names.push_back(fabric_.node(n).name);
    if (!lost.names.empty()) findings.push_back(std::move(lost));
  }

 private:
  template <class Follows>
  bool add_from(LeafSets& sets, NodeId n, Follows follows) const {
    bool added = false;
    for (const Link& link : fabric_.links_from(n))
      if (link.to >= first_ && is_live(fabric_, link) && follows(fabric_.node(n), fabric_.node(link.to)))
        added |= sets.add_all(n - first_, link.to - first_);
    return added;
  }

  const Fabric& fabric_;
  NodeId first_;
  std::vector<NodeId> leaves_;  // switches with a live endpoint
};

}  // namespace

void survey_reach(const Fabric& fabric, std::vector<Finding>& findings) {
  const ReachSurvey reach(fabric);
  reach.report_lost_switches(findings);
  // Leaves of a rail-only fabric reach no other leaf, and are meant so.
  const bool rail_only = fabric.clos() != nullptr && fabric.clos()->num_tiers == 1;
  const bool intact = fabric.clos() != nullptr && fabric.clos()->symmetric;
  if (!rail_only && !intact) reach.report_pairs(reach.reachable(), findings);
}

}  // namespace spineweave
