#include <array>

#include "cli/inputs.hpp"
#include "cli/outputs.hpp"
#include "cli/verbs.hpp"
#include "spineweave/error.hpp"
#include "spineweave/io.hpp"

namespace spineweave::cli {
namespace {

constexpr Manual kManual = {"generate", "Writes a fabric or jobs file from a spec.",
                            "(fabric | jobs) SPEC [--fabric F] [-o FILE]",
                            "  spineweave generate fabric leaf-spine:leaves=8,spines=4,hosts=8,gbps=100 \\\n"
                            "    -o fabric.json\n"
                            "  spineweave generate fabric fat-tree:k=8,gbps=400 --down random:5%,seed=1\n"
                            "  spineweave generate fabric \\\n"
                            "    rail:hosts=32,rails=8,spines=8,hosts_per_leaf=8,gbps=400 -o rail.json\n"
                            "  spineweave generate jobs rings:jobs=4,size=16,placement=random,seed=1 \\\n"
                            "    --fabric fabric.json -o jobs.json\n"
                            "Other specs of jobs: permutation:seed=1, all-to-all:jobs=4,size=16,\n"
                            "paper:jobs=5,ring=4,seed=1, hybrid:model=gpt-3,dp=8,pp=4,tp=8"};

void generate_fabric(const CommandLine& line, const std::string& spec, const std::string& output) {
  if (line.has("fabric")) throw Error(ErrorCode::usage, "--fabric is for 'generate jobs'");
  const auto faults = line.text("down");
  const Fabric fabric = build_fabric(spec);
  save_fabric(output, faults ? with_faults(fabric, *faults) : fabric);
}

void generate_jobs(const CommandLine& line, const std::string& spec, const std::string& output) {
  if (line.has("down")) throw Error(ErrorCode::usage, "--down is for 'generate fabric'");
  const Fabric fabric = load_fabric(line);
  save_workload(output, fabric, build_workload(fabric, spec));
}

}  // namespace

int generate(const Arguments& arguments) {
  constexpr std::array<std::string_view, 2> kinds = {"fabric", "jobs"};
  CommandLine line(kManual);
  line.add_positional("kind");
  line.add_positional("spec");
  line.add_option("Input", "fabric", "For jobs: the fabric that they run on, a file or a spec", "F");
  line.add_option("Input", "down", "For a fabric: links or switches to take out", "LIST");
  line.add_option("Output", "o,output", "Where to write (default: standard output)", "FILE");
  if (!line.parse(arguments)) return 0;

  const std::string output = line.text("output").value_or("-");
  check_output_path("--output", output);
  const auto kind = line.choice("kind", kinds);
  if (!kind) throw Error(ErrorCode::usage, "what to generate is missing: fabric or jobs");
  const std::string spec = line.required("spec");
  (*kind == 0 ? generate_fabric : generate_jobs)(line, spec, output);
  return 0;
}

}  // namespace spineweave::cli
