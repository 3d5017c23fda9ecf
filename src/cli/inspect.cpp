#include <optional>

#include "cli/inputs.hpp"
#include "cli/outputs.hpp"
#include "cli/verbs.hpp"
#include "spineweave/error.hpp"
#include "spineweave/io.hpp"

namespace spineweave::cli {
namespace {

constexpr Manual kManual = {"inspect", "Checks a fabric and its jobs, counts what they hold, and names what is odd.",
                            "--fabric F [--jobs J] [options]",
                            "  spineweave inspect --fabric fabric.json\n"
                            "  spineweave inspect --fabric ibnetdiscover.txt --jobs rings:size=8 --json"};

}  // namespace

int inspect(const Arguments& arguments) {
  CommandLine line(kManual);
  add_fabric_options(line);
  add_jobs_options(line);
  add_problem_options(line);
  add_seed_option(line);
  line.add_flag("Output", "json", "Print JSON");
  add_color_option(line);
  if (!line.parse(arguments)) return 0;

  const TextStyle style = text_style(line);
  const ProblemOptions options = problem_options(line);
  const std::string source = line.required("fabric");
  const auto fabric = std::make_shared<const Fabric>(load_fabric(line));
  Inspection inspection;
  inspection.fabric = fabric.get();
  inspection.fabric_source = fabric_source(line);
  inspection.format = is_fabric_spec(source) ? "spec" : name_of(detect_format(read_file(source)));

  std::shared_ptr<const Workload> workload;
  std::optional<Problem> problem;
  int status = 0;
  if (line.has("jobs")) {
    workload = std::make_shared<const Workload>(load_workload(line, *fabric));
    inspection.workload = workload.get();
    try {
      inspection.problem = &problem.emplace(fabric, workload, options);
    } catch (const Error& error) {
      // What is there is still worth a look: it may say why the jobs do not fit.
      inspection.problem_error = error.what();
      status = static_cast<int>(error.code());
    }
  }
  print_text(line.has("json") ? write_json(inspection_document(inspection)) : inspection_text(inspection, style));
  return status;
}

}  // namespace spineweave::cli
