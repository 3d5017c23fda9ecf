// The parts that the JSON reports share.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "spineweave/document.hpp"
#include "spineweave/report.hpp"

namespace spineweave::report {

[[nodiscard]] Document::Object problem_object(const Problem& problem);
// `subject` is the key of what was run: "solver".
[[nodiscard]] Document::Object run_object(const std::string& subject, const RunInfo& run, const Solution& solution);
[[nodiscard]] Document::Object score_object(const Problem& problem, const Solution& solution);
// Values in units of N.
[[nodiscard]] Document::Array units_array(std::span<const std::uint64_t> values);

}  // namespace spineweave::report
