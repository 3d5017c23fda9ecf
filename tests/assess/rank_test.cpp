#include "spineweave/rank.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "spineweave/threads.hpp"
#include "support/error_text.hpp"
#include "support/random_instances.hpp"

namespace spineweave::test {
namespace {

using testing::ElementsAre;

std::vector<Routing> random_routings(const Problem& problem, std::uint64_t seed, std::size_t count) {
  Random random(seed);
  std::vector<Routing> routings;
  for (std::size_t k = 0; k < count; ++k) routings.push_back(random_routing(problem, random));
  return routings;
}

// Named by their place in `routings`, given in the order of `order`.
RoutingSource source_of(const std::vector<Routing>& routings, const std::vector<std::size_t>& order) {
  RoutingSource source;
  for (const std::size_t k : order) source.names.push_back(fmt::to_string(k));
  source.write = [&routings, order](std::size_t k, std::span<PathIndex> out) {
    std::copy(routings[order[k]].begin(), routings[order[k]].end(), out.begin());
  };
  return source;
}

std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

TEST(RankRoutings, GivesEachRoutingTheScoreThatItHasAlone) {
  for (const Shape shape : all_shapes()) {
    const Instance instance = random_instance(shape, test_seed(21));
    SCOPED_TRACE(instance.name);
    const auto evaluator = make_evaluator(instance.problem);
    const std::vector<Routing> routings = random_routings(*instance.problem, test_seed(22), 13);
    const Ranking ranking = rank_routings(*evaluator, source_of(routings, in_order(13)));
    ASSERT_EQ(ranking.scores.size(), 13U);
    for (std::size_t k = 0; k < 13; ++k) {
      const Solution alone = rate_routing(*evaluator, routings[k]);
      EXPECT_EQ(ranking.scores[k], alone.score);
      EXPECT_EQ(ranking.scores[k].max_congestion, alone.score.max_congestion);
      EXPECT_EQ(ranking.at_bound[k], alone.certificate.jobs_at_bound);
    }
    EXPECT_EQ(ranking.best.digest, rate_routing(*evaluator, routings[ranking.order.front()]).digest);
  }
}

TEST(RankRoutings, IsTheSameForEveryThreadCountAndBatch) {
  const Instance instance = random_instance(Shape::fat_tree, test_seed(23));
  const auto evaluator = make_evaluator(instance.problem);
  const std::vector<Routing> routings = random_routings(*instance.problem, test_seed(24), 100);
  const RoutingSource source = source_of(routings, in_order(100));
  const Ranking expected = rank_routings(*evaluator, source);
  for (const std::uint32_t threads : {1U, 2U, 3U, 8U}) {
    for (const std::size_t batch : {1U, 7U, 100U, 1000U}) {
      const ThreadScope scope(threads);
      RankOptions options;
      options.batch = batch;
      const Ranking ranking = rank_routings(*evaluator, source, options);
      EXPECT_EQ(ranking.names, expected.names);
      EXPECT_EQ(ranking.scores, expected.scores);
      EXPECT_EQ(ranking.order, expected.order);
      EXPECT_EQ(ranking.best.digest, expected.best.digest);
    }
  }
}

TEST(RankRoutings, AnotherOrderOfTheInputChangesNothingButTheOrderAmongTies) {
  const Instance instance = random_instance(Shape::leaf_spine, test_seed(25));
  const auto evaluator = make_evaluator(instance.problem);
  const std::vector<Routing> routings = random_routings(*instance.problem, test_seed(26), 60);
  const std::vector<std::size_t> forward = in_order(60);
  const std::vector<std::size_t> backward(forward.rbegin(), forward.rend());
  const Ranking a = rank_routings(*evaluator, source_of(routings, forward));
  const Ranking b = rank_routings(*evaluator, source_of(routings, backward));
  const auto names_by_score = [](const Ranking& ranking) {
    std::vector<std::set<std::string>> groups;
    for (std::size_t i = 0; i < ranking.order.size(); ++i) {
      const std::uint32_t k = ranking.order[i];
      if (i == 0 || ranking.scores[k] != ranking.scores[ranking.order[i - 1]]) groups.emplace_back();
      groups.back().insert(ranking.names[k]);
    }
    return groups;
  };
  EXPECT_EQ(names_by_score(a), names_by_score(b));
}

TEST(RankRoutings, EqualScoresKeepTheOrderOfTheInput) {
  const Instance instance = random_instance(Shape::leaf_spine, test_seed(27));
  const auto evaluator = make_evaluator(instance.problem);
  const std::vector<Routing> one = random_routings(*instance.problem, test_seed(28), 1);
  const Ranking ranking = rank_routings(*evaluator, source_of(one, {0, 0, 0, 0}));
  EXPECT_THAT(ranking.order, ElementsAre(0U, 1U, 2U, 3U));
}

TEST(RankRoutings, AStopEndsItAfterTheBatchAtWork) {
  const Instance instance = random_instance(Shape::leaf_spine, test_seed(29));
  const auto evaluator = make_evaluator(instance.problem);
  const std::vector<Routing> routings = random_routings(*instance.problem, test_seed(30), 10);
  std::atomic<bool> stop = false;
  std::vector<std::size_t> progress;
  RankOptions options;
  options.batch = 3;
  options.stop = &stop;
  options.on_progress = [&](std::size_t scored) {
    progress.push_back(scored);
    stop = scored >= 6;
  };
  const Ranking ranking = rank_routings(*evaluator, source_of(routings, in_order(10)), options);
  EXPECT_THAT(progress, ElementsAre(3U, 6U));
  EXPECT_EQ(ranking.names.size(), 6U);
  EXPECT_EQ(ranking.scores.size(), 6U);
  EXPECT_EQ(ranking.num_given, 10U);
  EXPECT_TRUE(ranking.best.truncated);
}

TEST(RankRoutings, NoRoutingsAreRefused) {
  const Instance instance = random_instance(Shape::leaf_spine, test_seed(31));
  const auto evaluator = make_evaluator(instance.problem);
  EXPECT_EQ(error_text(ErrorCode::bad_input, [&] { (void)rank_routings(*evaluator, RoutingSource{}); }),
            "there is no routing to score");
}

}  // namespace
}  // namespace spineweave::test
