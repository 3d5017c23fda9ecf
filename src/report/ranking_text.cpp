// A ranking on a terminal: how many in what time, how they spread, the best ten, the certificate.
#include <fmt/format.h>

#include <algorithm>

#include "report/numbers.hpp"
#include "report/spread.hpp"
#include "report/text_layout.hpp"
#include "report/words.hpp"

namespace spineweave {
namespace {

using namespace report;

constexpr std::size_t kShown = 10;

std::string headline(const RankingReport& report) {
  const Ranking& ranking = report.ranking;
  const std::uint64_t scored = ranking.scores.size();
  const double per_second = static_cast<double>(scored) / std::max(ranking.score_us, 1.0) * 1e6;
  const std::string how_many = ranking.best.truncated
                                   ? fmt::format("{} of {}", count(scored), count(ranking.num_given, "routing"))
                                   : count(scored, "routing");
  const double best = from_units(ranking.best.score.normalised.front());
  return fmt::format(
      "{} scored on {} in {} ({} a second){}. The best is {}: the worst job's bottleneck is {}, that of the median "
      "routing {}.",
      how_many, report.run.backend, duration(ranking.score_us), count(static_cast<std::uint64_t>(per_second)),
      ranking.best.truncated ? ", then stopped" : "", printable(ranking.names[ranking.order.front()]), times(best),
      times(worst_job_spread(report).median));
}

std::string spread_table(const RankingReport& report, const TextStyle& style) {
  Table table({{"", true}, {"best"}, {"10 %"}, {"median"}, {"90 %"}, {"worst"}});
  const auto add = [&](const char* what, const Spread& spread, const auto& show) {
    table.add_row({{what},
                   {show(spread.best)},
                   {show(spread.tenth)},
                   {show(spread.median)},
                   {show(spread.ninetieth)},
                   {show(spread.worst)}});
  };
  add("worst job, bottleneck", worst_job_spread(report), times);
  add("fullest link, demand / capacity", fullest_link_spread(report), percent);
  return table.render(style.width, style.color);
}

std::string best_table(const RankingReport& report, const TextStyle& style) {
  const Ranking& ranking = report.ranking;
  Table table({{"rank"}, {"routing", true}, {"worst job"}, {"median job"}, {"fullest link"}, {"at bound"}});
  const std::size_t shown = std::min(ranking.order.size(), kShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::uint32_t k = ranking.order[i];
    const Score& score = ranking.scores[k];
    const double worst = from_units(score.normalised.front());
    table.add_row({{count(i + 1)},
                   {printable(ranking.names[k])},
                   {times(worst), above_one(worst) ? Tone::bad : Tone::good},
                   {times(median_job(score))},
                   {percent(report.problem->utilisation(score.max_congestion))},
                   {fmt::format("{} of {}", count(ranking.at_bound[k]), count(report.problem->num_jobs()))}});
  }
  std::string text = table.render(style.width, style.color);
  if (shown < ranking.order.size()) text += fmt::format("  ... and {} more\n", count(ranking.order.size() - shown));
  return text;
}

std::string run_line(const RankingReport& report) {
  const RunInfo& run = report.run;
  return fmt::format("Run: {}; load {}, build {}, routings {}, score {}; digest of the best {:016x}", describe(run),
                     duration(run.load_us), duration(run.build_us), duration(report.routings_us),
                     duration(report.ranking.score_us), report.ranking.best.digest);
}

}  // namespace

std::string ranking_text(const RankingReport& report, const TextStyle& style) {
  const Solution& best = report.ranking.best;
  std::vector<std::string> remarks = notes(*report.problem);
  for (const Finding& finding : report.findings) remarks.push_back(describe(finding, 3));
  std::string text = paint(wrap(headline(report), style.width), Tone::strong, style.color) + "\n\n";
  text += spread_table(report, style) + "\n";
  text += best_table(report, style) + "\n";
  text += wrap(fmt::format("Certificate of the best: {}. {}", certificate_words(best.certificate),
                           explain_certificate(*report.problem, best)),
               style.width, 2) +
          "\n";
  for (const std::string& remark : remarks) text += wrap("Note: " + printable(remark), style.width, 2) + "\n";
  text += paint(wrap(run_line(report), style.width, 2), Tone::faint, style.color) + "\n";
  return text;
}

}  // namespace spineweave
