// Time against flows as one SVG picture. Both axes are logarithmic, so that what takes a constant time per
// flow runs along the dashed lines.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/bench/output.hpp"
#include "report/chart.hpp"
#include "report/numbers.hpp"

namespace spineweave::bench {
namespace {

using namespace report;

constexpr double kWidth = 880, kHeight = 560;
constexpr PlotArea kArea = {92, 768, 104, 488};
constexpr double kKeyWidth = 236;
constexpr const char* kLinearColor = "#9aa3ae";

struct Series {
  const char* name;
  const char* color;
  std::vector<std::string_view> steps;  // added up
};
const std::vector<Series> kSeries = {{"whole run", "#17202b", {"whole"}},
                                     {"load and build", "#d98324", {"load", "build"}},
                                     {"solve", "#2468b4", {"solve"}},
                                     {"assess", "#177245", {"assess"}}};

struct Extent {
  double least = INFINITY, most = 0;
  void add(double value) { least = std::min(least, value), most = std::max(most, value); }
};

std::vector<const CaseResult*> points_of(const Run& run) {
  std::vector<const CaseResult*> points;
  for (const CaseResult& item : run.cases)
    if (item.subject.group == kScaling && item.skipped.empty()) points.push_back(&item);
  return points;
}

double time_us(const CaseResult& point, const Series& series) {
  double us = 0;
  for (const std::string_view step : series.steps) us += point.step(step).median_us();
  return us;
}

// Constant time per flow: lines a factor of ten apart, those nearest to the curves, named where they leave the
// picture.
std::string linear_lines(const Extent& us_per_flow, const Scale& x, const Scale& y) {
  std::string svg;
  for (double us = std::pow(10.0, std::floor(std::log10(us_per_flow.least))); us < us_per_flow.most * 10; us *= 10) {
    const double begin = std::max(x.least(), y.least() / us);
    const double end = std::min(x.most(), y.most() / us);
    if (begin >= end) continue;
    const bool leaves_right = end == x.most();
    const double at_x = x.place(end), at_y = y.place(end * us);
    svg +=
        fmt::format("<line class=\"dashed\" stroke=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                    kLinearColor, x.place(begin), y.place(begin * us), at_x, at_y);
    svg += fmt::format("<text class=\"small{}\" x=\"{:.1f}\" y=\"{:.1f}\">{} per flow</text>\n",
                       leaves_right ? "" : " middle", at_x + (leaves_right ? 8 : 0), at_y + (leaves_right ? 4 : -8),
                       us < 1 ? fmt::format("{:.3g} ns", us * 1e3) : duration(us));
  }
  return svg;
}

std::string curves(const std::vector<const CaseResult*>& points, const ChartAxis& x, const ChartAxis& y) {
  std::string svg;
  for (const Series& series : kSeries) {
    Curve curve{series.name, {}, series.color, {}, false};
    std::string marks;
    for (const CaseResult* point : points) {
      const double us = time_us(*point, series);
      curve.points.emplace_back(point->instance.flows, us);
      marks +=
          fmt::format("<circle fill=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"><title>{}, {}: {}</title></circle>\n",
                      series.color, x.scale.place(point->instance.flows), y.scale.place(us), series.name,
                      count(point->instance.flows, "flow"), duration(us));
    }
    svg += draw_curve(curve, x, y) + marks;
  }
  return svg;
}

// In the upper left corner, which curves that rise leave free.
std::string key(const CaseResult& largest) {
  std::vector<KeyRow> rows;
  for (const Series& series : kSeries)
    rows.push_back({series.name, duration(time_us(largest, series)), series.color, false});
  rows.push_back({"linear in the flows", "", kLinearColor, true});
  return draw_key(kArea.left + 12, kArea.top + 12, kKeyWidth, count(largest.instance.flows, "flow"), rows);
}

}  // namespace

int num_plot_points(const Run& run) { return static_cast<int>(points_of(run).size()); }

std::string scaling_plot(const Run& run) {
  const std::vector<const CaseResult*> points = points_of(run);
  Extent flows, times_us, us_per_flow;
  for (const CaseResult* point : points) {
    flows.add(point->instance.flows);
    for (const Series& series : kSeries) {
      times_us.add(time_us(*point, series));
      us_per_flow.add(time_us(*point, series) / point->instance.flows);
    }
  }
  // Some room around the curves, most of it above them for the key.
  const ChartAxis x{"flows", Scale::logarithmic(flows.least / 1.3, flows.most * 1.3, kArea.left, kArea.right),
                    [](double value) { return fmt::format("{:.0f}k", value / 1e3); }};
  const ChartAxis y{"time", Scale::logarithmic(times_us.least / 1.6, times_us.most * 3, kArea.bottom, kArea.top),
                    [](double us) { return duration(us); }};
  const CaseResult& largest = *points.back();
  return open_picture(
             kWidth, kHeight, "Time against flows",
             fmt::format("Permutations over fat-trees of 400 Gbit/s, {} to {} flows; medians; {}, {}, backend {}",
                         count(points.front()->instance.flows), count(largest.instance.flows), run.machine.cpu,
                         count(largest.threads, "thread"), largest.backend)) +
         draw_grid(kArea, x, y) + linear_lines(us_per_flow, x.scale, y.scale) + draw_frame(kArea) +
         curves(points, x, y) + key(largest) + close_picture();
}

}  // namespace spineweave::bench
