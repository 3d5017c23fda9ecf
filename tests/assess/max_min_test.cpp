#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "spineweave/assess.hpp"
#include "support/random_instances.hpp"

namespace spineweave {
namespace {

struct Network {
  std::vector<std::uint32_t> flow_begin = {0};
  std::vector<std::uint32_t> links;
  std::vector<double> capacity;

  void add_flow(std::initializer_list<std::uint32_t> path) {
    links.insert(links.end(), path);
    flow_begin.push_back(static_cast<std::uint32_t>(links.size()));
  }
  [[nodiscard]] std::size_t num_flows() const { return flow_begin.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> path(std::size_t flow) const {
    return std::span(links).subspan(flow_begin[flow], flow_begin[flow + 1] - flow_begin[flow]);
  }
  [[nodiscard]] std::vector<double> rates() const { return max_min_rates(flow_begin, links, capacity); }
};

Network random_network(std::uint64_t seed, bool equal_capacities) {
  test::Random random(test::test_seed(seed));
  Network network;
  const std::uint32_t num_links = random.between(1, 12);
  for (std::uint32_t i = 0; i < num_links; ++i)
    network.capacity.push_back(equal_capacities ? 100e9 : 25e9 * random.between(1, 4));
  for (std::uint32_t flows = random.between(1, 30); flows > 0; --flows) {
    std::set<std::uint32_t> path;
    for (std::uint32_t hops = random.between(1, std::min(4U, num_links)); hops > 0; --hops)
      path.insert(random.below(num_links));
    network.links.insert(network.links.end(), path.begin(), path.end());
    network.flow_begin.push_back(static_cast<std::uint32_t>(network.links.size()));
  }
  return network;
}

// Raises all open flows alike until a link is full, closes its flows, and starts over.
std::vector<double> raise_step_by_step(const Network& network) {
  std::vector<double> rates(network.num_flows(), 0.0);
  std::vector<bool> open(network.num_flows(), true);
  while (std::ranges::count(open, true) > 0) {
    std::vector<double> used(network.capacity.size(), 0.0), growing(network.capacity.size(), 0.0);
    for (std::size_t flow = 0; flow < rates.size(); ++flow)
      for (const std::uint32_t link : network.path(flow))
        used[link] += rates[flow], growing[link] += open[flow] ? 1 : 0;
    double step = std::numeric_limits<double>::infinity();
    for (std::size_t link = 0; link < used.size(); ++link)
      if (growing[link] > 0) step = std::min(step, (network.capacity[link] - used[link]) / growing[link]);
    for (std::size_t flow = 0; flow < rates.size(); ++flow) rates[flow] += open[flow] ? step : 0.0;
    for (std::size_t flow = 0; flow < rates.size(); ++flow)
      for (const std::uint32_t link : network.path(flow))
        if (used[link] + step * growing[link] >= network.capacity[link] * (1 - 1e-12)) open[flow] = false;
  }
  return rates;
}

TEST(MaxMinRates, AgreeWithRaisingAllFlowsStepByStep) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(test::test_seed(seed));
    const Network network = random_network(seed, false);
    const std::vector<double> expected = raise_step_by_step(network);
    const std::vector<double> rates = network.rates();
    for (std::size_t flow = 0; flow < rates.size(); ++flow)
      ASSERT_NEAR(rates[flow], expected[flow], expected[flow] * 1e-9);
  }
}

TEST(MaxMinRates, AreLeastExactlyOnTheFullestLinkAndNeverBelowAFlowsOwnBottleneckShare) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(test::test_seed(seed));
    const Network network = random_network(seed, true);
    std::vector<double> load(network.capacity.size(), 0.0);
    for (const std::uint32_t link : network.links) ++load[link];
    const std::vector<double> rates = network.rates();
    EXPECT_EQ(std::ranges::min(rates), 100e9 / std::ranges::max(load));
    for (std::size_t flow = 0; flow < rates.size(); ++flow) {
      double bottleneck = 0;
      for (const std::uint32_t link : network.path(flow)) bottleneck = std::max(bottleneck, load[link]);
      EXPECT_GE(rates[flow], 100e9 / bottleneck * (1 - 1e-12));
    }
  }
}

TEST(MaxMinRates, LeaveWhatAConstrainedFlowCannotUseToTheOthers) {
  Network network;
  network.capacity = {100, 30};
  network.add_flow({0});
  network.add_flow({0, 1});
  network.add_flow({1});
  EXPECT_EQ(network.rates(), (std::vector<double>{85, 15, 15}));
}

TEST(MaxMinRates, OfAFlowWithoutLinksAreUnlimited) {
  Network network;
  network.capacity = {100};
  network.add_flow({});
  network.add_flow({0});
  EXPECT_EQ(network.rates(), (std::vector<double>{std::numeric_limits<double>::infinity(), 100}));
}

TEST(MaxMinRates, OfNoFlowsAreNone) { EXPECT_TRUE(Network().rates().empty()); }

}  // namespace
}  // namespace spineweave
