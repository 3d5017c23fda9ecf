// How many links are how full, before and after, as inline SVG.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html.hpp"
#include "report/numbers.hpp"
#include "report/sections.hpp"

namespace spineweave::report {
namespace {

constexpr int kWidth = 1000;
constexpr int kHeight = 250;
constexpr int kTop = 22;
constexpr int kBottom = 40;

struct Bar {
  std::string label;
  std::vector<std::uint32_t> links;  // one per side
  bool over_full = false;
};

std::string label_of(const Bin& bin) {
  if (std::isinf(bin.up_to)) return fmt::format("&gt; {:.0f}", bin.above * 100);
  return fmt::format("{:.0f}–{:.0f}", bin.above * 100, bin.up_to * 100);
}

// Idle links first, then the bins up to the last that any side fills.
std::vector<Bar> bars_of(const std::vector<Side>& sides) {
  std::vector<Bar> bars = {{"idle", {}, false}};
  for (const Side& side : sides) bars.front().links.push_back(side.links.idle);
  std::size_t used = 1;
  const std::size_t num_bins = sides.front().links.histogram.size();
  for (std::size_t b = 0; b < num_bins; ++b) {
    const Bin& bin = sides.front().links.histogram[b];
    bars.push_back({label_of(bin), {}, bin.above >= 1.0});
    for (const Side& side : sides) {
      bars.back().links.push_back(side.links.histogram[b].links);
      if (side.links.histogram[b].links > 0) used = bars.size();
    }
  }
  // Up to 100 % always, so that two reports are read alike.
  const auto within =
      static_cast<std::size_t>(std::ranges::count_if(bars, [](const Bar& bar) { return !bar.over_full; }));
  bars.resize(std::max(used, within));
  return bars;
}

}  // namespace

std::string histogram_section(const std::vector<Side>& sides) {
  const std::vector<Bar> bars = bars_of(sides);
  std::uint32_t most = 1;
  for (const Bar& bar : bars) most = std::max(most, std::ranges::max(bar.links));
  const double slot = static_cast<double>(kWidth) / static_cast<double>(bars.size());
  const double bar_width = std::min(34.0, slot * 0.92 / static_cast<double>(sides.size()));
  const int floor = kHeight - kBottom;

  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Histogram of link loads\">\n", kWidth, kHeight);
  const auto first_over = std::ranges::find_if(bars, &Bar::over_full) - bars.begin();
  if (first_over < static_cast<std::ptrdiff_t>(bars.size())) {
    const double x = slot * static_cast<double>(first_over);
    svg += fmt::format(
        "<rect class=\"over\" x=\"{:.1f}\" y=\"0\" width=\"{:.1f}\" height=\"{}\"/>"
        "<text class=\"hint\" x=\"{:.1f}\" y=\"14\">over-full</text>\n",
        x, kWidth - x, floor, x + 8);
  }
  svg += fmt::format("<line class=\"axis\" x1=\"0\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>\n", kWidth, floor, floor);
  std::string numbers;  // above all bars, so that none hides a neighbour's
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const double middle = slot * (static_cast<double>(b) + 0.5);
    double x = middle - bar_width * static_cast<double>(sides.size()) / 2;
    for (std::size_t s = 0; s < sides.size(); ++s, x += bar_width) {
      const std::uint32_t links = bars[b].links[s];
      if (links == 0) continue;
      const double height = std::max(1.5, static_cast<double>(links) / most * (floor - kTop - 14));
      svg += fmt::format(
          "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\"><title>{}: "
          "{}</title></rect>\n",
          sides[s].css_class, x + 1, floor - height, bar_width - 2, height, escape_html(sides[s].name),
          count(links, "link"));
      numbers += fmt::format("<text class=\"value\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + bar_width / 2,
                             floor - height - 4, short_count(links));
    }
    svg += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", middle, floor + 16, bars[b].label);
  }
  svg += numbers;
  svg += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\">demand / capacity, %</text></svg>\n", kWidth / 2,
                     kHeight - 4);

  std::string key;
  for (const Side& side : sides)
    key += fmt::format("<span><i class=\"key {}\"></i>{}: mean {}, {} over-full</span>", side.css_class,
                       escape_html(side.name), percent(side.links.mean_utilisation), count(side.links.over_full));
  return fmt::format("<section><h2>How full the links are</h2>\n<p class=\"keys\">{}</p>\n{}</section>\n", key, svg);
}

}  // namespace spineweave::report
