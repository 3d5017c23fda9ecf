// Link loads over time as coloured cells.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/chart.hpp"
#include "report/html.hpp"
#include "report/simulation_plots.hpp"

namespace spineweave::report {
namespace {

constexpr double kWidth = 880, kLeft = 92, kRight = 800, kTop = 92;
constexpr double kBandHeight = 128, kBandGap = 34;
constexpr std::size_t kMostRows = 64;
constexpr int kColors = 8;       // steps up to a full link, and from there on
constexpr double kMostLoad = 5;  // where the colours end

// Rows of links whose fullest is shown: those of one switch of the highest tier, or of several.
std::vector<std::vector<LinkId>> rows_of(const Fabric& fabric) {
  const ClosShape* clos = fabric.clos();
  const NodeId first_switch = fabric.num_endpoints();
  NodeId first_top = kNone;
  if (clos != nullptr) first_top = first_switch + clos->num_leaves + (clos->num_tiers == 3 ? clos->num_aggs : 0);
  std::vector<std::vector<LinkId>> groups(clos != nullptr ? fabric.num_nodes() - first_top : 0);
  for (LinkId id = 0; id < fabric.num_links(); ++id) {
    const Link& link = fabric.link(id);
    if (std::min(link.from, link.to) < first_switch) continue;
    const NodeId high = std::max(link.from, link.to);
    if (clos == nullptr)
      groups.push_back({id});
    else if (high >= first_top)
      groups[high - first_top].push_back(id);
  }
  const std::size_t together = std::max<std::size_t>(1, (groups.size() + kMostRows - 1) / kMostRows);
  std::vector<std::vector<LinkId>> rows((groups.size() + together - 1) / together);
  for (std::size_t i = 0; i < groups.size(); ++i) std::ranges::copy(groups[i], std::back_inserter(rows[i / together]));
  return rows;
}

int mix(int from, int to, double share) { return static_cast<int>(from + (to - from) * share + 0.5); }

// Up to a full link from white to blue; what is asked for beyond that from orange to dark red.
std::string color_of_load(double load) {
  const bool crowded = load > 1.02;
  const double share = crowded ? std::clamp((load - 1) / (kMostLoad - 1), 0.0, 1.0) : std::clamp(load, 0.0, 1.0);
  const double step = std::round(share * kColors) / kColors;
  if (!crowded)
    return fmt::format("#{:02x}{:02x}{:02x}", mix(0xf7, 0x4a, step), mix(0xf9, 0x83, step), mix(0xfb, 0xc4, step));
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0xf4, 0x7f, step), mix(0xa2, 0x0f, step), mix(0x4f, 0x1a, step));
}

std::string draw_band(const Simulation& simulation, const std::vector<std::vector<LinkId>>& rows, std::size_t links,
                      double top, std::uint64_t end_ns) {
  const LoadTimeline& loads = simulation.loads;
  const double width = (kRight - kLeft) * static_cast<double>(loads.interval_ns) / static_cast<double>(end_ns);
  const double height = kBandHeight / static_cast<double>(rows.size());
  std::string svg;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::string color;
    std::uint32_t first = 0;
    // Neighbours of one colour are one rectangle.
    const auto flush = [&](std::uint32_t end) {
      if (!color.empty() && end > first) {
        const double left = kLeft + width * first;
        svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.2f}\" width=\"{:.1f}\" height=\"{:.2f}\" fill=\"{}\"/>\n", left,
                           top + height * static_cast<double>(row),
                           std::min(width * (end - first), kRight - left) + 0.1, height + 0.1, color);
      }
      first = end;
    };
    for (std::uint32_t interval = 0; interval < loads.num_intervals; ++interval) {
      float fullest = 0;
      for (const LinkId link : rows[row]) fullest = std::max(fullest, loads.loads[interval * links + link]);
      const std::string now = color_of_load(fullest);
      if (now != color) flush(interval), color = now;
    }
    flush(loads.num_intervals);
  }
  return svg;
}

std::string draw_legend(double y) {
  std::string svg;
  double x = kLeft;
  const auto add_text = [&](const std::string& text) {
    svg += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>", x, y + 11, text);
    x += 8.0 * static_cast<double>(text.size()) + 6;
  };
  const auto add_colors = [&](double from, double to) {
    for (int i = 0; i <= kColors; ++i, x += 14)
      svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"14\" height=\"12\" fill=\"{}\"/>", x, y,
                         color_of_load(from + (to - from) * i / kColors));
    x += 8;
  };
  add_text("idle");
  add_colors(0, 1);
  add_text("exactly full");
  add_colors(1.03, kMostLoad);
  add_text(fmt::format("asked for {:g} times its capacity, or more", kMostLoad));
  return svg + "\n";
}

}  // namespace

std::string link_load_plot(std::string_view subtitle, const Fabric& fabric, std::span<const Simulation> simulations) {
  const std::vector<std::vector<LinkId>> rows = rows_of(fabric);
  std::uint64_t end_ns = 1;
  std::vector<const Simulation*> shown;
  for (const Simulation& simulation : simulations) {
    if (simulation.loads.num_intervals == 0) continue;
    shown.push_back(&simulation);
    end_ns = std::max(end_ns, simulation.end_ns);
  }
  const ClosShape* clos = fabric.clos();
  const char* noun = clos == nullptr ? "link" : clos->num_tiers == 3 ? "core" : "spine";
  constexpr const char* kTitle = "Link load over time";
  if (shown.empty() || rows.empty())
    return open_picture(kWidth, 90, kTitle, fmt::format("{}: nothing to show", subtitle)) + close_picture();
  const double bottom = kTop + (kBandHeight + kBandGap) * static_cast<double>(shown.size()) - kBandGap;
  std::string svg = open_picture(kWidth, bottom + 84, kTitle, subtitle);
  double top = kTop;
  for (const Simulation* simulation : shown) {
    svg +=
        fmt::format("<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>\n", kLeft, top - 7, name_of(simulation->solver));
    svg += draw_band(*simulation, rows, fabric.num_links(), top, end_ns);
    svg += draw_frame({kLeft, kRight, top, top + kBandHeight});
    svg += fmt::format("<text class=\"end\" x=\"{}\" y=\"{}\">first</text>", kLeft - 8, top + 11);
    svg +=
        fmt::format("<text class=\"end\" x=\"{}\" y=\"{}\">last {}</text>\n", kLeft - 8, top + kBandHeight - 2, noun);
    top += kBandHeight + kBandGap;
  }
  const Scale time = Scale::linear(0, static_cast<double>(end_ns) / 1e9, kLeft, kRight);
  for (const Scale::Tick& tick : time.ticks())
    svg += fmt::format("<text class=\"middle\" x=\"{:.1f}\" y=\"{}\">{:g} s</text>\n", time.place(tick.value),
                       bottom + 20, tick.value);
  return svg + draw_legend(bottom + 44) + close_picture();
}

}  // namespace spineweave::report
