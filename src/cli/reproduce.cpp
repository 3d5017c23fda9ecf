#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <system_error>

#include "cli/inputs.hpp"
#include "cli/interrupt.hpp"
#include "cli/machine_options.hpp"
#include "cli/outputs.hpp"
#include "cli/progress_line.hpp"
#include "cli/result_folder.hpp"
#include "cli/simulation_options.hpp"
#include "cli/verbs.hpp"
#include "report/reproduction.hpp"
#include "report/simulation_plots.hpp"
#include "spineweave/error.hpp"
#include "spineweave/io.hpp"
#include "spineweave/threads.hpp"
#include "util/text.hpp"

namespace spineweave::cli {
namespace {

namespace fs = std::filesystem;

constexpr Manual kManual = {"reproduce", "Plays all scenarios of the paper (arXiv 2503.05324) under several schemes.",
                            "--workloads FOLDER [options]",
                            "  spineweave reproduce --workloads paper -o results\n"
                            "  spineweave reproduce --workloads paper --failures 1 --qps 4 \\\n"
                            "    --solvers ecmp,weave"};

constexpr std::string_view kTopology = "topology.properties";
constexpr std::uint32_t kUsualFailures[] = {0, 1, 4, 8};
constexpr std::uint32_t kMostFailures = 1'000'000, kMostTieOrders = 10'000;

bool holds_jobs(const fs::path& folder, std::error_code& error) {
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with("job_")) return true;
  return false;
}

// Folders below `root` that hold job files, in natural order, as paths relative to it.
std::vector<std::string> job_folders(const fs::path& root) {
  std::vector<std::string> folders;
  std::error_code error;
  for (fs::recursive_directory_iterator at(root, error), end; !error && at != end; at.increment(error)) {
    std::error_code none;  // what cannot be looked at is no folder
    if (at->is_directory(none) && holds_jobs(at->path(), error))
      folders.push_back(fs::relative(at->path(), root).string());
  }
  if (error) throw Error(ErrorCode::bad_input, fmt::format("--workloads: {}: {}", root.string(), error.message()));
  if (folders.empty())
    throw Error(ErrorCode::bad_input,
                fmt::format("--workloads: no folder below {} holds job files (job_...)", root.string()));
  std::ranges::sort(folders, util::natural_less);
  return folders;
}

std::vector<std::uint32_t> failures_asked_for(const CommandLine& line) {
  const auto list = line.text("failures");
  if (!list) return {std::begin(kUsualFailures), std::end(kUsualFailures)};
  std::vector<std::uint32_t> failures;
  for (const std::string_view part : util::split(*list, ',')) {
    const auto number = util::parse_unsigned(util::trim(part));
    if (!number || *number > kMostFailures)
      throw Error(ErrorCode::usage,
                  fmt::format("--failures: '{}'; expected numbers of failed spines, 0,1,4,8 say", part));
    if (std::ranges::find(failures, *number) != failures.end())
      throw Error(ErrorCode::usage, fmt::format("--failures: {} stands twice", *number));
    failures.push_back(static_cast<std::uint32_t>(*number));
  }
  return failures;
}

// The last spines, as the paper's artifact fails them.
std::shared_ptr<const Fabric> without_last_spines(const std::shared_ptr<const Fabric>& fabric, std::uint32_t failed) {
  if (failed == 0) return fabric;
  const ClosShape* clos = fabric->clos();
  const std::uint32_t spines = clos == nullptr ? 0 : clos->num_tiers == 3 ? clos->num_cores : clos->num_aggs;
  if (failed >= spines)
    throw Error(ErrorCode::usage, fmt::format("--failures: {} of the fabric's {} spines leave none", failed, spines));
  std::vector<std::string> names;
  for (std::uint32_t spine = spines - failed; spine < spines; ++spine) names.push_back(fmt::format("spine:{}", spine));
  return std::make_shared<const Fabric>(with_faults(*fabric, fmt::format("{}", fmt::join(names, ","))));
}

std::string folder_name(const std::string& scenario, std::uint32_t failed) {
  return fmt::format("{}/{}-failed", scenario, failed);
}

// Under greedy with each order of its ties, the usual one first.
std::vector<double> play_greedy_orders(const std::shared_ptr<const Fabric>& fabric,
                                       const std::shared_ptr<const Workload>& workload, std::uint32_t orders,
                                       SimulationOptions options, const CommandLine& line, ProgressLine& progress) {
  std::vector<double> slowdowns;
  for (std::uint32_t order = 0; order < orders; ++order) {
    options.tie_order = order;
    const auto [problem, report] = play(fabric, workload, {Solver::greedy}, options, line, progress);
    slowdowns.push_back(report::slowdown_of(report::summarise(report, report.simulations.front())));
  }
  return slowdowns;
}

std::shared_ptr<const Workload> load_jobs(const CommandLine& line, const Fabric& fabric, const std::string& folder) {
  auto workload = std::make_shared<Workload>(read_workload(fabric, folder));
  split_flows(line, *workload);
  return workload;
}

// What the pictures of one number of failed spines show: all scenarios together.
void add_to(std::vector<Simulation>& merged, const std::vector<Simulation>& simulations) {
  if (merged.empty()) merged.resize(simulations.size());
  for (std::size_t i = 0; i < simulations.size(); ++i) {
    merged[i].solver = simulations[i].solver;
    std::ranges::copy(simulations[i].epochs, std::back_inserter(merged[i].epochs));
    std::ranges::copy(simulations[i].recomputations, std::back_inserter(merged[i].recomputations));
  }
}

void save_pictures(const report::Reproduction& reproduction,
                   const std::map<std::uint32_t, std::vector<Simulation>>& merged, ResultFolder& folder) {
  std::vector<Simulation> all;
  for (const auto& [failed, simulations] : merged) {
    const std::string subtitle = fmt::format("All scenarios of arXiv 2503.05324, {}", report::failed_spines(failed));
    folder.save(fmt::format("allreduce-{}-failed.svg", failed), report::allreduce_plot(subtitle, simulations));
    std::vector<report::ScenarioSlowdowns> rows;
    for (const report::ReproducedScenario& scenario : reproduction.scenarios) {
      if (scenario.failed_spines != failed) continue;
      rows.push_back({scenario.name, {}});
      for (const report::SimulationSummary& summary : scenario.summaries)
        rows.back().slowdowns.push_back(report::slowdown_of(summary));
    }
    folder.save(fmt::format("slowdown-{}-failed.svg", failed),
                report::slowdown_plot(subtitle, reproduction.schemes, rows));
    add_to(all, simulations);
  }
  folder.save("run-time.svg", report::run_time_plot("All scenarios of arXiv 2503.05324", all));
}

}  // namespace

