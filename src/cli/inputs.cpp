#include "cli/inputs.hpp"

#include <fmt/format.h>

#include <limits>

#include "spineweave/io.hpp"

namespace spineweave::cli {
namespace {

const std::string kGroup = "Input";
constexpr std::uint64_t kMostQps = 1024;

}  // namespace

void add_fabric_options(CommandLine& line) {
  line.add_option(kGroup, "fabric", "A file (its format is detected, gzip is inflated) or a spec", "F");
  line.add_option(kGroup, "down", "Take out links, switches or endpoints: A-B, A->B, spine:31, random:5%,seed=1",
                  "LIST");
}

void add_jobs_options(CommandLine& line) {
  line.add_option(kGroup, "jobs", "A file, a folder of job files, or a spec", "J");
  add_qps_option(line);
}

void add_qps_option(CommandLine& line) {
  line.add_option(kGroup, "qps", "Split every flow into N subflows, routed apart (default: as the jobs say)", "N");
}

void add_problem_options(CommandLine& line) {
  line.add_option(kGroup, "weights", "Weights of flows: demand, equal or hash:1-100 (default: demand)", "MODE");
  line.add_option(kGroup, "max-paths", "Most paths for a pair of switches, where the fabric is no Clos (default: 4096)",
                  "N");
  line.add_flag(kGroup, "allow-valley", "Let pairs without an up-then-down path take another (risks credit loops)");
}

void add_seed_option(CommandLine& line) {
  line.add_option(kGroup, "seed", "Seed of every random choice and of ECMP (default: 1)", "N");
}

Fabric load_fabric(const CommandLine& line) {
  const std::string source = line.required("fabric");
  Fabric fabric = is_fabric_spec(source) ? build_fabric(source) : read_fabric(source);
  const auto faults = line.text("down");
  return faults ? with_faults(fabric, *faults) : std::move(fabric);
}

Workload load_workload(const CommandLine& line, const Fabric& fabric) {
  const std::string source = line.required("jobs");
  Workload workload = is_workload_spec(source) ? build_workload(fabric, source) : read_workload(fabric, source);
  split_flows(line, workload);
  return workload;
}

void split_flows(const CommandLine& line, Workload& workload) {
  const auto qps = static_cast<std::uint32_t>(line.number_or("qps", 0, 1, kMostQps));
  if (qps == 0) return;
  for (Job& job : workload.jobs)
    for (Collective& collective : job.collectives) collective.qps = qps;
}

ProblemOptions problem_options(const CommandLine& line) {
  ProblemOptions options;
  if (const auto weights = line.text("weights")) parse_weights(*weights, options);
  options.seed = seed_of(line);
  options.max_paths = static_cast<std::uint32_t>(line.number_or("max-paths", options.max_paths, 1, kNone - 1));
  options.allow_valley = line.has("allow-valley");
  return options;
}

std::uint64_t seed_of(const CommandLine& line) {
  return line.number_or("seed", 1, 0, std::numeric_limits<std::uint64_t>::max());
}

std::string fabric_source(const CommandLine& line) {
  const auto faults = line.text("down");
  return line.required("fabric") + (faults ? " without " + *faults : "");
}

std::string jobs_source(const CommandLine& line) {
  const auto qps = line.text("qps");
  return line.required("jobs") + (qps ? fmt::format(" with {} subflows per flow", *qps) : "");
}

}  // namespace spineweave::cli
