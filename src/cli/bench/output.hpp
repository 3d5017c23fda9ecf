// A run of the table as text for a terminal, as a document, and as a picture.
#pragma once

#include <string>

#include "cli/bench/result.hpp"
#include "spineweave/document.hpp"
#include "spineweave/report.hpp"

namespace spineweave::bench {

[[nodiscard]] std::string run_text(const Run& run, const TextStyle& style);
// spineweave.bench/1
[[nodiscard]] Document run_document(const Run& run);
[[nodiscard]] int num_plot_points(const Run& run);
// SVG: time against flows of the cases of the group `scaling`, both axes logarithmic. Needs two points.
[[nodiscard]] std::string scaling_plot(const Run& run);

}  // namespace spineweave::bench
