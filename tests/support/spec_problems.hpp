// Problems from the specs that the program takes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "spineweave/optimize.hpp"

namespace spineweave::test {

// `faults` may be empty.
inline std::shared_ptr<const Problem> make_problem(const std::string& fabric_spec, const std::string& jobs_spec,
                                                   const std::string& faults = "",
                                                   const std::string& weights = "demand") {
  Fabric fabric = build_fabric(fabric_spec);
  if (!faults.empty()) fabric = with_faults(fabric, faults);
  Workload workload = build_workload(fabric, jobs_spec);
  ProblemOptions options;
  parse_weights(weights, options);
  return std::make_shared<const Problem>(std::make_shared<const Fabric>(std::move(fabric)),
                                         std::make_shared<const Workload>(std::move(workload)), options);
}

inline SolveOptions with_rounds(std::uint32_t rounds) {
  SolveOptions options;
  options.rounds = rounds;
  return options;
}

}  // namespace spineweave::test
