// spineweave.routings-report/1.
#include <fmt/format.h>

#include "report/document_blocks.hpp"
#include "report/numbers.hpp"
#include "report/spread.hpp"
#include "report/words.hpp"

namespace spineweave {
namespace {

using namespace report;
using Object = Document::Object;

Object spread_object(const Spread& spread) {
  return {{"best", spread.best},
          {"percentile_10", spread.tenth},
          {"median", spread.median},
          {"percentile_90", spread.ninetieth},
          {"worst", spread.worst}};
}

// In the order of the input.
Document::Array routings_array(const RankingReport& report) {
  const Ranking& ranking = report.ranking;
  std::vector<std::uint32_t> rank_of(ranking.order.size());
  for (std::uint32_t i = 0; i < ranking.order.size(); ++i) rank_of[ranking.order[i]] = i + 1;
  Document::Array array;
  array.reserve(ranking.scores.size());
  for (std::size_t k = 0; k < ranking.scores.size(); ++k) {
    const Score& score = ranking.scores[k];
    array.emplace_back(Object{{"name", ranking.names[k]},
                              {"rank", rank_of[k]},
                              {"worst_job", from_units(score.normalised.front())},
                              {"median_job", median_job(score)},
                              {"max_congestion", report.problem->utilisation(score.max_congestion)},
                              {"jobs_at_bound", ranking.at_bound[k]}});
  }
  return array;
}

}  // namespace

Document ranking_document(const RankingReport& report) {
  const Ranking& ranking = report.ranking;
  Document::Array remarks;
  for (const Finding& finding : report.findings) remarks.emplace_back(describe(finding, 3));
  return Object{{"schema", "spineweave.routings-report/1"},
                {"problem", problem_object(*report.problem)},
                {"run", run_object("routings", report.run, ranking.best)},
                {"given", std::uint64_t{ranking.num_given}},
                {"scored", std::uint64_t{ranking.scores.size()}},
                {"notes", std::move(remarks)},
                {"worst_job", spread_object(worst_job_spread(report))},
                {"max_congestion", spread_object(fullest_link_spread(report))},
                {"best", Object{{"name", ranking.names[ranking.order.front()]},
                                {"score", score_object(*report.problem, ranking.best)},
                                {"digest", fmt::format("{:016x}", ranking.best.digest)}}},
                {"routings", routings_array(report)},
                {"time", Object{{"load_us", report.run.load_us},
                                {"build_us", report.run.build_us},
                                {"routings_us", report.routings_us},
                                {"score_us", ranking.score_us}}}};
}

}  // namespace spineweave
