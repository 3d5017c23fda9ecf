#include "cli/simulation_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/inputs.hpp"
#include "cli/machine_options.hpp"
#include "cli/solver_options.hpp"
#include "spineweave/error.hpp"
#include "util/clock.hpp"
#include "util/text.hpp"

namespace spineweave::cli {
namespace {

using util::Clock;
using util::microseconds_since;

constexpr Solver kSchemes[] = {Solver::ecmp,      Solver::greedy, Solver::coloring,
                               Solver::annealing, Solver::exact,  Solver::weave};
constexpr Solver kUsualSchemes[] = {Solver::ecmp, Solver::greedy, Solver::coloring, Solver::weave};
constexpr std::uint64_t kMostEpochs = 1'000'000'000;

// An option of a scheme that is not played would change nothing.
void refuse_idle(const CommandLine& line, const std::vector<Solver>& schemes, const std::string& option,
                 Solver scheme) {
  if (line.has(option) && std::ranges::find(schemes, scheme) == schemes.end())
    throw Error(ErrorCode::usage,
                fmt::format("--{} is for {}, which is not among the schemes (--solvers)", option, name_of(scheme)));
}

}  // namespace

void add_simulation_options(CommandLine& line) {
  const std::string solver = "Solver";
  line.add_option(solver, "solvers",
                  "The schemes to compare, of ecmp, greedy, coloring, annealing, exact and weave (default: "
                  "ecmp,greedy,coloring,weave)",
                  "LIST");
  line.add_option(solver, "recompute",
                  "When routes are chosen anew: artifact (an epoch or turn starts, or ends while others communicate), "
                  "every:1s, events (jobs come and go, the fabric changes) or static (once, for all jobs) "
                  "(default: artifact)",
                  "POLICY");
  line.add_option(solver, "horizon",
                  "Look so far ahead: route all that jobs are expected to send until then, in phases of those that "
                  "meet (default: what runs at the moment)",
                  "TIME");
  line.add_option(solver, "max-moves", "Flows that weave may move in one recomputation (default: all)", "N");
  line.add_option(solver, "move-cost",
                  "weave moves a flow under way only where that saves the jobs so much time in all: 1ms (default: 0)",
                  "TIME");
  line.add_option(solver, "tie-order", "greedy: take flows of one switch in the N-th random order (default: by id)",
                  "N");
  add_rounds_option(line);
  line.add_option(solver, "time-limit", "End each search after 50ms, 2s, ...; results then depend on the machine",
                  "TIME");
  add_ecmp_hash_option(line);
  const std::string run = "Run";
  line.add_option(run, "epochs", "Epochs of every job (default: as the jobs say, or 11)", "N");
}

std::vector<Solver> schemes_of(const CommandLine& line) {
  const auto list = line.text("solvers");
  if (!list) return {std::begin(kUsualSchemes), std::end(kUsualSchemes)};
  std::vector<Solver> solvers;
  std::vector<std::string_view> names;
  for (const Solver solver : kSchemes) names.push_back(name_of(solver));
  for (const std::string_view part : util::split(*list, ',')) {
    const std::string_view name = util::trim(part);
    const auto solver = solver_of(name);
    if (!solver)
      throw Error(ErrorCode::usage,
                  util::with_hint(fmt::format("--solvers: '{}'; expected some of {}", name, fmt::join(names, ", ")),
                                  name, names));
    if (std::ranges::find(solvers, *solver) != solvers.end())
      throw Error(ErrorCode::usage, fmt::format("--solvers: {} stands twice", name));
    solvers.push_back(*solver);
  }
  return solvers;
}

SimulationOptions simulation_options(const CommandLine& line, const std::vector<Solver>& schemes) {
  refuse_idle(line, schemes, "max-moves", Solver::weave);
  refuse_idle(line, schemes, "move-cost", Solver::weave);
  refuse_idle(line, schemes, "tie-order", Solver::greedy);
  SimulationOptions options;
  if (const auto policy = line.text("recompute")) options.recompute = parse_recompute_policy(*policy);
  options.epochs = static_cast<std::uint32_t>(line.number_or("epochs", 0, 1, kMostEpochs));
  options.ecmp_hash = ecmp_hash_of(line);
  options.seed = seed_of(line);
  options.rounds = rounds_of(line);
  options.horizon_ns = line.duration_ns("horizon").value_or(0);
  options.move_cost_ns = line.duration_ns("move-cost").value_or(0);
  options.tie_order = line.number_or("tie-order", 0, 0, kNone);
  if (line.has("max-moves"))
    options.max_moves = static_cast<std::uint32_t>(line.number_or("max-moves", 0, 0, kNone - 1));
  options.backend = checked_backend(line);
  options.time_limit_us = time_limit_us_of(line);
  return options;
}

Played play(const std::shared_ptr<const Fabric>& fabric, const std::shared_ptr<const Workload>& workload,
            const std::vector<Solver>& schemes, SimulationOptions options, const CommandLine& line,
            ProgressLine& progress) {
  Played played;
  SimulationReport& report = played.report;
  report.run.threads = threads_of(line);
  report.run.seed = seed_of(line);
  report.recompute = line.text("recompute").value_or("artifact");

  auto begin = Clock::now();
  progress.set("building the problem");
  const ProblemOptions problem_choices = problem_options(line);
  played.problem = std::make_shared<const Problem>(fabric, workload, problem_choices);
  report.problem = played.problem.get();
  report.ideal_ns = ideal_allreduce_ns(*played.problem);
  report.run.backend = make_evaluator(played.problem, options.backend)->capabilities().name;
  report.run.build_us = microseconds_since(begin);

  options.on_progress = [&](const SimulationProgress& at) {
    progress.set(fmt::format("simulating {}: {:.1f} s, {} of {} jobs done", name_of(at.solver),
                             static_cast<double>(at.time_ns) * 1e-9, at.jobs_done, workload->jobs.size()));
  };
  begin = Clock::now();
  progress.set("simulating");
  report.options = options;
  report.simulations = spineweave::simulate(fabric, workload, problem_choices, schemes, options);
  report.run.solve_us = microseconds_since(begin);
  return played;
}

}  // namespace spineweave::cli
