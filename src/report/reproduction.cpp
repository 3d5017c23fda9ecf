#include "report/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "report/csv.hpp"
#include "report/numbers.hpp"
#include "report/statistics.hpp"
#include "report/text_layout.hpp"

namespace spineweave::report {
namespace {

Cell slowdown_cell(double slowdown) {
  if (std::isnan(slowdown)) return {"-"};  // no epoch ended
  return {times(slowdown), above_one(slowdown) ? Tone::bad : Tone::good};
}

// Over the scenarios with so many failed spines.
double geometric_mean_of(const Reproduction& reproduction, std::uint32_t failed_spines, std::size_t scheme) {
  std::vector<double> slowdowns;
  for (const ReproducedScenario& scenario : reproduction.scenarios)
    if (scenario.failed_spines == failed_spines) slowdowns.push_back(slowdown_of(scenario.summaries[scheme]));
  return geometric_mean(slowdowns);
}

// "greedy with 10 orders of its ties: 1.03x to 1.07x", of the geometric means; empty where it was played once.
std::string greedy_orders_line(const Reproduction& reproduction, std::uint32_t failed_spines) {
  std::vector<std::vector<double>> slowdowns;  // [orders][scenarios]
  for (const ReproducedScenario& scenario : reproduction.scenarios) {
    if (scenario.failed_spines != failed_spines) continue;
    slowdowns.resize(std::max(slowdowns.size(), scenario.greedy_orders.size()));
    for (std::size_t order = 0; order < scenario.greedy_orders.size(); ++order)
      slowdowns[order].push_back(scenario.greedy_orders[order]);
  }
  std::vector<double> means;
  for (const std::vector<double>& of_order : slowdowns) means.push_back(geometric_mean(of_order));
  std::erase_if(means, [](double mean) { return std::isnan(mean); });
  if (means.size() < 2) return {};
  const auto [least, most] = std::ranges::minmax_element(means);
  return fmt::format("  greedy with {} of its ties: {} to {}\n", count(means.size(), "order"), times(*least),
                     times(*most));
}

std::string slowdown_table(const Reproduction& reproduction, std::uint32_t failed_spines, const TextStyle& style) {
  std::vector<Column> columns = {{report::failed_spines(failed_spines), true}};
  for (const Solver scheme : reproduction.schemes) columns.push_back({std::string(name_of(scheme))});
  Table table(std::move(columns));
  for (const ReproducedScenario& scenario : reproduction.scenarios) {
    if (scenario.failed_spines != failed_spines) continue;
    std::vector<Cell> row = {{printable(scenario.name)}};
    for (const SimulationSummary& summary : scenario.summaries) row.push_back(slowdown_cell(slowdown_of(summary)));
    table.add_row(std::move(row));
  }
  std::vector<Cell> means = {{"geometric mean", Tone::strong}};
  for (std::size_t i = 0; i < reproduction.schemes.size(); ++i)
    means.push_back(slowdown_cell(geometric_mean_of(reproduction, failed_spines, i)));
  table.add_row(std::move(means));
  return table.render(style.width, style.color) + greedy_orders_line(reproduction, failed_spines);
}

std::string controller_table(const Reproduction& reproduction, const TextStyle& style) {
  Table table({{"controller", true}, {"moves"}, {"most at once"}, {"time each"}, {"longest"}});
  for (std::size_t i = 0; i < reproduction.schemes.size(); ++i) {
    std::uint64_t moves = 0;
    std::uint32_t most_moves = 0;
    double longest_us = 0;
    std::vector<double> medians;
    for (const ReproducedScenario& scenario : reproduction.scenarios) {
      const SimulationSummary& summary = scenario.summaries[i];
      moves += summary.moves;
      most_moves = std::max(most_moves, summary.most_moves);
      longest_us = std::max(longest_us, summary.most_run_us);
      medians.push_back(summary.median_run_us);
    }
    table.add_row({{std::string(name_of(reproduction.schemes[i]))},
                   {count(moves)},
                   {count(most_moves)},
                   {medians.empty() ? "-" : duration(median(medians))},
                   {duration(longest_us)}});
  }
  return table.render(style.width, style.color);
}

}  // namespace

double slowdown_of(const SimulationSummary& summary) {
  return summary.all.epochs > 0 ? summary.all.mean_slowdown : NAN;
}

std::string failed_spines(std::uint32_t spines) {
  return spines == 0 ? "no failed spine" : count(spines, "failed spine");
}

std::vector<std::uint32_t> failures_of(const Reproduction& reproduction) {
  std::set<std::uint32_t> failures;
  for (const ReproducedScenario& scenario : reproduction.scenarios) failures.insert(scenario.failed_spines);
  return {failures.begin(), failures.end()};
}

std::string reproduction_text(const Reproduction& reproduction, const TextStyle& style) {
  std::string text = "Mean slowdown of the jobs' all-reduces against those alone:\n\n";
  for (const std::uint32_t failed_spines : failures_of(reproduction))
    text += slowdown_table(reproduction, failed_spines, style) + "\n";
  return text + controller_table(reproduction, style);
}

std::string reproduction_markdown(const Reproduction& reproduction) {
  std::string text = "| mean slowdown |", rule = "|---|";
  for (const Solver scheme : reproduction.schemes) text += fmt::format(" {} |", name_of(scheme)), rule += "---|";
  text += "\n" + rule + "\n";
  for (const std::uint32_t failed_spines : failures_of(reproduction)) {
    text += fmt::format("| {} |", report::failed_spines(failed_spines));
    for (std::size_t i = 0; i < reproduction.schemes.size(); ++i)
      text += fmt::format(" {} |", slowdown_cell(geometric_mean_of(reproduction, failed_spines, i)).text);
    text += "\n";
  }
  return text;
}

std::string greedy_orders_csv(const Reproduction& reproduction) {
  std::string csv = "scenario,failed_spines,tie_order,mean_slowdown\n";
  for (const ReproducedScenario& scenario : reproduction.scenarios)
    for (std::size_t order = 0; order < scenario.greedy_orders.size(); ++order)
      fmt::format_to(std::back_inserter(csv), "{},{},{},{:.6f}\n", csv_field(scenario.name), scenario.failed_spines,
                     order, scenario.greedy_orders[order]);
  return csv;
}

std::string scenarios_csv(const Reproduction& reproduction) {
  std::string csv =
      "scenario,failed_spines,solver,epochs,mean_slowdown,worst_slowdown,mean_allreduce_ns,worst_allreduce_ns,moves,"
      "median_run_us,worst_run_us\n";
  for (const ReproducedScenario& scenario : reproduction.scenarios) {
    for (std::size_t i = 0; i < reproduction.schemes.size(); ++i) {
      const SimulationSummary& summary = scenario.summaries[i];
      fmt::format_to(std::back_inserter(csv), "{},{},{},{},{:.6f},{:.6f},{:.1f},{},{},{:.1f},{:.1f}\n",
                     csv_field(scenario.name), scenario.failed_spines, name_of(reproduction.schemes[i]),
                     summary.all.epochs, summary.all.mean_slowdown, summary.all.worst_slowdown,
                     summary.all.mean_allreduce_ns, summary.all.worst_allreduce_ns, summary.moves,
                     summary.median_run_us, summary.most_run_us);
    }
  }
  return csv;
}

}  // namespace spineweave::report
