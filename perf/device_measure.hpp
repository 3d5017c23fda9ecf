// Runs the cases: equal bits first, times after.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perf/device_cases.hpp"
#include "perf/device_work.hpp"

namespace spineweave::perf {

enum class Clock {
  call,   // the host's, around the library's call: copies and waiting included
  device  // the device's, around its own work
};
[[nodiscard]] constexpr const char* name_of(Clock clock) { return clock == Clock::call ? "call" : "device"; }

struct Measurement {
  Operation operation = Operation::score_candidates;
  std::string backend;
  unsigned block = 0;  // threads of a block; 0: the CPU
  Clock clock = Clock::call;
  Work work;               // bytes and operations are 0 where there is no formula
  std::vector<double> us;  // every repetition
  std::uint64_t result_digest = 0;
};

struct CaseResult {
  std::string name;
  std::uint64_t fabric_digest = 0, jobs_digest = 0;
  std::uint32_t flows = 0, jobs = 0, cells = 0, phases = 0, routings = 0;
  std::uint64_t candidates = 0;
  std::vector<Measurement> measurements;
};

[[nodiscard]] double median(std::vector<double> values);

// Throws Error{internal} where the backends differ in any bit. `with_cuda` false: the CPU's rows alone.
[[nodiscard]] CaseResult measure_case(const Case& item, std::uint32_t repetitions, bool with_cuda);

}  // namespace spineweave::perf
