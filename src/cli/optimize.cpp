#include "cli/run.hpp"
#include "cli/verbs.hpp"
#include "spineweave/error.hpp"
#include "spineweave/io.hpp"

namespace spineweave::cli {
namespace {

constexpr Manual kManual = {"optimize", "Chooses a path for every flow and reports what that gains over ECMP.",
                            "--fabric F --jobs J [options]",
                            "  spineweave optimize --jobs paper:jobs=5,ring=4,seed=1 \\\n"
                            "    --fabric leaf-spine:leaves=64,spines=32,hosts=32,gbps=100 \\\n"
                            "    -o routing.json --html report.html\n"
                            "  spineweave optimize --fabric fabric.json --jobs jobs.json --down spine:3 \\\n"
                            "    --warm-start routing.json -o repaired.json --time-limit 50ms"};

}  // namespace

int optimize(const Arguments& arguments) {
  CommandLine line(kManual);
  add_run_options(line);
  line.add_option("Solver", "warm-start", "Start weave from this routing and move few flows", "R");
  if (!line.parse(arguments)) return 0;

  SolveOptions options = solve_options(line);
  const auto warm_start = line.text("warm-start");
  if (warm_start && options.solver != Solver::weave)
    throw Error(ErrorCode::usage, "--warm-start needs --solver weave: the others start from nothing");
  Run run(line);
  Routing start;
  if (warm_start) {
    start = match_routes(run.problem(), read_routing(*warm_start));
    options.warm_start = &start;
  }
  return run.solve_and_report(std::move(options));
}

}  // namespace spineweave::cli
