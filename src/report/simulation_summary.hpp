// What the epochs of a simulation come to.
#pragma once

#include <cstdint>
#include <vector>

#include "spineweave/report.hpp"

namespace spineweave::report {

// Of some epochs: a job's, or all.
struct EpochSummary {
  std::uint32_t epochs = 0;
  double mean_allreduce_ns = 0;
  std::uint64_t worst_allreduce_ns = 0;
  double mean_slowdown = 1.0;
  double worst_slowdown = 1.0;
};

struct SimulationSummary {
  EpochSummary all;
  std::vector<EpochSummary> jobs;  // [jobs]
  std::uint32_t runs = 0;          // of the controller; what the fabric does by itself takes no time, and is none
  std::uint64_t moves = 0;
  std::uint32_t most_moves = 0;  // in one recomputation
  std::uint32_t proved = 0;      // recomputations whose routing was proved to be the best
  double median_run_us = 0, most_run_us = 0;
  double median_build_us = 0;
};

[[nodiscard]] double slowdown_of(const SimulationReport& report, const EpochRecord& epoch);
[[nodiscard]] SimulationSummary summarise(const SimulationReport& report, const Simulation& simulation);

}  // namespace spineweave::report
