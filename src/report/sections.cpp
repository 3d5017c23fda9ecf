#include "report/sections.hpp"

#include "report/words.hpp"

namespace spineweave::report {

std::vector<Side> sides_of(const Report& report) {
  const Problem& problem = *report.problem;
  std::vector<Side> sides;
  const auto add = [&](std::string name, const char* css_class, const Result& result) {
    LinkLoads loads = load_links(problem, result.solution.routing);
    const LinkSummary links = summarise_links(problem, loads, result.assessment);
    sides.push_back({std::move(name), css_class, std::move(loads), links});
  };
  if (report.has_baseline) add(display_name(report.baseline_name), "before", report.baseline);
  add(display_name(report.run.solver), "after", report.result);
  return sides;
}

}  // namespace spineweave::report
