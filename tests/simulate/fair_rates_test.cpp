#include "simulate/fair_rates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "spineweave/assess.hpp"
#include "support/random_instances.hpp"

namespace spineweave::test {
namespace {

struct Network {
  std::vector<Rate> capacities;
  std::map<FlowId, std::vector<LinkId>> flows;
};

// Level after level: all links whose share of what is left is the least bind, and their flows keep it.
std::map<FlowId, Rate> fill_from_scratch(const Network& network) {
  std::map<FlowId, Rate> rates;
  while (rates.size() < network.flows.size()) {
    std::vector<Rate> left = network.capacities;
    std::vector<Rate> waiting(left.size(), 0);
    for (const auto& [flow, links] : network.flows)
      for (const LinkId link : links) rates.contains(flow) ? left[link] -= rates[flow] : ++waiting[link];
    Rate level = ~Rate{0};
    for (LinkId link = 0; link < left.size(); ++link)
      if (waiting[link] > 0) level = std::min(level, left[link] / waiting[link]);
    const auto binds = [&](LinkId link) { return waiting[link] > 0 && left[link] / waiting[link] == level; };
    std::vector<FlowId> fixed;
    for (const auto& [flow, links] : network.flows)
      if (!rates.contains(flow) && std::ranges::any_of(links, binds)) fixed.push_back(flow);
    for (const FlowId flow : fixed) rates[flow] = level;
  }
  return rates;
}

std::vector<LinkId> random_path(Random& random, std::uint32_t num_links) {
  std::set<LinkId> path;
  for (std::uint32_t hops = random.between(1, std::min(4U, num_links)); hops > 0; --hops)
    path.insert(random.below(num_links));
  return {path.begin(), path.end()};
}

constexpr std::uint32_t kMostFlows = 40;

// Small capacities, so that shares round and ties are common.
Network random_links(Random& random) {
  Network network;
  network.capacities.resize(random.between(1, 16));
  for (Rate& capacity : network.capacities) capacity = random.one_in(8) ? 0 : random.one_in(2) ? 100 : random.below(30);
  return network;
}

// One change or several at once; what rates become of them is only asked for afterwards.
void change_at_random(Random& random, Network& network, FairRates& rates) {
  const auto num_links = static_cast<std::uint32_t>(network.capacities.size());
  for (std::uint32_t changes = random.between(1, 4); changes > 0; --changes) {
    const FlowId flow = random.below(kMostFlows);
    if (random.one_in(10)) {
      const LinkId link = random.below(num_links);
      network.capacities[link] = random.below(120);
      rates.set_capacity(link, network.capacities[link]);
      continue;
    }
    const bool was_there = network.flows.erase(flow) > 0;
    if (was_there) rates.remove(flow);
    if (was_there && random.one_in(2)) continue;
    network.flows[flow] = random_path(random, num_links);
    rates.add(flow, network.flows[flow]);
  }
}

TEST(FairRates, AfterEveryChangeAreThoseOfFillingFromScratch) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(test_seed(seed));
    Network network = random_links(random);
    FairRates rates(network.capacities, kMostFlows);
    std::vector<Rate> before(kMostFlows, 0);
    for (int step = 0; step < 60; ++step) {
      change_at_random(random, network, rates);
      const auto told = rates.settle();
      const std::set<FlowId> changed(told.begin(), told.end());
      for (const auto& [flow, rate] : fill_from_scratch(network)) {
        ASSERT_EQ(rates.rate(flow), rate) << "flow " << flow << " in step " << step;
        ASSERT_TRUE(rate == before[flow] || changed.contains(flow)) << "flow " << flow << " in step " << step;
      }
      for (FlowId flow = 0; flow < kMostFlows; ++flow) before[flow] = rates.rate(flow);
    }
  }
}

TEST(FairRates, AreThoseOfTheAssessmentButForRounding) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(test_seed(seed));
    std::vector<double> bps(random.between(1, 12));
    for (double& capacity : bps) capacity = 25e9 * random.between(1, 4);
    std::vector<Rate> capacities;
    for (const double capacity : bps) capacities.push_back(rate_of(static_cast<std::uint64_t>(capacity)));
    FairRates rates(capacities, kMostFlows);
    std::vector<std::uint32_t> flow_begin = {0}, links;
    for (FlowId flow = 0; flow < kMostFlows; ++flow) {
      const auto path = random_path(random, static_cast<std::uint32_t>(bps.size()));
      rates.add(flow, path);
      links.insert(links.end(), path.begin(), path.end());
      flow_begin.push_back(static_cast<std::uint32_t>(links.size()));
    }
    (void)rates.settle();
    const std::vector<double> expected = max_min_rates(flow_begin, links, bps);
    for (FlowId flow = 0; flow < kMostFlows; ++flow)
      EXPECT_NEAR(static_cast<double>(rates.rate(flow)) / static_cast<double>(rate_of(1'000'000'000)),
                  expected[flow] / 1e9, 1e-9);
  }
}

// Pairs of flows in a row, each pair on a link of its own and beside the next one on a wide link.
TEST(FairRates, AChangeReachesNoFurtherThanItMatters) {
  constexpr std::uint32_t pairs = 1000;
  std::vector<Rate> capacities(pairs, 100);
  capacities.resize(2 * pairs, 1000);
  FairRates rates(capacities, 2 * pairs);
  for (FlowId flow = 0; flow < 2 * pairs; ++flow) {
    const std::vector<LinkId> path = {flow / 2, pairs + (flow + 1) / 2 % pairs};
    rates.add(flow, path);
  }
  EXPECT_EQ(rates.settle().size(), 2 * pairs);
  rates.remove(500);
  const auto changed = rates.settle();
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed.front(), 501U);
  EXPECT_EQ(rates.rate(501), 100U);
  EXPECT_EQ(rates.rate(502), 50U);
}

TEST(FairRates, AFlowOnADeadLinkGetsNothingAndTakesNothing) {
  FairRates rates({100, 0}, 2);
  const std::vector<LinkId> both = {0, 1}, first = {0};
  rates.add(0, both);
  rates.add(1, first);
  (void)rates.settle();
  EXPECT_EQ(rates.rate(0), 0U);
  EXPECT_EQ(rates.rate(1), 100U);
  rates.set_capacity(1, 10);
  (void)rates.settle();
  EXPECT_EQ(rates.rate(0), 10U);
  EXPECT_EQ(rates.rate(1), 90U);
}

}  // namespace
}  // namespace spineweave::test
