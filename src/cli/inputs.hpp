// Options that say what to work on, and loading it.
#pragma once

#include "cli/command_line.hpp"
#include "spineweave/fabric.hpp"
#include "spineweave/problem.hpp"
#include "spineweave/workload.hpp"

namespace spineweave::cli {

void add_fabric_options(CommandLine& line);   // --fabric, --down
void add_jobs_options(CommandLine& line);     // --jobs, --qps
void add_qps_option(CommandLine& line);       // --qps
void add_problem_options(CommandLine& line);  // --weights, --max-paths, --allow-valley
void add_seed_option(CommandLine& line);      // --seed

[[nodiscard]] Fabric load_fabric(const CommandLine& line);
[[nodiscard]] Workload load_workload(const CommandLine& line, const Fabric& fabric);
// As --qps says.
void split_flows(const CommandLine& line, Workload& workload);
[[nodiscard]] ProblemOptions problem_options(const CommandLine& line);
[[nodiscard]] std::uint64_t seed_of(const CommandLine& line);

// As reports name them: "fabric.json without spine:31", "jobs.json with 4 subflows per flow".
[[nodiscard]] std::string fabric_source(const CommandLine& line);
[[nodiscard]] std::string jobs_source(const CommandLine& line);

}  // namespace spineweave::cli
