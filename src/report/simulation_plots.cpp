#include "report/simulation_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/chart.hpp"
#include "report/html.hpp"
#include "report/numbers.hpp"
#include "report/statistics.hpp"

namespace spineweave::report {
namespace {

constexpr double kWidth = 880, kHeight = 520;
constexpr PlotArea kArea = {92, 620, 84, 448};
constexpr double kKeyLeft = 636, kKeyWidth = 228;

struct Distribution {
  Solver solver;
  std::vector<double> values;  // ascending, not empty
};

// How many of the values are at most so large, as curves; the key tells the medians.
std::string draw_distributions(std::string_view title, std::string_view subtitle, const std::string& x_title,
                               const std::string& noun, const std::vector<Distribution>& distributions,
                               const Label& label) {
  if (distributions.empty())
    return open_picture(kWidth, 90, title, fmt::format("{}: nothing to show", subtitle)) + close_picture();
  double least = INFINITY, most = 0;
  for (const Distribution& each : distributions) {
    least = std::min(least, each.values.front());
    most = std::max(most, each.values.back());
  }
  // Some room on both sides, however close the values are.
  const bool wide = most > 4 * least && least > 0;
  const double room = std::max((most - least) * 0.05, most * 0.02);
  const Scale scale = wide ? Scale::logarithmic(least / 1.15, most * 1.15, kArea.left, kArea.right)
                           : Scale::linear(std::max(0.0, least - room), most + room, kArea.left, kArea.right);
  const ChartAxis x{x_title, scale, label};
  const ChartAxis y{fmt::format("share of {}", noun), Scale::linear(0, 1.02, kArea.bottom, kArea.top),
                    [](double share) { return fmt::format("{:.0f} %", share * 100); }};
  std::string curves;
  std::vector<KeyRow> rows;
  for (const Distribution& each : distributions) {
    Curve curve{std::string(name_of(each.solver)), {}, std::string(color_of(each.solver)), {}, true};
    const auto total = static_cast<double>(each.values.size());
    curve.points.emplace_back(scale.least(), 0.0);
    for (std::size_t i = 0; i < each.values.size(); ++i)
      if (i + 1 == each.values.size() || each.values[i + 1] != each.values[i])
        curve.points.emplace_back(each.values[i], static_cast<double>(i + 1) / total);
    curve.points.emplace_back(scale.most(), 1.0);
    curves += draw_curve(curve, x, y);
    rows.push_back({curve.name, label(median(each.values)), curve.color, false});
  }
  return open_picture(kWidth, kHeight, title, subtitle) + draw_grid(kArea, x, y) + draw_frame(kArea) + curves +
         draw_key(kKeyLeft, kArea.top, kKeyWidth, "median", rows) + close_picture();
}

// From the most to the least that the same picture must tell apart: "1.173 s", not "1.2 s".
std::string milliseconds(double ms) {
  if (ms >= 9995) return fmt::format("{:.1f} s", ms / 1000);
  if (ms >= 999.5) return fmt::format("{:.2f} s", ms / 1000);
  return fmt::format("{:.3g} ms", ms);
}

double in_ms(std::uint64_t ns) { return static_cast<double>(ns) / 1e6; }

// `collect(simulation, values)`. Schemes without values are left out.
template <class Collect>
std::vector<Distribution> distributions_of(std::span<const Simulation> simulations, const Collect& collect) {
  std::vector<Distribution> distributions;
  for (const Simulation& simulation : simulations) {
    Distribution each{simulation.solver, {}};
    collect(simulation, each.values);
    std::ranges::sort(each.values);
    if (!each.values.empty()) distributions.push_back(std::move(each));
  }
  return distributions;
}

}  // namespace

std::string_view color_of(Solver solver) {
  switch (solver) {
    case Solver::ecmp:
      return "#b8352c";
    case Solver::greedy:
      return "#d98324";
    case Solver::coloring:
      return "#7d56a8";
    case Solver::annealing:
      return "#1f8a8a";
    case Solver::exact:
      return "#17202b";
    case Solver::weave:
      return "#2468b4";
  }
  return "#17202b";
}

std::string allreduce_plot(std::string_view subtitle, std::span<const Simulation> simulations) {
  const auto times = distributions_of(simulations, [](const Simulation& simulation, std::vector<double>& values) {
    for (const EpochRecord& epoch : simulation.epochs) values.push_back(in_ms(epoch.allreduce_ns()));
  });
  return draw_distributions("All-reduce time", subtitle, "all-reduce time of an epoch", "epochs", times, milliseconds);
}

std::string run_time_plot(std::string_view subtitle, std::span<const Simulation> simulations) {
  const auto times = distributions_of(simulations, [](const Simulation& simulation, std::vector<double>& values) {
    for (const RecomputationRecord& record : simulation.recomputations)
      if (record.by_controller) values.push_back(record.run_us);
  });
  return draw_distributions("Run time of the controller", subtitle, "time of one recomputation", "recomputations",
                            times, [](double us) { return duration(us); });
}

std::string flow_completion_plot(std::string_view subtitle, std::span<const Simulation> simulations) {
  const auto times = distributions_of(simulations, [](const Simulation& simulation, std::vector<double>& values) {
    for (const FlowRecord& flow : simulation.flows) values.push_back(in_ms(flow.end_ns - flow.start_ns));
  });
  return draw_distributions("Flow completion time", subtitle, "time of a flow in a step", "flows", times, milliseconds);
}

std::string throughput_plot(std::string_view subtitle, const Problem& problem,
                            std::span<const Simulation> simulations) {
  const auto rates = distributions_of(simulations, [&](const Simulation& simulation, std::vector<double>& values) {
    for (const FlowRecord& flow : simulation.flows)
      if (flow.end_ns > flow.start_ns)
        values.push_back(8 * static_cast<double>(problem.flows()[flow.flow].bytes) /
                         static_cast<double>(flow.end_ns - flow.start_ns));
  });
  return draw_distributions("Throughput of flows", subtitle, "mean rate of a flow in a step", "flows", rates,
                            [](double bits_per_ns) { return fmt::format("{:.3g} Gbit/s", bits_per_ns); });
}

std::string slowdown_plot(std::string_view subtitle, std::span<const Solver> schemes,
                          std::span<const ScenarioSlowdowns> scenarios) {
  constexpr double kRow = 22, kNames = 226;
  double most = 1;
  for (const ScenarioSlowdowns& scenario : scenarios)
    for (const double slowdown : scenario.slowdowns) most = std::max(most, slowdown);
  const PlotArea area = {kNames, 620, 84, 84 + kRow * static_cast<double>(scenarios.size())};
  const Scale x =
      Scale::linear(std::min(0.95, 1 - (most - 1) * 0.03), 1 + (most - 1) * 1.04 + 0.05, area.left, area.right);
  std::string svg = open_picture(kWidth, std::max(area.bottom + 64, 84 + 30 * static_cast<double>(schemes.size())),
                                 "Slowdown against the ideal", subtitle,
                                 ".row{stroke:#edf0f3}.ideal{stroke:#9aa3ae;stroke-dasharray:5 5}");
  for (const Scale::Tick& tick : x.ticks()) {
    const double at = x.place(tick.value);
    svg += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>\n", at, at, area.top,
                       area.bottom);
    svg += fmt::format("<text class=\"middle\" x=\"{:.1f}\" y=\"{}\">{:g}x</text>\n", at, area.bottom + 20, tick.value);
  }
  svg += fmt::format("<line class=\"ideal\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>\n", x.place(1),
                     x.place(1), area.top, area.bottom);
  double y = area.top - kRow / 2;
  for (const ScenarioSlowdowns& scenario : scenarios) {
    y += kRow;
    svg += fmt::format("<text class=\"end\" x=\"{}\" y=\"{:.1f}\">{}</text>", area.left - 12, y + 4.5,
                       escape_html(scenario.name));
    svg += fmt::format("<line class=\"row\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", area.left, area.right,
                       y, y);
    // Marks that meet stand a little apart, in the schemes' order.
    for (std::size_t i = 0; i < schemes.size(); ++i) {
      if (std::isnan(scenario.slowdowns[i])) continue;
      const double shift = (static_cast<double>(i) - (static_cast<double>(schemes.size()) - 1) / 2) * 2.5;
      svg +=
          fmt::format("<circle fill=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"><title>{}, {}: {}</title></circle>\n",
                      color_of(schemes[i]), x.place(scenario.slowdowns[i]), y + shift, escape_html(scenario.name),
                      name_of(schemes[i]), times(scenario.slowdowns[i]));
    }
  }
  std::vector<KeyRow> rows;
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    std::vector<double> slowdowns;
    for (const ScenarioSlowdowns& scenario : scenarios) slowdowns.push_back(scenario.slowdowns[i]);
    const double mean = geometric_mean(slowdowns);
    rows.push_back({std::string(name_of(schemes[i])), std::isnan(mean) ? "-" : times(mean),
                    std::string(color_of(schemes[i])), false});
  }
  svg += draw_frame(area) + draw_key(kKeyLeft, area.top, kKeyWidth, "geometric mean", rows);
  svg += fmt::format("<text class=\"middle\" x=\"{}\" y=\"{}\">mean all-reduce time / time alone</text>\n",
                     (area.left + area.right) / 2, area.bottom + 46);
  return svg + close_picture();
}

}  // namespace spineweave::report
