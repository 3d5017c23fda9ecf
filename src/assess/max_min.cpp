// Max-min fair shares by progressive filling.
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "spineweave/assess.hpp"

namespace spineweave {
namespace {

constexpr double kOpen = std::numeric_limits<double>::infinity();

// The other side of the incidence: the flows of each link, ascending.
struct FlowsOfLinks {
  std::vector<std::uint32_t> begin;  // [links + 1]
  std::vector<FlowId> flows;
};

FlowsOfLinks transpose(std::span<const std::uint32_t> flow_begin, std::span<const std::uint32_t> links,
                       std::size_t num_links) {
  FlowsOfLinks result;
  result.begin.assign(num_links + 1, 0);
  for (const std::uint32_t link : links) ++result.begin[link + 1];
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  result.flows.resize(links.size());
  std::vector<std::uint32_t> next(result.begin.begin(), result.begin.end() - 1);
  for (FlowId flow = 0; flow + 1 < flow_begin.size(); ++flow)
    for (std::uint32_t i = flow_begin[flow]; i < flow_begin[flow + 1]; ++i) result.flows[next[links[i]]++] = flow;
  return result;
}

}  // namespace

std::vector<double> max_min_rates(std::span<const std::uint32_t> flow_begin, std::span<const std::uint32_t> links,
                                  std::span<const double> capacity_bps) {
  const FlowsOfLinks flows_of = transpose(flow_begin, links, capacity_bps.size());
  std::vector<double> rates(flow_begin.size() - 1, kOpen);
  std::vector<double> left(capacity_bps.begin(), capacity_bps.end());
  std::vector<std::uint32_t> open(capacity_bps.size());

  // A link's share only grows while others freeze, so a stale entry comes up too early, never too
  // late: it is put back with its present share. The pair orders equal shares by link id.
  using Entry = std::pair<double, std::uint32_t>;
  std::vector<Entry> entries;
  for (std::uint32_t link = 0; link < open.size(); ++link) {
    open[link] = flows_of.begin[link + 1] - flows_of.begin[link];
    if (open[link] > 0) entries.emplace_back(left[link] / open[link], link);
  }
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue(std::greater<>(), std::move(entries));

  while (!queue.empty()) {
    const auto [share, link] = queue.top();
    queue.pop();
    if (open[link] == 0) continue;
    const double present = left[link] / open[link];
    if (present > share) {  // below it only by rounding
      queue.emplace(present, link);
      continue;
    }
    for (std::uint32_t i = flows_of.begin[link]; i < flows_of.begin[link + 1]; ++i) {
      const FlowId flow = flows_of.flows[i];
      if (rates[flow] != kOpen) continue;
      rates[flow] = share;
      for (std::uint32_t at = flow_begin[flow]; at < flow_begin[flow + 1]; ++at) {
        left[links[at]] -= share;
        --open[links[at]];
      }
    }
  }
  return rates;
}

}  // namespace spineweave
