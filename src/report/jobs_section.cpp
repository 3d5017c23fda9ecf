// The jobs' slowdowns before and after: the worst as dumbbells, all of them by rank, and as a table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "report/html.hpp"
#include "report/numbers.hpp"
#include "report/sections.hpp"
#include "report/summary.hpp"
#include "report/text_layout.hpp"
#include "report/words.hpp"

namespace spineweave::report {
namespace {

constexpr std::size_t kMostDumbbells = 30;
constexpr std::size_t kMostTableRows = 2000;
constexpr int kWidth = 1000;
constexpr int kLabel = 230;  // of the job's name
constexpr int kRight = 70;   // of the slowdown's value
constexpr int kRow = 20;

// Slowdowns from 1 to the worst on an axis; logarithmic where they differ too much to be read otherwise.
class Scale {
 public:
  Scale(double worst, double from, double to)
      : most_(std::max(worst * 1.02, 1.5)), is_log_(worst > 12), from_(from), to_(to) {}
  [[nodiscard]] double at(double slowdown) const {
    const double share = is_log_ ? std::log(slowdown) / std::log(most_) : (slowdown - 1.0) / (most_ - 1.0);
    return from_ + std::clamp(share, 0.0, 1.0) * (to_ - from_);
  }
  [[nodiscard]] std::vector<double> ticks() const {
    std::vector<double> ticks;
    const double step = most_ < 2.2 ? 0.25 : most_ < 5 ? 0.5 : 1.0;
    for (double tick = 1.0; tick <= most_; tick = is_log_ ? tick * 2 : tick + step) ticks.push_back(tick);
    return ticks;
  }

 private:
  double most_;
  bool is_log_;
  double from_, to_;
};

double worst_slowdown(const Report& report) {
  double worst = summarise(*report.problem, report.result).worst_slowdown;
  if (report.has_baseline) worst = std::max(worst, summarise(*report.problem, report.baseline).worst_slowdown);
  return worst;
}

std::string tick_label(double tick) { return fmt::format("{:g}x", tick); }

std::string dumbbells(const Report& report, std::span<const JobId> jobs) {
  const Scale x(worst_slowdown(report), kLabel, kWidth - kRight);
  const int height = static_cast<int>(jobs.size()) * kRow + 26;
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Slowdown of jobs\">\n", kWidth, height);
  for (const double tick : x.ticks())
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"0\" y2=\"{1}\"/><text class=\"tick\" "
        "x=\"{0:.1f}\" y=\"{2}\">{3}</text>\n",
        x.at(tick), height - 22, height - 6, tick_label(tick));
  int y = kRow / 2 + 2;
  for (const JobId job : jobs) {
    const Job& spec = report.problem->workload().jobs[job];
    const double now = report.result.assessment.jobs[job].slowdown;
    const double before = report.has_baseline ? report.baseline.assessment.jobs[job].slowdown : 1.0;
    const std::string name = spec.model.empty() ? spec.id : fmt::format("{} · {}", spec.id, spec.model);
    svg += fmt::format(
        "<g><title>{}: {}{}</title><text class=\"name\" x=\"{}\" y=\"{}\">{}</text>", escape_html(name), times(now),
        report.has_baseline
            ? fmt::format(", {} under {}", times(before), escape_html(display_name(report.baseline_name)))
            : "",
        kLabel - 14, y + 4, escape_html(shorten(name, 32)));
    svg += fmt::format("<line class=\"bar\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>", x.at(before), x.at(now),
                       y, y);
    if (report.has_baseline)
      svg += fmt::format("<circle class=\"before\" cx=\"{:.1f}\" cy=\"{}\" r=\"5\"/>", x.at(before), y);
    svg += fmt::format(
        "<circle class=\"after\" cx=\"{:.1f}\" cy=\"{}\" r=\"5\"/><text class=\"number\" x=\"{}\" "
        "y=\"{}\">{}</text></g>\n",
        x.at(now), y, kWidth, y + 4, times(now));
    y += kRow;
  }
  return svg + "</svg>\n";
}