int reproduce(const Arguments& arguments) {
  CommandLine line(kManual);
  line.add_option("Input", "workloads",
                  "The folder of the paper's workloads: topology.properties, and folders of job files", "FOLDER");
  line.add_option("Input", "failures", "Numbers of failed spines to play (default: 0,1,4,8)", "LIST");
  line.add_option("Input", "tie-orders", "Play greedy in so many orders of its ties and show the spread (default: 1)",
                  "N");
  add_qps_option(line);
  add_problem_options(line);
  add_seed_option(line);
  add_simulation_options(line);
  add_machine_options(line);
  ResultFolder::add_option(line, "scenarios.csv, table.md, pictures, and a folder of tables for each scenario");
  line.add_flag("Output", "q,quiet", "Print no report and no progress");
  add_color_option(line);
  if (!line.parse(arguments)) return 0;

  const fs::path root = line.required("workloads");
  const std::vector<std::uint32_t> failures = failures_asked_for(line);
  report::Reproduction reproduction;
  reproduction.schemes = schemes_of(line);
  SimulationOptions options = simulation_options(line, reproduction.schemes);
  const auto tie_orders = static_cast<std::uint32_t>(line.number_or("tie-orders", 1, 1, kMostTieOrders));
  (void)problem_options(line);  // refuse these before anything is loaded
  const TextStyle style = text_style(line);
  ResultFolder folder(line);
  ProgressLine progress(line.has("quiet"));
  const ThreadScope threads(threads_of(line));

  const auto intact = std::make_shared<const Fabric>(read_fabric((root / kTopology).string()));
  const std::vector<std::string> scenarios = job_folders(root);
  const Interrupt interrupt("the scenarios played so far");
  options.stop = &interrupt.seen();
  std::map<std::uint32_t, std::vector<Simulation>> merged;
  std::vector<std::shared_ptr<const Fabric>> fabrics;  // all of them first, so that a number too large plays nothing
  for (const std::uint32_t failed : failures) fabrics.push_back(without_last_spines(intact, failed));
  for (std::size_t i = 0; i < failures.size() && !interrupt.seen(); ++i) {
    const std::uint32_t failed = failures[i];
    const std::shared_ptr<const Fabric>& fabric = fabrics[i];
    for (const std::string& scenario : scenarios) {
      const auto workload = load_jobs(line, *fabric, (root / scenario).string());
      const auto [problem, report] = play(fabric, workload, reproduction.schemes, options, line, progress);
      report::ReproducedScenario row{scenario, failed, {}, {}};
      if (tie_orders > 1) row.greedy_orders = play_greedy_orders(fabric, workload, tie_orders, options, line, progress);
      if (interrupt.seen()) break;  // what was cut short would spoil the means
      for (const Simulation& simulation : report.simulations)
        row.summaries.push_back(report::summarise(report, simulation));
      reproduction.scenarios.push_back(std::move(row));
      folder.save(folder_name(scenario, failed) + "/jobs.csv", epochs_csv(report));
      folder.save(folder_name(scenario, failed) + "/recomputations.csv", recomputations_csv(report));
      add_to(merged[failed], report.simulations);
    }
  }
  progress.finish();
  save_pictures(reproduction, merged, folder);
  folder.save("scenarios.csv", scenarios_csv(reproduction));
  if (tie_orders > 1) folder.save("greedy-ties.csv", greedy_orders_csv(reproduction));
  folder.save("table.md", reproduction_markdown(reproduction));
  if (line.has("quiet")) return interrupt.seen() ? kInterruptedStatus : 0;
  print_text(reproduction_text(reproduction, style));
  if (folder.is_wanted()) print_text("\n" + folder.line() + "\n");
  return interrupt.seen() ? kInterruptedStatus : 0;
}

}  // namespace spineweave::cli
