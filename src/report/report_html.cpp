// The report as one page that needs nothing from outside.
#include <fmt/format.h>

#include "report/html.hpp"
#include "report/sections.hpp"
#include "report/words.hpp"

namespace spineweave {

std::string report_html(const Report& report) {
  using namespace report;
  const std::vector<Side> sides = sides_of(report);
  std::string page =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>";
  page += escape_html(verdict(report));
  page.append("</title>\n<style>\n").append(page_style()).append("</style></head>\n<body><main>\n");
  page += headline_section(report);
  page += heat_map_section(report, sides);
  page += histogram_section(sides);
  page += jobs_section(report);
  page += details_section(report);
  page.append("</main><div id=\"tip\" role=\"status\"></div>\n<script>\n").append(page_script());
  page += "</script>\n</body></html>\n";
  return page;
}

}  // namespace spineweave
