// Reports: what a run found, as a document, as text for a terminal, and as one HTML page.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "spineweave/assess.hpp"
#include "spineweave/document.hpp"
#include "spineweave/optimize.hpp"
#include "spineweave/problem.hpp"
#include "spineweave/rank.hpp"
#include "spineweave/simulate.hpp"

namespace spineweave {

struct RunInfo {
  std::string solver, backend, device, fabric_source, jobs_source;
  std::uint32_t threads = 1;
  std::uint64_t seed = 1;
  double load_us = 0, build_us = 0, solve_us = 0;
};

// One routing with all that was found out about it.
struct Result {
  Solution solution;
  Assessment assessment;
};

struct Report {
  const Problem* problem = nullptr;
  RunInfo run;
  Result result;
  bool has_baseline = false;
  std::string baseline_name;  // "ecmp"
  Result baseline;            // of its solution, the routing and the score
};

// spineweave.report/1; io::write_json makes text of it.
[[nodiscard]] Document report_document(const Report& report);

struct TextStyle {
  std::uint32_t width = 80;  // columns
  bool color = false;
  std::uint32_t max_jobs = 20;  // rows of the job table; the rest is counted
};
[[nodiscard]] std::string report_text(const Report& report, const TextStyle& style);

// One self-contained page: link-load heat map before and after, the jobs' slowdowns.
[[nodiscard]] std::string report_html(const Report& report);

// Many routings, ranked.
struct RankingReport {
  const Problem* problem = nullptr;
  RunInfo run;             // its solver is where the routings come from
  double routings_us = 0;  // the time to read or to make them
  Ranking ranking;
  std::vector<Finding> findings;  // about the place they come from
};

// spineweave.routings-report/1
[[nodiscard]] Document ranking_document(const RankingReport& report);
[[nodiscard]] std::string ranking_text(const RankingReport& report, const TextStyle& style);

// Jobs played over time under several schemes.
struct SimulationReport {
  const Problem* problem = nullptr;     // of all jobs
  RunInfo run;                          // its solver is not looked at; solve_us is the time of all simulations
  std::string recompute;                // the policy, as it was asked for
  SimulationOptions options;            // that all were played with
  std::vector<std::uint64_t> ideal_ns;  // [jobs], of ideal_allreduce_ns
  std::vector<Simulation> simulations;
};
// Over the digests of all of them.
[[nodiscard]] std::uint64_t simulation_digest(const SimulationReport& report);
// spineweave.simulation/1
[[nodiscard]] Document simulation_document(const SimulationReport& report);
[[nodiscard]] std::string simulation_text(const SimulationReport& report, const TextStyle& style);
// One row for each solver, job and epoch that ended.
[[nodiscard]] std::string epochs_csv(const SimulationReport& report);
// One for each flow in each step, where the simulations recorded them.
[[nodiscard]] std::string flows_csv(const SimulationReport& report);
// One for each time that routes were chosen.
[[nodiscard]] std::string recomputations_csv(const SimulationReport& report);

// What `inspect` prints, and the same as JSON.
struct Inspection {
  const Fabric* fabric = nullptr;
  const Workload* workload = nullptr;  // may be null
  const Problem* problem = nullptr;    // may be null: no jobs, or they do not fit
  std::string problem_error;           // why not
  std::string fabric_source, format;
};
[[nodiscard]] std::string inspection_text(const Inspection& inspection, const TextStyle& style);
[[nodiscard]] Document inspection_document(const Inspection& inspection);

}  // namespace spineweave
