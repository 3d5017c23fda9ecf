// Time against flows as one SVG picture. Both axes are logarithmic, so that what takes a constant time per
// flow runs along the dashed lines.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/bench/output.hpp"
#include "report/html.hpp"
#include "report/numbers.hpp"

namespace spineweave::bench {
namespace {

using namespace report;

constexpr double kWidth = 880, kHeight = 560;
constexpr double kLeft = 92, kRight = 768, kTop = 104, kBottom = 488;
constexpr double kKeyWidth = 236, kKeyRow = 21;

struct Series {
  const char* name;
  const char* css_class;
  std::vector<std::string_view> steps;  // added up
};
const std::vector<Series> kSeries = {{"whole run", "whole", {"whole"}},
                                     {"load and build", "load", {"load", "build"}},
                                     {"solve", "solve", {"solve"}},
                                     {"assess", "assess", {"assess"}}};

constexpr const char* kStyle =
    "svg{background:#fff;font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;font-size:13px}"
    "text{fill:#5c6878}.title{font-size:19px;font-weight:600;fill:#17202b}.name,.value{fill:#17202b}"
    ".value{text-anchor:end}.middle{text-anchor:middle}.end{text-anchor:end}.small{font-size:11px}"
    ".grid{stroke:#edf0f3}.decade{stroke:#d5dbe2}.frame{fill:none;stroke:#9aa3ae}"
    ".linear{stroke:#9aa3ae;stroke-dasharray:5 5}.key{fill:#fff;fill-opacity:.92;stroke:#d5dbe2}"
    "polyline{fill:none;stroke-width:2;stroke-linejoin:round}circle{stroke:#fff;stroke-width:1.5}"
    "polyline.solve{stroke-width:3.5}polyline.whole,line.whole{stroke:#17202b}circle.whole{fill:#17202b}"
    "polyline.load,line.load{stroke:#d98324}circle.load{fill:#d98324}"
    "polyline.solve,line.solve{stroke:#2468b4}circle.solve{fill:#2468b4}"
    "polyline.assess,line.assess{stroke:#177245}circle.assess{fill:#177245}.sample{stroke-width:3}";

struct Extent {
  double least = INFINITY, most = 0;
  void add(double value) { least = std::min(least, value), most = std::max(most, value); }
};

double power_of_ten_below(double value) { return std::pow(10.0, std::floor(std::log10(value))); }

// A logarithmic axis: from a value to its place in the picture.
class Axis {
 public:
  Axis(double least, double most, double begin, double end)
      : least_(least), most_(most), begin_(begin), scale_((end - begin) / std::log(most / least)) {}

  [[nodiscard]] double place(double value) const { return begin_ + std::log(value / least_) * scale_; }
  [[nodiscard]] bool holds(double value) const { return value >= least_ * 0.999 && value <= most_ * 1.001; }
  [[nodiscard]] double least() const { return least_; }
  [[nodiscard]] double most() const { return most_; }

  // 1, 2, ..., 9, 10, 20, ... of those that it holds; `leading` is the first digit.
  template <class Body>
  void for_each_tick(const Body& body) const {
    for (double decade = power_of_ten_below(least_); decade <= most_; decade *= 10)
      for (int leading = 1; leading <= 9; ++leading)
        if (holds(decade * leading)) body(decade * leading, leading);
  }

