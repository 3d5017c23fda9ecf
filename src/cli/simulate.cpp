#include "spineweave/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/inputs.hpp"
#include "cli/interrupt.hpp"
#include "cli/machine_options.hpp"
#include "cli/outputs.hpp"
#include "cli/result_folder.hpp"
#include "cli/simulation_options.hpp"
#include "cli/verbs.hpp"
#include "report/simulation_plots.hpp"
#include "report/text_layout.hpp"
#include "spineweave/error.hpp"
#include "spineweave/io.hpp"
#include "spineweave/threads.hpp"
#include "util/clock.hpp"

namespace spineweave::cli {
namespace {

constexpr Manual kManual = {"simulate", "Plays jobs over time under several routing schemes, through failures.",
                            "--fabric F --jobs J [options]",
                            "  spineweave simulate --jobs paper:jobs=5,ring=4,seed=1 \\\n"
                            "    --fabric leaf-spine:leaves=64,spines=32,hosts=32,gbps=100 -o results\n"
                            "  spineweave simulate --fabric fabric.json --jobs jobs.json \\\n"
                            "    --solvers ecmp,weave --recompute events \\\n"
                            "    --fail spine:3@2s --recover spine:3@4s -o results"};

// Of the picture of link loads: as many intervals as it shows, fewer where there are very many links.
constexpr std::uint32_t kLoadIntervals = 240, kLeastLoadIntervals = 16;
constexpr std::uint32_t kMostLoads = 1U << 24U;

void add_simulate_options(CommandLine& line) {
  add_fabric_options(line);
  add_jobs_options(line);
  add_problem_options(line);
  add_seed_option(line);
  add_simulation_options(line);
  const std::string run = "Run";
  line.add_option(run, "fail", "What fails when: spine:31@2s,A-B@500ms; the targets of --down", "LIST");
  line.add_option(run, "recover", "When what --fail took out comes back: spine:31@4s", "LIST");
  add_machine_options(line);
  const std::string output = "Output";
  ResultFolder::add_option(line, "jobs.csv, recomputations.csv, summary.json and pictures");
  line.add_flag(output, "flows", "Write flows.csv as well, every flow in every step, and pictures of it");
  line.add_flag(output, "q,quiet", "Print no report and no progress");
  add_color_option(line);
}

void add_fabric_events(const CommandLine& line, SimulationOptions& options) {
  if (const auto failures = line.text("fail")) options.fabric_events = parse_fabric_events(*failures, true);
  if (const auto recoveries = line.text("recover"))
    for (FabricEvent& recovery : parse_fabric_events(*recoveries, false))
      options.fabric_events.push_back(std::move(recovery));
}

void write_results(const SimulationReport& report, const CommandLine& line, ResultFolder& folder) {
  if (!line.has("quiet")) print_text(simulation_text(report, text_style(line)));
  const std::string subtitle = fmt::format("{} on {}", report.run.jobs_source, report.run.fabric_source);
  folder.save("jobs.csv", epochs_csv(report));
  folder.save("recomputations.csv", recomputations_csv(report));
  folder.save("summary.json", write_json(simulation_document(report)));
  folder.save("allreduce.svg", report::allreduce_plot(subtitle, report.simulations));
  folder.save("run-time.svg", report::run_time_plot(subtitle, report.simulations));
  if (line.has("flows")) {
    folder.save("flows.csv", flows_csv(report));
    folder.save("flow-completion.svg", report::flow_completion_plot(subtitle, report.simulations));
    folder.save("throughput.svg", report::throughput_plot(subtitle, *report.problem, report.simulations));
  }
  folder.save("link-load.svg", report::link_load_plot(subtitle, report.problem->fabric(), report.simulations));
  if (!line.has("quiet") && !folder.line().empty())
    print_text(report::wrap(folder.line(), text_style(line).width) + "\n");
}

}  // namespace

int simulate(const Arguments& arguments) {
  CommandLine line(kManual);
  add_simulate_options(line);
  if (!line.parse(arguments)) return 0;

  std::vector<Solver> schemes = schemes_of(line);
  SimulationOptions options = simulation_options(line, schemes);
  add_fabric_events(line, options);
  options.record_flows = line.has("flows");
  (void)problem_options(line);  // refuse these before loading anything
  (void)text_style(line);
  ResultFolder folder(line);
  if (options.record_flows && !folder.is_wanted())
    throw Error(ErrorCode::usage, "--flows needs --output, the folder that flows.csv goes to");
  ProgressLine progress(line.has("quiet"));
  const ThreadScope threads(threads_of(line));

  const auto begin = util::Clock::now();
  progress.set("loading the fabric");
  const auto fabric = std::make_shared<const Fabric>(load_fabric(line));
  if (!line.has("solvers") && fabric->clos() == nullptr) std::erase(schemes, Solver::coloring);  // it needs a Clos
  progress.set("loading the jobs");
  const auto workload = std::make_shared<const Workload>(load_workload(line, *fabric));
  const double load_us = util::microseconds_since(begin);

  if (folder.is_wanted())
    options.load_intervals =
        std::clamp(kMostLoads / std::max(1U, fabric->num_links()), kLeastLoadIntervals, kLoadIntervals);
  const Interrupt interrupt("what was played so far");
  options.stop = &interrupt.seen();
  auto [problem, report] = play(fabric, workload, schemes, options, line, progress);
  report.run.load_us = load_us;
  report.run.fabric_source = fabric_source(line);
  report.run.jobs_source = jobs_source(line);
  progress.finish();
  write_results(report, line, folder);
  return interrupt.seen() ? kInterruptedStatus : 0;
}

}  // namespace spineweave::cli
