// Options of verbs that play jobs over time, and the playing.
#pragma once

#include <memory>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/progress_line.hpp"
#include "spineweave/report.hpp"

namespace spineweave::cli {

// --solvers, --recompute, --horizon, --max-moves, --move-cost, --tie-order, --rounds, --time-limit, --ecmp-hash,
// --epochs
void add_simulation_options(CommandLine& line);

[[nodiscard]] std::vector<Solver> schemes_of(const CommandLine& line);
// Throws Error{usage} for an option of a scheme that is not among these.
[[nodiscard]] SimulationOptions simulation_options(const CommandLine& line, const std::vector<Solver>& schemes);

struct Played {
  std::shared_ptr<const Problem> problem;  // the report points to it
  SimulationReport report;                 // without sources and load_us
};
// Plays the schemes, and tells the progress.
[[nodiscard]] Played play(const std::shared_ptr<const Fabric>& fabric, const std::shared_ptr<const Workload>& workload,
                          const std::vector<Solver>& schemes, SimulationOptions options, const CommandLine& line,
                          ProgressLine& progress);

}  // namespace spineweave::cli
