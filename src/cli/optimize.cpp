#include <charconv>
#include <cmath>

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

// "1%", "64" or "all".
std::uint32_t parse_share(const std::string& text, std::uint32_t num_flows) {
  if (text == "all") return kNone;
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const bool percent = rest + 1 == end && *rest == '%';
  if (error != std::errc() || !(percent || rest == end) || !(number >= 0) || (percent && number > 100) ||
      (!percent && (number != std::floor(number) || number >= kNone)))
    throw Error(ErrorCode::usage, "--max-moved: '" + text + "'; expected a share (1%), a number of flows or all");
  return static_cast<std::uint32_t>(percent ? number / 100 * num_flows : number);
}

}  // namespace

int optimize(const Arguments& arguments) {
  CommandLine line(kManual);
  add_run_options(line);
  line.add_option("Solver", "warm-start", "Start weave from this routing and move few flows", "R");
  line.add_option("Solver", "max-moved",
                  "Flows that may leave a path of the warm start that is still alive: 1%, 64 or all (default: 1%)",
                  "N");
  if (!line.parse(arguments)) return 0;

  SolveOptions options = solve_options(line);
  const auto warm_start = line.text("warm-start");
  if (warm_start && options.solver != Solver::weave)
    throw Error(ErrorCode::usage, "--warm-start needs --solver weave: the others start from nothing");
  const auto max_moved = line.text("max-moved");
  if (max_moved && !warm_start) throw Error(ErrorCode::usage, "--max-moved needs --warm-start");
  if (max_moved) (void)parse_share(*max_moved, 0);  // refuse it before loading anything
  Run run(line);
  Routing start;
  if (warm_start) {
    start = match_routes(run.problem(), read_routing(*warm_start));
    options.warm_start = &start;
    if (max_moved) options.max_moved = parse_share(*max_moved, run.problem().num_flows());
  }
  return run.solve_and_report(std::move(options));
}

}  // namespace spineweave::cli
