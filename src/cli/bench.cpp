#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "cli/bench/cases.hpp"
#include "cli/bench/machine.hpp"
#include "cli/bench/measure.hpp"
#include "cli/bench/output.hpp"
#include "cli/interrupt.hpp"
#include "cli/machine_options.hpp"
#include "cli/outputs.hpp"
#include "cli/progress_line.hpp"
#include "cli/verbs.hpp"
#include "spineweave/error.hpp"
#include "spineweave/io.hpp"

namespace spineweave::cli {
namespace {

constexpr Manual kManual = {"bench", "Measures the standard performance table on this machine, in about a minute.",
                            "[options]",
                            "  spineweave bench\n"
                            "  spineweave bench --cases paper,link-down --report bench.json\n"
                            "  spineweave bench --cases scaling --plot scaling.svg\n"
                            "Groups of cases: score, paper, scaling, faults; and small, which is not in the\n"
                            "standard table: the same operations in a moment"};
constexpr int kFewestPoints = 2;  // of a plot
constexpr std::uint64_t kMostRepetitions = 1000;

void add_options(CommandLine& line) {
  line.add_option("Table", "cases", "Names of cases and groups (default: the standard table)", "LIST");
  line.add_option("Table", "repetitions", "Of each case (default: 11, or as many as fit into three seconds)", "N");
  line.add_option("Table", "commit", "What is measured, for the record", "NAME");
  add_machine_options(line);
  line.add_option("Output", "report", "Write every repetition (JSON); '-' is standard output", "FILE");
  line.add_option("Output", "plot", "Draw time against flows (SVG)", "FILE");
  line.add_flag("Output", "q,quiet", "Print no table and no progress");
  add_color_option(line);
}

// Where the results go, checked before anything is measured.
class TableOutputs {
 public:
  TableOutputs(const CommandLine& line, const std::vector<bench::Case>& cases)
      : report_(checked_output(line, "report")), plot_(checked_output(line, "plot")), style_(text_style(line)) {
    if (report_ && report_ == plot_)
      throw Error(ErrorCode::usage, fmt::format("two results cannot both be written to {}", *report_));
    if (plot_ && std::ranges::count(cases, bench::kScaling, &bench::Case::group) < kFewestPoints)
      throw Error(ErrorCode::usage, "--plot needs at least two cases of the group scaling");
    print_text_ = !line.has("quiet") && report_ != "-" && plot_ != "-";
  }

  void write(const bench::Run& run) const {
    if (print_text_) print_text(bench::run_text(run, style_));
    if (report_) write_file(*report_, write_json(bench::run_document(run)));
    if (!plot_) return;
    if (bench::num_plot_points(run) < kFewestPoints) {
      fmt::print(stderr, "spineweave: note: too few cases were measured for a plot\n");
    } else {
      write_file(*plot_, bench::scaling_plot(run));
    }
  }

 private:
  std::optional<std::string> report_, plot_;
  TextStyle style_;
  bool print_text_ = true;
};

}  // namespace

int bench(const Arguments& arguments) {
  CommandLine line(kManual);
  add_options(line);
  if (!line.parse(arguments)) return 0;

  const std::vector<bench::Case> cases = bench::choose_cases(line.text("cases").value_or(""));
  const TableOutputs outputs(line, cases);
  ProgressLine progress(line.has("quiet"));
  const Interrupt interrupt("what was measured so far");
  bench::MeasureOptions options;
  options.backend = checked_backend(line);
  options.threads = threads_of(line);
  options.repetitions = static_cast<std::uint32_t>(line.number_or("repetitions", 0, 1, kMostRepetitions));
  options.stop = &interrupt.seen();
  options.on_progress = [&](const std::string& doing) { progress.set(doing); };

  bench::Run run;
  run.version = SPINEWEAVE_VERSION;
  run.commit = line.text("commit").value_or("");
  run.machine = bench::describe_machine();
  run.threads = options.threads;
  run.seed = bench::kSeed;
  run.num_chosen = cases.size();
  for (const bench::Case& item : cases) {
    auto result = bench::measure(item, options);
    if (!result) break;
    run.cases.push_back(std::move(*result));
  }
  progress.finish();
  outputs.write(run);
  return interrupt.seen() ? kInterruptedStatus : 0;
}

}  // namespace spineweave::cli
