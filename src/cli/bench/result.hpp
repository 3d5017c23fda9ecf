// What a run of the table found: plain numbers, before they are words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/bench/cases.hpp"
#include "report/statistics.hpp"
#include "spineweave/optimize.hpp"

namespace spineweave::bench {

// One timed part of a case.
struct Step {
  std::string_view name;
  std::vector<double> us;  // every repetition that counts, in order

  [[nodiscard]] double median_us() const { return report::median(us); }
  [[nodiscard]] double min_us() const { return std::ranges::min(us); }
  [[nodiscard]] double max_us() const { return std::ranges::max(us); }
};

// What is solved.
struct Instance {
  std::uint32_t endpoints = 0, links = 0, jobs = 0, flows = 0;
  std::uint64_t candidates = 0;
  std::uint64_t fabric_digest = 0, jobs_digest = 0;
};

// How good the routing is, and how sure that is.
struct Quality {
  double worst_job = 1, lower_bound = 1;  // N and LB
  double network_efficiency = 1, fluid_bound = 1;
  Certificate certificate;
  std::uint64_t digest = 0;
};

struct Repair {
  std::string cable;            // the one that fails
  std::uint32_t displaced = 0;  // flows that were on it
  std::uint32_t moved = 0;      // flows with another path than before
  Quality afresh;               // of the solve from nothing
};

struct CaseResult {
  Case subject{};
  std::string skipped;  // why; nothing below is set then
  std::string backend, device;
  std::uint32_t threads = 1;
  Instance instance;
  std::vector<Step> steps;
  std::optional<std::uint64_t> peak_memory_bytes;  // of the program during the case; nothing: cannot be told here
  std::uint64_t digest = 0;                        // of the result: equal in all repetitions
  std::optional<Quality> quality;                  // Operation::optimize and repair
  std::optional<Repair> repair;

  [[nodiscard]] const Step& step(std::string_view name) const {
    return *std::ranges::find(steps, name, [](const Step& step) { return step.name; });
  }
};

struct Machine {
  std::string cpu, compiler;
  std::uint32_t threads = 1;  // of the hardware
  std::uint64_t memory_bytes = 0;
  double load_average = 0;  // over the minute before the run: what else it had to do
};

struct Run {
  std::string version, commit;
  Machine machine;
  std::uint32_t threads = 1;
  std::uint64_t seed = 1;
  std::vector<CaseResult> cases;
  std::size_t num_chosen = 0;  // more than there are results: interrupted
};

}  // namespace spineweave::bench
