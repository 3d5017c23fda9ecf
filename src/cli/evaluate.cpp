#include <fmt/format.h>

#include <initializer_list>

#include "cli/routings_option.hpp"
#include "cli/run.hpp"
#include "cli/verbs.hpp"
#include "spineweave/error.hpp"

namespace spineweave::cli {
namespace {

constexpr Manual kManual = {"evaluate", "Scores a given routing, or a solver's, and assesses the rates that jobs get.",
                            "--fabric F --jobs J [options]\n"
                            "                      (--routing R | --routings X | --solver S)",
                            "  spineweave evaluate --fabric fabric.json --jobs jobs.json \\\n"
                            "    --routing routing.json\n"
                            "  spineweave evaluate --fabric fat-tree:k=8,gbps=400 --jobs permutation:seed=1 \\\n"
                            "    --solver ecmp --report ecmp.json\n"
                            "  spineweave evaluate --fabric fabric.json --jobs jobs.json \\\n"
                            "    --routings ecmp:seeds=1-1000 -o best.json\n"
                            "Other specs of routings: ecmp:seeds=7,hash=crc32 and ecmp:hash=artifact"};

// `way` is the option that says what to score.
void refuse_beside(const CommandLine& line, std::string_view way, std::initializer_list<const char*> others) {
  for (const char* other : others)
    if (line.has(other)) throw Error(ErrorCode::usage, fmt::format("--{} and --{} exclude each other", way, other));
}

}  // namespace

int evaluate(const Arguments& arguments) {
  CommandLine line(kManual);
  add_run_options(line);
  line.add_option("Solver", "routing", "Score the routing of this file and solve nothing", "R");
  line.add_option("Solver", "routings", "Score many and rank them: a file, a folder of routing files, or a spec", "X");
  if (!line.parse(arguments)) return 0;

  SolveOptions options = solve_options(line);
  if (const auto routings = line.text("routings")) {
    refuse_beside(line, "routings", {"routing", "solver", "rounds", "time-limit", "ecmp-hash"});
    if (line.has("html"))
      throw Error(ErrorCode::usage, "--html shows one routing; for --routings there is --report, and -o for the best");
    const RoutingsOption option(*routings);
    return Run(line).rank_and_report(option);
  }
  if (const auto routing = line.text("routing")) {
    refuse_beside(line, "routing", {"solver", "rounds", "time-limit", "ecmp-hash"});
    return Run(line).rate_and_report(*routing);
  }
  if (!line.has("solver")) throw Error(ErrorCode::usage, "one of --routing, --routings and --solver is needed");
  return Run(line).solve_and_report(std::move(options));
}

}  // namespace spineweave::cli
