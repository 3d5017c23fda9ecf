#include "report/link_loads.hpp"

#include <algorithm>
#include <limits>

#include "paths/walk.hpp"
#include "report/numbers.hpp"

namespace spineweave::report {
namespace {

constexpr double kBinEdges[] = {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0};

std::vector<Bin> empty_histogram() {
  std::vector<Bin> bins;
  for (const double edge : kBinEdges) {
    if (!bins.empty()) bins.back().up_to = edge;
    bins.push_back({edge, std::numeric_limits<double>::infinity(), 0});
  }
  return bins;
}

}  // namespace

LinkLoads load_links(const Problem& problem, const Routing& routing) {
  struct Use {
    std::uint64_t weight = 0;
    std::uint32_t flows = 0;
  };
  const std::uint32_t num_links = problem.fabric().num_links();
  LinkLoads loads{std::vector<double>(num_links, 0.0), std::vector<std::uint32_t>(num_links, 0)};
  std::vector<Use> uses(problem.num_cells());
  for (std::uint32_t phase = 0; phase < problem.num_phases(); ++phase) {
    std::ranges::fill(uses, Use{});
    for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
      if ((problem.phase_mask(flow) >> phase & 1U) == 0) continue;
      const PathBlock& block = problem.block_of(flow, routing[flow]);
      visit_cells(problem.paths(), block, routing[flow] - block.first_path, [&](std::uint32_t cell) {
        uses[cell].weight += problem.weights()[flow];
        ++uses[cell].flows;
      });
    }
    for (LinkId link = 0; link < num_links; ++link) {
      const std::uint32_t cell = problem.cell_of(link);
      const double utilisation = problem.utilisation(uses[cell].weight * problem.scales()[cell]);
      if (utilisation <= loads.utilisation[link]) continue;
      loads.utilisation[link] = utilisation;
      loads.flows[link] = uses[cell].flows;
    }
  }
  return loads;
}

bool is_dead(const Fabric& fabric, LinkId link) { return fabric.link(link).state == LinkState::down; }

bool has_switch_links(const Fabric& fabric) {
  return std::ranges::any_of(fabric.links(), [&](const Link& link) {
    return link.from >= fabric.num_endpoints() && link.to >= fabric.num_endpoints();
  });
}

std::vector<LinkId> counted_links(const Fabric& fabric) {
  const bool all = !has_switch_links(fabric);
  std::vector<LinkId> counted;
  for (LinkId id = 0; id < fabric.num_links(); ++id) {
    const Link& link = fabric.link(id);
    if (all || (link.from >= fabric.num_endpoints() && link.to >= fabric.num_endpoints())) counted.push_back(id);
  }
  return counted;
}

LinkSummary summarise_links(const Problem& problem, const LinkLoads& loads, const Assessment& assessment) {
  const Fabric& fabric = problem.fabric();
  LinkSummary summary;
  summary.histogram = empty_histogram();
  for (const LinkId link : counted_links(fabric)) {
    if (is_dead(fabric, link)) {
      ++summary.dead;
      continue;
    }
    const double utilisation = loads.utilisation[link];
    ++summary.counted;
    summary.max_utilisation = std::max(summary.max_utilisation, utilisation);
    summary.mean_utilisation += utilisation;
    summary.mean_throughput += assessment.link_bps[link] / static_cast<double>(fabric.link(link).capacity_bps);
    if (above_one(utilisation)) ++summary.over_full;
    if (loads.flows[link] == 0) {
      ++summary.idle;
      continue;
    }
    // A full link is full, even where fixed point made it a little more.
    const double rounded = above_one(utilisation) ? utilisation : std::min(utilisation, 1.0);
    const auto bin = std::ranges::find_if(summary.histogram, [&](const Bin& b) { return rounded <= b.up_to; });
    ++bin->links;
  }
  const double total = std::max(1U, summary.counted);
  summary.mean_utilisation /= total;
  summary.mean_throughput /= total;
  return summary;
}

}  // namespace spineweave::report
