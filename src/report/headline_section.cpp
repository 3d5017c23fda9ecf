// The top of the page: the verdict, the four figures before and after, the certificate.
#include <fmt/format.h>

#include "report/html.hpp"
#include "report/numbers.hpp"
#include "report/sections.hpp"
#include "report/summary.hpp"
#include "report/words.hpp"

namespace spineweave::report {
namespace {

std::string card(const char* label, const std::string& now, const std::string& before, bool good) {
  return fmt::format("<div class=\"card\"><div class=\"label\">{}</div><div class=\"now{}\">{}</div>{}</div>\n", label,
                     good ? " good" : "", now,
                     before.empty() ? "" : fmt::format("<div class=\"was\">{}</div>", before));
}

std::string cards(const Report& report) {
  const Summary now = summarise(*report.problem, report.result);
  Summary before;
  if (report.has_baseline) before = summarise(*report.problem, report.baseline);
  const auto was = [&](const std::string& value) {
    return report.has_baseline ? fmt::format("{} <b>{}</b>", escape_html(display_name(report.baseline_name)), value)
                               : std::string();
  };
  const std::uint32_t jobs = report.problem->num_jobs();
  const auto of_jobs = [&](std::uint32_t some) { return fmt::format("{} of {}", count(some), count(jobs)); };
  return "<div class=\"cards\">\n" +
         card("Worst job, slowdown", times(now.worst_slowdown), was(times(before.worst_slowdown)),
              !above_one(now.worst_slowdown)) +
         card("Jobs at full speed", of_jobs(now.jobs_at_full_speed), was(of_jobs(before.jobs_at_full_speed)),
              now.jobs_at_full_speed == jobs) +
         card("Fullest link, demand", percent(now.fullest_link), was(percent(before.fullest_link)),
              !above_one(now.fullest_link)) +
         card("Network efficiency", percent(now.network_efficiency), was(percent(before.network_efficiency)),
              now.network_efficiency > 1.0 - kRounding) +
         "</div>\n";
}

}  // namespace

std::string headline_section(const Report& report) {
  const Solution& solution = report.result.solution;
  const char* badge_class = solution.certificate.vector_proved ? "good"
                            : solution.certificate.max_proved  ? "fair"
                                                               : "open";
  std::string badges =
      fmt::format("<span class=\"badge {}\">{}</span>", badge_class, certificate_words(solution.certificate));
  if (solution.truncated) badges += "<span class=\"badge open\">stopped early</span>";
  return fmt::format(
      "<header><p class=\"brand\">Spineweave report</p>\n<h1>{}</h1>\n<p class=\"inputs\">{} · {}</p></header>\n{}"
      "<section class=\"certificate\"><p>{}</p><p>{}</p></section>\n",
      escape_html(verdict(report)), escape_html(report.run.fabric_source), escape_html(report.run.jobs_source),
      cards(report), badges, escape_html(explain_certificate(*report.problem, report.result.solution)));
}

}  // namespace spineweave::report
