#include <fmt/format.h>

#include "cli/run.hpp"
#include "cli/verbs.hpp"
#include "spineweave/error.hpp"

namespace spineweave::cli {
namespace {

constexpr Manual kManual = {"evaluate", "Scores a given routing, or a solver's, and assesses the rates that jobs get.",
                            "--fabric F --jobs J (--routing R | --solver S) [options]",
                            "  spineweave evaluate --fabric fabric.json --jobs jobs.json \\\n"
                            "    --routing routing.json\n"
                            "  spineweave evaluate --fabric fat-tree:k=8,gbps=400 --jobs permutation:seed=1 \\\n"
                            "    --solver ecmp --report ecmp.json"};

}  // namespace

int evaluate(const Arguments& arguments) {
  CommandLine line(kManual);
  add_run_options(line);
  line.add_option("Solver", "routing", "Score the routing of this file and solve nothing", "R");
  if (!line.parse(arguments)) return 0;

  SolveOptions options = solve_options(line);
  const auto routing = line.text("routing");
  if (!routing && !line.has("solver")) throw Error(ErrorCode::usage, "one of --routing and --solver is needed");
  if (!routing) return Run(line).solve_and_report(std::move(options));
  for (const char* option : {"solver", "rounds", "time-limit", "ecmp-hash"})
    if (line.has(option)) throw Error(ErrorCode::usage, fmt::format("--routing and --{} exclude each other", option));
  return Run(line).rate_and_report(*routing);
}

}  // namespace spineweave::cli
