#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "cli/inputs.hpp"
#include "cli/outputs.hpp"
#include "cli/verbs.hpp"
#include "spineweave/error.hpp"
#include "spineweave/io.hpp"

namespace spineweave::cli {
namespace {

constexpr Manual kManual = {"convert", "Turns a fabric or jobs of any format that is read into our JSON.",
                            "IN OUT [--to fabric|jobs|routings] [--fabric F]",
                            "  spineweave convert ibnetdiscover.txt fabric.json\n"
                            "  spineweave convert job_files/ jobs.json --fabric fabric.json\n"
                            "  spineweave convert routing_files/ routings.json --to routings"};

enum class Kind : std::uint8_t { fabric, jobs, routings };

// What the content is; of a folder jobs are expected.
Kind kind_of(const std::string& path) {
  if (std::filesystem::is_directory(path)) return Kind::jobs;
  const FileFormat format = detect_format(read_file(path));
  switch (format) {
    case FileFormat::fabric_json:
    case FileFormat::floodns_topology:
    case FileFormat::ibnetdiscover:
    case FileFormat::ibsim:
      return Kind::fabric;
    case FileFormat::jobs_json:
    case FileFormat::floodns_jobs:
      return Kind::jobs;
    case FileFormat::routing_json:
      throw Error(ErrorCode::bad_input, fmt::format("{}: is one routing; expected a fabric, jobs or routings", path));
    case FileFormat::routings_json:
      return Kind::routings;
    case FileFormat::unknown:
      break;
  }
  throw Error(ErrorCode::bad_input, fmt::format("{}: of no known format; expected a fabric, jobs or routings", path));
}

}  // namespace

int convert(const Arguments& arguments) {
  constexpr std::array<std::string_view, 3> names = {"fabric", "jobs", "routings"};
  constexpr std::array kinds = {Kind::fabric, Kind::jobs, Kind::routings};
  CommandLine line(kManual);
  line.add_positional("in");
  line.add_positional("out");
  line.add_option("Input", "fabric", "For jobs: the fabric that they run on, a file or a spec", "F");
  line.add_option("Input", "to",
                  "What IN holds: fabric, jobs or routings (default: told from its content; a folder holds jobs)",
                  "KIND");
  if (!line.parse(arguments)) return 0;

  const std::string in = line.required("in");
  const std::string out = line.required("out");
  check_output_path("out", out);
  const auto told = line.choice("to", names);
  const Kind kind = told ? kinds[*told] : kind_of(in);
  if (kind != Kind::jobs && line.has("fabric"))
    throw Error(ErrorCode::usage, fmt::format("--fabric is for jobs, but {} holds none", in));
  if (kind == Kind::fabric) return save_fabric(out, read_fabric(in)), 0;
  if (kind == Kind::routings) return write_file(out, write_routings_json(read_routings(in))), 0;
  if (!line.has("fabric"))
    throw Error(ErrorCode::usage,
                fmt::format("{} holds jobs: --fabric is needed (a folder of routings needs --to routings)", in));
  const Fabric fabric = load_fabric(line);
  save_workload(out, fabric, read_workload(fabric, in));
  return 0;
}

}  // namespace spineweave::cli
