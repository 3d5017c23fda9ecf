// The sections of the page, each as markup.
#pragma once

#include <string>
#include <vector>

#include "report/link_loads.hpp"
#include "spineweave/report.hpp"

namespace spineweave::report {

// One side of before and after.
struct Side {
  std::string name;       // "ECMP"
  const char* css_class;  // "before" or "after"
  LinkLoads loads;
  LinkSummary links;
};
// The baseline, where there is one, then the result.
[[nodiscard]] std::vector<Side> sides_of(const Report& report);

[[nodiscard]] std::string headline_section(const Report& report);
[[nodiscard]] std::string heat_map_section(const Report& report, const std::vector<Side>& sides);
[[nodiscard]] std::string histogram_section(const std::vector<Side>& sides);
[[nodiscard]] std::string jobs_section(const Report& report);
[[nodiscard]] std::string details_section(const Report& report);

}  // namespace spineweave::report
