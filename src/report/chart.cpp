#include "report/chart.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/html.hpp"
#include "report/text_layout.hpp"

namespace spineweave::report {
namespace {

constexpr double kKeyRow = 21;
constexpr std::size_t kSubtitleWidth = 118;  // characters

constexpr const char* kStyle =
    "svg{background:#fff;font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;font-size:13px}"
    "text{fill:#5c6878}.title{font-size:19px;font-weight:600;fill:#17202b}.name,.value{fill:#17202b}"
    ".value{text-anchor:end}.middle{text-anchor:middle}.end{text-anchor:end}.small{font-size:11px}"
    ".grid{stroke:#edf0f3}.decade{stroke:#d5dbe2}.frame{fill:none;stroke:#9aa3ae}"
    ".dashed{stroke-dasharray:5 5}.key{fill:#fff;fill-opacity:.92;stroke:#d5dbe2}"
    "polyline{fill:none;stroke-width:2.5;stroke-linejoin:round}circle{stroke:#fff;stroke-width:1.5}.sample{stroke-"
    "width:3}";

double power_of_ten_below(double value) { return std::pow(10.0, std::floor(std::log10(value))); }

double linear_step(double span) {
  const double rough = span / 8;
  const double power = power_of_ten_below(rough);
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= rough) return step * power;
  return 10 * power;
}

bool has_label(const Scale& scale, const Scale::Tick& tick) {
  return tick.leading == 1 || ((tick.leading == 2 || tick.leading == 5) && scale.most() / scale.least() <= 1000);
}

std::string_view css_of(const Scale& scale, const Scale::Tick& tick) {
  return scale.is_logarithmic() && tick.leading == 1 ? "decade" : "grid";
}

}  // namespace

Scale Scale::linear(double least, double most, double begin, double end) {
  Scale scale;
  scale.least_ = least, scale.most_ = most, scale.begin_ = begin, scale.end_ = end;
  return scale;
}

Scale Scale::logarithmic(double least, double most, double begin, double end) {
  Scale scale = linear(least, most, begin, end);
  scale.logarithmic_ = true;
  return scale;
}

double Scale::place(double value) const {
  const double share =
      logarithmic_ ? std::log(value / least_) / std::log(most_ / least_) : (value - least_) / (most_ - least_);
  return begin_ + share * (end_ - begin_);
}

std::vector<Scale::Tick> Scale::ticks() const {
  std::vector<Tick> ticks;
  if (logarithmic_) {
    for (double decade = power_of_ten_below(least_); decade <= most_; decade *= 10)
      for (int leading = 1; leading <= 9; ++leading)
        if (const double value = decade * leading; value >= least_ * 0.999 && value <= most_ * 1.001)
          ticks.push_back({value, leading});
    return ticks;
  }
  const double step = linear_step(most_ - least_);
  for (double i = std::ceil(least_ / step - 1e-9); i * step <= most_ + 1e-9 * step; ++i)
    ticks.push_back({i * step + 0.0, 1});  // no -0
  return ticks;
}

std::string open_picture(double width, double height, std::string_view title, std::string_view subtitle,
                         std::string_view style) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" "
      "aria-label=\"{}\">\n<style>{}{}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, height, width, height, escape_html(title), kStyle, style);
  svg += fmt::format("<text class=\"title\" x=\"24\" y=\"34\">{}</text>\n", escape_html(title));
  svg += fmt::format("<text x=\"24\" y=\"57\">{}</text>\n", escape_html(shorten(subtitle, kSubtitleWidth)));
  return svg;
}

std::string close_picture() { return "</svg>\n"; }

std::string draw_grid(const PlotArea& area, const ChartAxis& x, const ChartAxis& y) {
  std::string svg;
  for (const Scale::Tick& tick : x.scale.ticks()) {
    const double at = x.scale.place(tick.value);
    svg += fmt::format("<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>\n", css_of(x.scale, tick),
                       at, at, area.top, area.bottom);
    if (has_label(x.scale, tick))
      svg += fmt::format("<text class=\"middle\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", at, area.bottom + 20,
                         escape_html(x.label(tick.value)));
  }
  for (const Scale::Tick& tick : y.scale.ticks()) {
    const double at = y.scale.place(tick.value);
    svg += fmt::format("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", css_of(y.scale, tick),
                       area.left, area.right, at, at);
    if (has_label(y.scale, tick))
      svg += fmt::format("<text class=\"end\" x=\"{}\" y=\"{:.1f}\">{}</text>\n", area.left - 8, at + 4.5,
                         escape_html(y.label(tick.value)));
  }
  svg += fmt::format("<text class=\"middle\" x=\"{}\" y=\"{}\">{}</text>\n", (area.left + area.right) / 2,
                     area.bottom + 46, escape_html(x.title));
  svg += fmt::format("<text class=\"middle\" transform=\"translate(20 {}) rotate(-90)\">{}</text>\n",
                     (area.top + area.bottom) / 2, escape_html(y.title));
  return svg;
}

std::string draw_frame(const PlotArea& area) {
  return fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", area.left, area.top,
                     area.right - area.left, area.bottom - area.top);
}

std::string draw_curve(const Curve& curve, const ChartAxis& x, const ChartAxis& y) {
  std::string places;
  double before = 0;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const double at_x = x.scale.place(curve.points[i].first), at_y = y.scale.place(curve.points[i].second);
    if (curve.in_steps && i > 0) places += fmt::format("{:.1f},{:.1f} ", at_x, before);
    places += fmt::format("{:.1f},{:.1f} ", at_x, at_y);
    before = at_y;
  }
  return fmt::format("<polyline stroke=\"{}\" points=\"{}\"><title>{}</title></polyline>\n", curve.color, places,
                     escape_html(curve.name));
}

std::string draw_key(double left, double top, double width, std::string_view heading, const std::vector<KeyRow>& rows) {
  const double right = left + width - 12;
  double y = top + (heading.empty() ? 0 : 20);
  const double height = y - top + kKeyRow * static_cast<double>(rows.size()) + 10;
  std::string svg = fmt::format("<rect class=\"key\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"5\"/>\n", left,
                                top, width, height);
  if (!heading.empty())
    svg += fmt::format("<text class=\"value\" x=\"{}\" y=\"{}\">{}</text>\n", right, y, escape_html(heading));
  for (const KeyRow& row : rows) {
    y += kKeyRow;
    svg += fmt::format("<line class=\"sample{}\" stroke=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>",
                       row.dashed ? " dashed" : "", row.color, left + 12, left + 44, y - 4.5, y - 4.5);
    svg += fmt::format("<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>", left + 54, y, escape_html(row.name));
    svg += fmt::format("<text class=\"value\" x=\"{}\" y=\"{}\">{}</text>\n", right, y, escape_html(row.value));
  }
  return svg;
}

}  // namespace spineweave::report
