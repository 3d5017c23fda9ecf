// What optimize and evaluate share: inputs on a backend, a solver with its options, and the reports.
#pragma once

#include <memory>

#include "cli/command_line.hpp"
#include "cli/outputs.hpp"
#include "cli/progress_line.hpp"
#include "cli/routings_option.hpp"
#include "spineweave/evaluator.hpp"
#include "spineweave/optimize.hpp"
#include "spineweave/threads.hpp"

namespace spineweave::cli {

// Everything the two verbs have in common: input, solver, machine and output options.
void add_run_options(CommandLine& line);
// Throws Error{usage}.
[[nodiscard]] SolveOptions solve_options(const CommandLine& line);

// The problem on the backend that computes it.
class Run {
 public:
  // Checks every option, then loads and builds. Throws what the library throws.
  explicit Run(const CommandLine& line);

  [[nodiscard]] const Problem& problem() const { return *problem_; }

  // Solves, with progress and Ctrl-C, and reports. Returns the exit status.
  [[nodiscard]] int solve_and_report(SolveOptions options);
  // Reports on the routing of a file: that it is not what was written with it only gets a note.
  [[nodiscard]] int rate_and_report(const std::string& path);
  // Scores many routings, with progress and Ctrl-C, and reports how they rank. Returns the exit status.
  [[nodiscard]] int rank_and_report(const RoutingsOption& routings);

 private:
  [[nodiscard]] Solution baseline();
  void report(std::string solver, Solution solution, bool with_baseline);

  Outputs outputs_;
  ProgressLine progress_;
  std::uint64_t seed_;
  ThreadScope threads_;
  RunInfo info_;
  std::shared_ptr<const Problem> problem_;
  std::unique_ptr<Evaluator> evaluator_;
};

}  // namespace spineweave::cli
