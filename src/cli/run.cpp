#include "cli/run.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "cli/inputs.hpp"
#include "cli/interrupt.hpp"
#include "cli/machine_options.hpp"
#include "cli/solver_options.hpp"
#include "io/formats.hpp"
#include "spineweave/assess.hpp"
#include "spineweave/io.hpp"
#include "util/clock.hpp"

namespace spineweave::cli {
namespace {

using util::Clock;
using util::microseconds_since;

constexpr std::array kSolvers = {Solver::weave,    Solver::exact,  Solver::annealing,
                                 Solver::coloring, Solver::greedy, Solver::ecmp};
constexpr std::string_view kBaseline = "ecmp";

std::string solver_label(const SolveOptions& options) {
  std::string label(name_of(options.solver));
  if (options.solver == Solver::ecmp && options.ecmp_hash == EcmpHash::artifact) label += " (artifact hash)";
  return label;
}

}  // namespace

void add_run_options(CommandLine& line) {
  add_fabric_options(line);
  add_jobs_options(line);
  add_problem_options(line);
  add_seed_option(line);

  const std::string solver = "Solver";
  line.add_option(solver, "solver", "weave, exact, annealing, coloring, greedy or ecmp (default: weave)", "NAME");
  add_rounds_option(line);
  line.add_option(solver, "time-limit", "End the search after 50ms, 2s, ...; the result is marked truncated", "TIME");
  add_ecmp_hash_option(line);

  add_machine_options(line);
  Outputs::add_options(line);
}

SolveOptions solve_options(const CommandLine& line) {
  std::vector<std::string_view> names;
  for (const Solver solver : kSolvers) names.push_back(name_of(solver));
  SolveOptions options;
  options.solver = kSolvers[line.choice("solver", names).value_or(0)];
  options.ecmp_hash = ecmp_hash_of(line);
  options.seed = seed_of(line);
  options.rounds = rounds_of(line);
  options.time_limit_us = time_limit_us_of(line);
  return options;
}

Run::Run(const CommandLine& line)
    : outputs_(line), progress_(line.has("quiet")), seed_(seed_of(line)), threads_(threads_of(line)) {
  const ProblemOptions problem_choices = problem_options(line);
  const std::string backend = checked_backend(line);
  info_.threads = threads_of(line);
  info_.seed = seed_;
  info_.fabric_source = fabric_source(line);
  info_.jobs_source = jobs_source(line);

  auto begin = Clock::now();
  progress_.set("loading the fabric");
  const auto fabric = std::make_shared<const Fabric>(load_fabric(line));
  progress_.set("loading the jobs");
  const auto workload = std::make_shared<const Workload>(separate_turns(load_workload(line, *fabric)));
  info_.load_us = microseconds_since(begin);

  begin = Clock::now();
  progress_.set("building the problem");
  problem_ = std::make_shared<const Problem>(fabric, workload, problem_choices);
  evaluator_ = make_evaluator(problem_, backend);
  info_.build_us = microseconds_since(begin);
  info_.backend = evaluator_->capabilities().name;
  info_.device = evaluator_->capabilities().device;
}

int Run::solve_and_report(SolveOptions options) {
  const Interrupt interrupt;
  options.stop = &interrupt.seen();
  options.on_progress = [this](const Progress& at) {
    progress_.set(fmt::format("{} {}: worst job's bottleneck {:.3f}x, {} of {} jobs at their bound", at.stage, at.step,
                              at.worst_job, at.jobs_at_bound, problem_->num_jobs()));
  };
  progress_.set(fmt::format("solving with {}", name_of(options.solver)));
  Solution solution = solve(*evaluator_, options);
  report(solver_label(options), std::move(solution), options.solver != Solver::ecmp);
  return interrupt.seen() ? kInterruptedStatus : 0;
}

int Run::rate_and_report(const std::string& path) {
  progress_.set("scoring the routing");
  RoutingFile file = read_routing(path);
  Routing routing = io::naming_file(path, [&] { return resolve_routes(*problem_, file); });
  file.routes = {};  // names take far more memory than paths
  Solution solution = rate_routing(*evaluator_, std::move(routing));
  const std::string digest = fmt::format("{:016x}", solution.digest);
  if (!file.digest.empty() && file.digest != digest) {
    progress_.finish();
    fmt::print(stderr, "spineweave: note: {} was written with digest {}; with these options it is {}\n", path,
               file.digest, digest);
  }
  report(path, std::move(solution), true);
  return 0;
}

int Run::rank_and_report(const RoutingsOption& routings) {
  RankingReport report;
  progress_.set("reading the routings");
  const auto begin = Clock::now();
  const RoutingSource source = routings.load(*problem_, report.findings);
  const double read_us = microseconds_since(begin);

  const Interrupt interrupt;
  RankOptions options;
  options.stop = &interrupt.seen();
  options.on_progress = [&](std::size_t scored) {
    progress_.set(fmt::format("scoring the routings: {} of {}", scored, source.names.size()));
  };
  options.on_progress(0);
  report.ranking = rank_routings(*evaluator_, source, options);
  report.problem = problem_.get();
  report.run = info_;
  report.run.solver = routings.text();
  report.routings_us = read_us + report.ranking.write_us;
  progress_.finish();
  outputs_.write(report);
  return interrupt.seen() ? kInterruptedStatus : 0;
}

// Its routing and score alone: the bounds are those of the result.
Solution Run::baseline() {
  Solution solution;
  solution.routing.resize(problem_->num_flows());
  ecmp_routings(*problem_, {.first = seed_}).write(0, solution.routing);
  evaluator_->score_routings(solution.routing, std::span(&solution.score, 1));
  return solution;
}

void Run::report(std::string solver, Solution solution, bool with_baseline) {
  progress_.set("assessing rates");
  info_.solver = std::move(solver);
  info_.solve_us = solution.solve_us;
  Report report;
  report.problem = problem_.get();
  report.run = info_;
  report.result.solution = std::move(solution);
  report.has_baseline = with_baseline;
  std::vector<const Routing*> routings = {&report.result.solution.routing};
  if (with_baseline) {
    report.baseline_name = kBaseline;
    report.baseline.solution = baseline();
    routings.push_back(&report.baseline.solution.routing);
  }
  std::vector<Assessment> assessments = assess(*problem_, routings);
  report.result.assessment = std::move(assessments.front());
  if (with_baseline) report.baseline.assessment = std::move(assessments.back());
  progress_.finish();
  outputs_.write(report);
}

}  // namespace spineweave::cli
