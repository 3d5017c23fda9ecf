#include "report/spread.hpp"

#include <algorithm>
#include <vector>

#include "report/numbers.hpp"

namespace spineweave::report {
namespace {

// `value_of` puts a score into an integer, `show` that into what is reported.
template <class ValueOf, class Show>
Spread spread_of(const Ranking& ranking, ValueOf&& value_of, Show&& show) {
  std::vector<std::uint64_t> values;
  values.reserve(ranking.scores.size());
  for (const Score& score : ranking.scores) values.push_back(value_of(score));
  std::sort(values.begin(), values.end());
  const auto at_percent = [&](std::size_t percent) {
    const std::size_t rank = (percent * values.size() + 99) / 100;  // counted from 1
    return show(values[std::max<std::size_t>(rank, 1) - 1]);
  };
  return {at_percent(0), at_percent(10), at_percent(50), at_percent(90), at_percent(100)};
}

}  // namespace

Spread worst_job_spread(const RankingReport& report) {
  return spread_of(
      report.ranking, [](const Score& score) { return score.normalised.front(); },
      [](std::uint64_t units) { return from_units(units); });
}

Spread fullest_link_spread(const RankingReport& report) {
  return spread_of(
      report.ranking, [](const Score& score) { return score.max_congestion; },
      [&](std::uint64_t congestion) { return report.problem->utilisation(congestion); });
}

double median_job(const Score& score) { return from_units(score.normalised[(score.normalised.size() - 1) / 2]); }

}  // namespace spineweave::report
