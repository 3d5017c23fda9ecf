#include "spineweave/simulate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "cli/inputs.hpp"
#include "cli/interrupt.hpp"
#include "cli/machine_options.hpp"
#include "cli/outputs.hpp"
#include "cli/progress_line.hpp"
#include "cli/solver_options.hpp"
#include "cli/verbs.hpp"
#include "spineweave/error.hpp"
#include "spineweave/io.hpp"
#include "spineweave/threads.hpp"
#include "util/text.hpp"

namespace spineweave::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Manual kManual = {"simulate", "Plays jobs over time under several routing schemes, through failures.",
                            "--fabric F --jobs J [options]",
                            "  spineweave simulate --jobs paper:jobs=5,ring=4,seed=1 \\\n"
                            "    --fabric leaf-spine:leaves=64,spines=32,hosts=32,gbps=100 -o results\n"
                            "  spineweave simulate --fabric fabric.json --jobs jobs.json \\\n"
                            "    --solvers ecmp,weave --recompute events \\\n"
                            "    --fail spine:3@2s --recover spine:3@4s -o results"};

constexpr Solver kAllSolvers[] = {Solver::ecmp, Solver::greedy, Solver::coloring, Solver::weave};
constexpr std::uint64_t kMostEpochs = 1'000'000'000;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

void add_simulate_options(CommandLine& line) {
  add_fabric_options(line);
  add_jobs_options(line);
  add_problem_options(line);
  add_seed_option(line);
  const std::string solver = "Solver";
  line.add_option(solver, "solvers", "The schemes to compare (default: ecmp,greedy,coloring,weave)", "LIST");
  line.add_option(solver, "recompute",
                  "When routes are chosen anew: artifact (each epoch's start, and its end if others communicate), "
                  "every:1s, events (jobs come and go, the fabric changes) or static (once, for all jobs) "
                  "(default: artifact)",
                  "POLICY");
  line.add_option(solver, "max-moves", "Flows that weave may move in one recomputation (default: all)", "N");
  add_rounds_option(line);
  add_ecmp_hash_option(line);
  const std::string run = "Run";
  line.add_option(run, "epochs", "Epochs of every job (default: as the jobs say, or 11)", "N");
  line.add_option(run, "fail", "What fails when: spine:31@2s,A-B@500ms; the targets of --down", "LIST");
  line.add_option(run, "recover", "When what --fail took out comes back: spine:31@4s", "LIST");
  add_machine_options(line);
  const std::string output = "Output";
  line.add_option(output, "o,output",
                  "Write jobs.csv, recomputations.csv and summary.json into this folder, which is made if need be",
                  "FOLDER");
  line.add_flag(output, "flows", "Write flows.csv as well: every flow in every step");
  line.add_flag(output, "q,quiet", "Print no report and no progress");
  add_color_option(line);
}