// One step line per side: its jobs from the slowest to the fastest.
std::string rank_curve(const Report& report) {
  constexpr int height = 240;
  constexpr int left = 44;
  const Scale y(worst_slowdown(report), height - 36, 10);
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Slowdowns by rank\">\n", kWidth, height);
  for (const double tick : y.ticks())
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/><text class=\"number\" x=\"{}\" "
        "y=\"{:.1f}\">{}</text>\n",
        left, kWidth, y.at(tick), y.at(tick), left - 8, y.at(tick) + 4, tick_label(tick));
  const auto add_line = [&](const Assessment& assessment, const char* css_class) {
    std::vector<double> slowdowns;
    for (const JobAssessment& job : assessment.jobs) slowdowns.push_back(job.slowdown);
    std::ranges::sort(slowdowns, std::greater<>{});
    const double step = static_cast<double>(kWidth - left) / static_cast<double>(slowdowns.size());
    std::string points = fmt::format("M{} {:.1f}", left, y.at(slowdowns.front()));
    for (std::size_t i = 0; i < slowdowns.size(); ++i)
      if (i + 1 == slowdowns.size() || slowdowns[i + 1] != slowdowns[i]) {
        points += fmt::format("H{:.1f}", left + step * static_cast<double>(i + 1));
        if (i + 1 < slowdowns.size()) points += fmt::format("V{:.1f}", y.at(slowdowns[i + 1]));
      }
    svg += fmt::format("<path class=\"line {}\" d=\"{}\"/>\n", css_class, points);
  };
  if (report.has_baseline) add_line(report.baseline.assessment, "before");
  add_line(report.result.assessment, "after");
  return svg +
         fmt::format(
             "<text class=\"tick\" x=\"{}\" y=\"{}\">jobs, each side from its slowest to its fastest</text></svg>\n",
             kWidth / 2, height - 8);
}

std::string job_table(const Report& report, std::span<const JobId> jobs) {
  const std::vector<std::uint32_t> flows = flows_per_job(*report.problem);
  const bool cut = jobs.size() > kMostTableRows;
  std::string html = fmt::format(
      "<details><summary>{}</summary>\n<div class=\"scroll\"><table><tr><th>job</th><th>model</th><th>flows</th>"
      "<th>slowdown</th>",
      cut ? fmt::format("The {} jobs that suffer most", count(kMostTableRows)) : "All jobs");
  if (report.has_baseline) html += fmt::format("<th>under {}</th>", escape_html(display_name(report.baseline_name)));
  html += "<th>Gbit/s</th><th>bottleneck</th><th>lower bound</th><th>at bound</th></tr>\n";
  for (const JobId job : jobs.first(std::min(jobs.size(), kMostTableRows))) {
    const Job& spec = report.problem->workload().jobs[job];
    const JobAssessment& now = report.result.assessment.jobs[job];
    const Standing standing = standing_of(*report.problem, report.result.solution, job);
    html +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td{}>{}</td>", escape_html(spec.id), escape_html(spec.model),
                    count(flows[job]), above_one(now.slowdown) ? " class=\"bad\"" : "", times(now.slowdown));
    if (report.has_baseline) html += fmt::format("<td>{}</td>", times(report.baseline.assessment.jobs[job].slowdown));
    html += fmt::format("<td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", gbps(now.rate_bps),
                        times(standing.bottleneck), times(standing.bound), standing.at_bound ? "yes" : "no");
  }
  return html + "</table></div></details>\n";
}

}  // namespace

std::string jobs_section(const Report& report) {
  const std::vector<JobId> order = by_suffering(report);
  const std::size_t shown = std::min(order.size(), kMostDumbbells);
  std::string html =
      "<section><h2>How the jobs fare</h2>\n<p>Slowdown of a job's step against running alone; 1x is full "
      "speed.</p>\n<p class=\"keys\">";
  if (report.has_baseline)
    html += fmt::format("<span><i class=\"key before\"></i>{}</span>", escape_html(display_name(report.baseline_name)));
  html += fmt::format("<span><i class=\"key after\"></i>{}</span></p>\n", escape_html(display_name(report.run.solver)));
  if (shown < order.size())
    html +=
        rank_curve(report) + fmt::format("<h3>The {} jobs that suffer most, of {}</h3>\n", shown, count(order.size()));
  return html + dumbbells(report, std::span(order).first(shown)) + job_table(report, order) + "</section>\n";
}

}  // namespace spineweave::report
