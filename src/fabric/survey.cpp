#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fabric/survey_parts.hpp"

namespace spineweave {
namespace {

void add(std::vector<Finding>& findings, std::string what, std::vector<std::string> names) {
  if (!names.empty()) findings.push_back({std::move(what), std::move(names)});
}

// "A-B" once where both directions are in that state, "A->B" where one is.
void survey_states(const Fabric& fabric, std::vector<Finding>& findings) {
  std::vector<std::string> down;
  std::vector<std::string> degraded;
  for (LinkId id = 0; id < fabric.num_links(); ++id) {
    const Link& link = fabric.link(id);
    if (link.state == LinkState::up) continue;
    const bool both = fabric.link(fabric.reverse(id)).state == link.state;
    if (both && fabric.reverse(id) < id) continue;
    std::string name = fabric.link_name(id);
    if (both) name.erase(fabric.node(link.from).name.size() + 1, 1);  // the '>' of "A->B"
    if (link.state == LinkState::degraded)
      name += fmt::format(" ({:g} of {:g} Gbit/s)", static_cast<double>(link.capacity_bps + link.reserved_bps) / 1e9,
                          static_cast<double>(link.nominal_bps) / 1e9);
    (link.state == LinkState::down ? down : degraded).push_back(std::move(name));
  }
  add(findings, "links that are down", std::move(down));
  add(findings, "links that are degraded", std::move(degraded));
}

// Among the cables between two neighbouring tiers, those that are not as fast as most.
void survey_capacities(const Fabric& fabric, std::vector<Finding>& findings) {
  const auto lower_end = [&](const Link& link) { return fabric.node(link.from).tier < fabric.node(link.to).tier; };
  std::map<std::uint32_t, std::map<std::uint64_t, std::size_t>> times;  // tier -> bit/s -> cables
  for (const Link& link : fabric.links())
    if (lower_end(link) && fabric.node(link.from).role != NodeRole::aggregation)
      ++times[fabric.node(link.from).tier][link.nominal_bps];
  for (const auto& [tier, capacities] : times) {
    if (capacities.size() < 2) continue;
    const auto most = std::max_element(capacities.begin(), capacities.end(), [](const auto& a, const auto& b) {
                        return a.second < b.second;
                      })->first;
    std::vector<std::string> names;
    for (LinkId id = 0; id < fabric.num_links(); ++id) {
      const Link& link = fabric.link(id);
      const Node& from = fabric.node(link.from);
      if (lower_end(link) && from.tier == tier && from.role != NodeRole::aggregation && link.nominal_bps != most)
        names.push_back(
            fmt::format("{} ({:g} Gbit/s)", fabric.link_name(id), static_cast<double>(link.nominal_bps) / 1e9));
    }
    add(findings,
        fmt::format("links up from tier {} without the {:g} Gbit/s of most", tier, static_cast<double>(most) / 1e9),
        std::move(names));
  }
}

}  // namespace

std::vector<Finding> survey(const Fabric& fabric) {
  std::vector<Finding> findings;
  survey_states(fabric, findings);
  survey_grid(fabric, findings);
  survey_capacities(fabric, findings);
  survey_reach(fabric, findings);
  survey_rails(fabric, findings);
  return findings;
}

}  // namespace spineweave