std::vector<Solver> solvers_of(const CommandLine& line) {
  const auto list = line.text("solvers");
  if (!list) return {std::begin(kAllSolvers), std::end(kAllSolvers)};
  std::vector<Solver> solvers;
  std::vector<std::string_view> names;
  for (const Solver solver : kAllSolvers) names.push_back(name_of(solver));
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

SimulationOptions simulation_options(const CommandLine& line) {
  SimulationOptions options;
  if (const auto policy = line.text("recompute")) options.recompute = parse_recompute_policy(*policy);
  if (const auto failures = line.text("fail")) options.fabric_events = parse_fabric_events(*failures, true);
  if (const auto recoveries = line.text("recover"))
    for (FabricEvent& recovery : parse_fabric_events(*recoveries, false))
      options.fabric_events.push_back(std::move(recovery));
  options.epochs = static_cast<std::uint32_t>(line.number_or("epochs", 0, 1, kMostEpochs));
  options.ecmp_hash = ecmp_hash_of(line);
  options.seed = seed_of(line);
  options.rounds = rounds_of(line);
  if (line.has("max-moves"))
    options.max_moves = static_cast<std::uint32_t>(line.number_or("max-moves", 0, 0, kNone - 1));
  options.backend = checked_backend(line);
  options.record_flows = line.has("flows");
  return options;
}

// The folder of the results: it is there, or can be made in one that is.
class ResultFolder {
 public:
  explicit ResultFolder(const CommandLine& line) : path_(line.text("output")) {
    namespace fs = std::filesystem;
    if (!path_) {
      if (line.has("flows")) throw Error(ErrorCode::usage, "--flows needs --output, the folder that flows.csv goes to");
      return;
    }
    std::error_code ignored;
    if (fs::exists(*path_, ignored) && !fs::is_directory(*path_, ignored))
      throw Error(ErrorCode::usage, fmt::format("--output: {} is a file; expected a folder", *path_));
    // As if it were a file in it, or beside it.
    check_output_path("--output", fs::is_directory(*path_, ignored) ? *path_ + "/summary.json" : plain());
  }

  void save(const std::string& name, const std::string& content) {
    if (!path_) return;
    std::filesystem::create_directories(*path_);
    const std::string file = (std::filesystem::path(*path_) / name).string();
    write_file(file, content);
    line_ += (line_.empty() ? "wrote " : ", ") + file;
  }
  [[nodiscard]] const std::string& line() const { return line_; }

 private:
  // Without a slash at the end.
  [[nodiscard]] std::string plain() const {
    const std::filesystem::path path(*path_);
    return (path.has_filename() ? path : path.parent_path()).string();
  }

  std::optional<std::string> path_;
  std::string line_;
};

void write_results(const SimulationReport& report, const CommandLine& line, ResultFolder& folder) {
  if (!line.has("quiet")) print_text(simulation_text(report, text_style(line)));
  folder.save("jobs.csv", epochs_csv(report));
  folder.save("recomputations.csv", recomputations_csv(report));
  if (line.has("flows")) folder.save("flows.csv", flows_csv(report));
  folder.save("summary.json", write_json(simulation_document(report)));
  if (!line.has("quiet") && !folder.line().empty()) print_text(folder.line() + "\n");
}

}  // namespace

int simulate(const Arguments& arguments) {
  CommandLine line(kManual);
  add_simulate_options(line);
  if (!line.parse(arguments)) return 0;

  const std::vector<Solver> solvers = solvers_of(line);
  SimulationOptions options = simulation_options(line);
  const ProblemOptions problem_choices = problem_options(line);
  ResultFolder folder(line);
  (void)text_style(line);  // refuse it before loading anything
  ProgressLine progress(line.has("quiet"));
  const ThreadScope threads(threads_of(line));

  SimulationReport report;
  report.run.threads = threads_of(line);
  report.run.seed = seed_of(line);
  report.run.fabric_source = fabric_source(line);
  report.run.jobs_source = jobs_source(line);
  report.recompute = line.text("recompute").value_or("artifact");

  auto begin = Clock::now();
  progress.set("loading the fabric");
  const auto fabric = std::make_shared<const Fabric>(load_fabric(line));
  progress.set("loading the jobs");
  const auto workload = std::make_shared<const Workload>(load_workload(line, *fabric));
  report.run.load_us = microseconds_since(begin);

  begin = Clock::now();
  progress.set("building the problem");
  const auto problem = std::make_shared<const Problem>(fabric, workload, problem_choices);
  report.problem = problem.get();
  report.ideal_ns = ideal_allreduce_ns(*problem);
  report.run.backend = make_evaluator(problem, options.backend)->capabilities().name;
  report.run.build_us = microseconds_since(begin);

  const Interrupt interrupt("what was played so far");
  options.stop = &interrupt.seen();
  options.on_progress = [&](const SimulationProgress& at) {
    progress.set(fmt::format("simulating {}: {:.1f} s, {} of {} jobs done", name_of(at.solver),
                             static_cast<double>(at.time_ns) * 1e-9, at.jobs_done, problem->num_jobs()));
  };
  begin = Clock::now();
  progress.set("simulating");
  report.options = options;
  report.simulations = spineweave::simulate(fabric, workload, problem_choices, solvers, options);
  report.run.solve_us = microseconds_since(begin);
  progress.finish();
  write_results(report, line, folder);
  return interrupt.seen() ? kInterruptedStatus : 0;
}

}  // namespace spineweave::cli
