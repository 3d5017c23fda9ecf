#include <algorithm>
#include <functional>
#include <numeric>

#include "problem/build.hpp"

namespace spineweave {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kMaxPacked = 4096;  // flows; above, the average says nearly as much

// Links of this capacity that the flows need at least, whatever the placement: the bound L2 of Martello
// and Toth (Knapsack Problems, 1990, 8.3). Flows above half the capacity each need a link of their own;
// for every `small` one, those above capacity - small leave no room for any flow of `small` or more.
// `weights` descend, and `before[i]` is the sum of the first i.
std::uint64_t links_needed(std::span<const std::uint32_t> weights, std::span<const std::uint64_t> before,
                           std::uint64_t capacity) {
  const auto above = [&](std::uint64_t limit) {  // number of weights > limit
    return static_cast<std::size_t>(
        std::partition_point(weights.begin(), weights.end(), [&](std::uint32_t w) { return w > limit; }) -
        weights.begin());
  };
  const std::size_t large = above(capacity / 2);
  std::uint64_t most = large;
  for (std::size_t i = large; i < weights.size(); ++i) {
    if (i + 1 < weights.size() && weights[i + 1] == weights[i]) continue;
    const std::size_t alone = above(capacity - weights[i]);
    const std::uint64_t room = (large - alone) * capacity - (before[large] - before[alone]);
    const std::uint64_t middle = before[i + 1] - before[large];
    const std::uint64_t more = middle > room ? (middle - room + capacity - 1) / capacity : 0;
    most = std::max(most, large + more);
  }
  return most;
}

// The least capacity with which `links` equal links could suffice, at least `known`.
std::uint64_t least_capacity(std::span<const std::uint32_t> weights, std::size_t links, std::uint64_t known) {
  if (weights.size() > kMaxPacked || weights.size() <= links) return known;
  std::vector<std::uint64_t> before(weights.size() + 1, 0);
  std::partial_sum(weights.begin(), weights.end(), before.begin() + 1, std::plus<std::uint64_t>());
  std::uint64_t low = known;  // not refuted as a bound: every smaller capacity is
  std::uint64_t high = std::max<std::uint64_t>(known, before.back());
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (links_needed(weights, before, middle) > links) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The least congestion, at least `known`, at which links of these scales hold so many units of this weight,
// each whole.
std::uint64_t least_holding(std::uint64_t units, std::uint64_t unit, std::span<const std::uint32_t> scales,
                            std::uint64_t known) {
  const auto holds = [&](std::uint64_t congestion) {
    std::uint64_t held = 0;
    for (const std::uint64_t scale : scales) held += congestion / (unit * scale);
    return held >= units;
  };
  // At the average every link wants for less than one unit.
  std::uint64_t low = known, high = known + unit * *std::max_element(scales.begin(), scales.end());
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (holds(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace

std::uint64_t least_congestion(std::vector<std::uint32_t>& weights, std::span<const std::uint32_t> scales) {
  if (weights.empty() || scales.empty()) return 0;
  if (!std::is_sorted(weights.begin(), weights.end(), std::greater<>()))
    std::sort(weights.begin(), weights.end(), std::greater<>());
  const std::uint64_t fastest = *std::min_element(scales.begin(), scales.end());
  const bool equal = std::all_of(scales.begin(), scales.end(), [&](std::uint64_t scale) { return scale == fastest; });
  const std::size_t m = scales.size();
  // Equal flows over equal links: the pigeonhole says it all.
  if (equal && weights.front() == weights.back()) return (weights.size() + m - 1) / m * weights.front() * fastest;
  std::uint64_t least = weights.front() * fastest;
  for (std::size_t k = 1; k * m < weights.size(); ++k) {
    std::uint64_t together = 0;
    for (std::size_t i = k * m - k; i <= k * m; ++i) together += weights[i];
    least = std::max(least, together * fastest);
  }
  const std::uint64_t total = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  if (equal) {
    // Congestion moves in whole weights, so the average rounds up to one.
    least = std::max(least, (total + m - 1) / m * fastest);
    return std::max(least, least_capacity(weights, m, least / fastest) * fastest);
  }
  // Every link at congestion c carries c / scale at most, so c >= total / sum(1 / scale). Reciprocals
  // are rounded up, which only lowers the bound.
  std::uint64_t reciprocals = 0;
  constexpr std::uint32_t shift = 40;
  for (const std::uint64_t scale : scales) reciprocals += ((std::uint64_t{1} << shift) + scale - 1) / scale;
  const auto average = static_cast<std::uint64_t>((Wide{total} << shift) / reciprocals);
  std::uint64_t unit = 0;
  for (const std::uint32_t weight : weights)
    if (weight != unit) unit = std::gcd(unit, weight);
  return least_holding(total / unit, unit, scales, std::max(least, average));
}

}  // namespace spineweave
