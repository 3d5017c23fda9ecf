#include "spineweave/rank.hpp"

#include <algorithm>
#include <numeric>

#include "spineweave/error.hpp"
#include "util/clock.hpp"
#include "util/parallel.hpp"

namespace spineweave {
namespace {

using util::Clock;
using util::microseconds_since;

// Enough for every core and device, and soon enough done for a Ctrl-C.
constexpr std::size_t kBatchPaths = (std::size_t{64} << 20U) / sizeof(PathIndex);
constexpr std::size_t kMostInBatch = 4096;

std::size_t batch_size(const RankOptions& options, std::size_t num_flows) {
  if (options.batch > 0) return options.batch;
  return std::clamp<std::size_t>(kBatchPaths / num_flows, 1, kMostInBatch);
}

void score_all(Evaluator& evaluator, const RoutingSource& source, const RankOptions& options, Ranking& ranking) {
  const std::size_t num_flows = evaluator.problem().num_flows();
  const std::size_t total = source.names.size();
  const std::size_t batch = std::min(batch_size(options, num_flows), total);
  std::vector<PathIndex> routings(batch * num_flows);
  ranking.scores.reserve(total);
  for (std::size_t first = 0; first < total; first += batch) {
    if (first > 0 && options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) break;
    const std::size_t size = std::min(batch, total - first);
    const std::span<PathIndex> paths(routings.data(), size * num_flows);
    auto begin = Clock::now();
    util::parallel_chunks(
        size, 1, [&](std::size_t k, std::size_t) { source.write(first + k, paths.subspan(k * num_flows, num_flows)); });
    ranking.write_us += microseconds_since(begin);
    begin = Clock::now();
    ranking.scores.resize(first + size);
    evaluator.score_routings(paths, std::span(ranking.scores).subspan(first));
    ranking.score_us += microseconds_since(begin);
    if (options.on_progress) options.on_progress(first + size);
  }
}

}  // namespace

Ranking rank_routings(Evaluator& evaluator, const RoutingSource& source, const RankOptions& options) {
  if (source.names.empty()) throw Error(ErrorCode::bad_input, "there is no routing to score");
  Ranking ranking;
  ranking.num_given = source.names.size();
  score_all(evaluator, source, options, ranking);
  const std::size_t scored = ranking.scores.size();
  ranking.names.assign(source.names.begin(), source.names.begin() + static_cast<std::ptrdiff_t>(scored));
  ranking.order.resize(scored);
  std::iota(ranking.order.begin(), ranking.order.end(), 0U);
  std::stable_sort(ranking.order.begin(), ranking.order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return ranking.scores[a] < ranking.scores[b]; });

  Routing best(evaluator.problem().num_flows(), kNone);
  source.write(ranking.order.front(), best);
  ranking.best = rate_routing(evaluator, std::move(best));
  ranking.best.truncated = scored < ranking.num_given;
  ranking.at_bound.reserve(scored);
  for (const Score& score : ranking.scores)
    ranking.at_bound.push_back(certify(score, ranking.best.bounds).jobs_at_bound);
  return ranking;
}

}  // namespace spineweave