 private:
  double least_, most_, begin_, scale_;
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

std::string grid(const Axis& x, const Axis& y) {
  std::string svg;
  const auto css = [](int leading) { return leading == 1 ? "decade" : "grid"; };
  x.for_each_tick([&](double flows, int leading) {
    const double at = x.place(flows);
    svg += fmt::format("<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>\n", css(leading), at, at,
                       kTop, kBottom);
    if (leading == 1 || leading == 2 || leading == 5)
      svg +=
          fmt::format("<text class=\"middle\" x=\"{:.1f}\" y=\"{}\">{:.0f}k</text>\n", at, kBottom + 20, flows / 1e3);
  });
  y.for_each_tick([&](double us, int leading) {
    const double at = y.place(us);
    svg += fmt::format("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", css(leading), kLeft,
                       kRight, at, at);
    if (leading == 1)
      svg += fmt::format("<text class=\"end\" x=\"{}\" y=\"{:.1f}\">{}</text>\n", kLeft - 8, at + 4.5, duration(us));
  });
  return svg;
}

// Constant time per flow: lines a factor of ten apart, those nearest to the curves, named where they leave the
// picture.
std::string linear_lines(const Extent& us_per_flow, const Axis& x, const Axis& y) {
  std::string svg;
  for (double us = power_of_ten_below(us_per_flow.least); us < us_per_flow.most * 10; us *= 10) {
    const double begin = std::max(x.least(), y.least() / us);
    const double end = std::min(x.most(), y.most() / us);
    if (begin >= end) continue;
    const bool leaves_right = end == x.most();
    const double at_x = x.place(end), at_y = y.place(end * us);
    svg += fmt::format("<line class=\"linear\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                       x.place(begin), y.place(begin * us), at_x, at_y);
    svg += fmt::format("<text class=\"small{}\" x=\"{:.1f}\" y=\"{:.1f}\">{} per flow</text>\n",
                       leaves_right ? "" : " middle", at_x + (leaves_right ? 8 : 0), at_y + (leaves_right ? 4 : -8),
                       us < 1 ? fmt::format("{:.3g} ns", us * 1e3) : duration(us));
  }
  return svg;
}

std::string curves(const std::vector<const CaseResult*>& points, const Axis& x, const Axis& y) {
  std::string svg;
  for (const Series& series : kSeries) {
    std::string path, marks;
    for (const CaseResult* point : points) {
      const double us = time_us(*point, series);
      const double at_x = x.place(point->instance.flows), at_y = y.place(us);
      path += fmt::format("{:.1f},{:.1f} ", at_x, at_y);
      marks +=
          fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"><title>{}, {}: {}</title></circle>\n",
                      series.css_class, at_x, at_y, series.name, count(point->instance.flows, "flow"), duration(us));
    }
    svg += fmt::format("<polyline class=\"{}\" points=\"{}\"/>\n{}", series.css_class, path, marks);
  }
  return svg;
}

// In the upper left corner, which curves that rise leave free.
std::string key(const CaseResult& largest) {
  const double height = kKeyRow * static_cast<double>(kSeries.size() + 2) + 12;
  std::string svg = fmt::format("<rect class=\"key\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"5\"/>\n",
                                kLeft + 12, kTop + 12, kKeyWidth, height);
  double y = kTop + 12 + 20;
  svg += fmt::format("<text class=\"value\" x=\"{}\" y=\"{}\">{}</text>\n", kLeft + kKeyWidth, y,
                     count(largest.instance.flows, "flow"));
  const auto add_row = [&](const std::string& css_class, const std::string& name, const std::string& value) {
    y += kKeyRow;
    svg += fmt::format("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>", css_class, kLeft + 24,
                       kLeft + 56, y - 4.5, y - 4.5);
    svg += fmt::format("<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>", kLeft + 66, y, name);
    svg += fmt::format("<text class=\"value\" x=\"{}\" y=\"{}\">{}</text>\n", kLeft + kKeyWidth, y, value);
  };
  for (const Series& series : kSeries)
    add_row(fmt::format("sample {}", series.css_class), series.name, duration(time_us(largest, series)));
  add_row("linear", "linear in the flows", "");
  return svg;
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
  const Axis x(flows.least / 1.3, flows.most * 1.3, kLeft, kRight);
  const Axis y(times_us.least / 1.6, times_us.most * 3, kBottom, kTop);
  const CaseResult& largest = *points.back();
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" "
      "aria-label=\"Time against flows\">\n<style>{}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      kWidth, kHeight, kWidth, kHeight, kStyle);
  svg += fmt::format("<text class=\"title\" x=\"{}\" y=\"34\">Time against flows</text>\n", kLeft);
  svg += fmt::format(
      "<text x=\"{}\" y=\"57\">Permutations over fat-trees of 400 Gbit/s, {} to {} flows; medians; {}, {}, backend {}"
      "</text>\n",
      kLeft, count(points.front()->instance.flows), count(largest.instance.flows), escape_html(run.machine.cpu),
      count(largest.threads, "thread"), largest.backend);
  svg += grid(x, y) + linear_lines(us_per_flow, x, y);
  svg += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", kLeft, kTop,
                     kRight - kLeft, kBottom - kTop);
  svg += curves(points, x, y) + key(largest);
  svg += fmt::format("<text class=\"middle\" x=\"{}\" y=\"{}\">flows</text>\n", (kLeft + kRight) / 2, kBottom + 46);
  svg += fmt::format("<text class=\"middle\" transform=\"translate(20 {}) rotate(-90)\">time</text>\n",
                     (kTop + kBottom) / 2);
  return svg + "</svg>\n";
}

}  // namespace spineweave::bench
