// Many scenarios side by side: folders of jobs, each with none, one or several spines failed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/simulation_summary.hpp"

namespace spineweave::report {

struct ReproducedScenario {
  std::string name;
  std::uint32_t failed_spines = 0;
  std::vector<SimulationSummary> summaries;  // [schemes]
  std::vector<double> greedy_orders;         // mean slowdown under greedy with each order of its ties
};

struct Reproduction {
  std::vector<Solver> schemes;
  std::vector<ReproducedScenario> scenarios;
};

// The mean of all jobs; not a number where no epoch ended.
[[nodiscard]] double slowdown_of(const SimulationSummary& summary);

// "no failed spine", "1 failed spine", "4 failed spines"
[[nodiscard]] std::string failed_spines(std::uint32_t spines);

// One table for each number of failed spines, mean slowdowns by scenario and scheme with their geometric mean
// below and what the orders of greedy's ties come to; then what the controller did under each scheme.
[[nodiscard]] std::string reproduction_text(const Reproduction& reproduction, const TextStyle& style);
// The geometric means alone, as a table in Markdown: one row for each number of failed spines.
[[nodiscard]] std::string reproduction_markdown(const Reproduction& reproduction);
// One row for each scenario and order of greedy's ties.
[[nodiscard]] std::string greedy_orders_csv(const Reproduction& reproduction);
// One row for each scenario and scheme.
[[nodiscard]] std::string scenarios_csv(const Reproduction& reproduction);

// The numbers of failed spines that occur, ascending.
[[nodiscard]] std::vector<std::uint32_t> failures_of(const Reproduction& reproduction);

}  // namespace spineweave::report
