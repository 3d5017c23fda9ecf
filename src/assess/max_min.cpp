// Max-min fair shares by progressive filling.
#include <algorithm>
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

// A link and its fair share; equal shares are ordered by link.
using Entry = std::pair<double, std::uint32_t>;

// The entries in order, while new ones come in. Nearly all are there from the start and come out as
// they were sorted; a heap of all of them would be gone through once more for each.
class EntryQueue {
 public:
  explicit EntryQueue(std::vector<Entry> entries) : entries_(std::move(entries)) {
    if (!std::ranges::is_sorted(entries_)) std::ranges::sort(entries_);
  }
  [[nodiscard]] bool empty() const { return next_ == entries_.size() && later_.empty(); }
  void push(const Entry& entry) { later_.push(entry); }
  Entry pop() {
    if (later_.empty() || (next_ < entries_.size() && entries_[next_] < later_.top())) return entries_[next_++];
    const Entry entry = later_.top();
    later_.pop();
    return entry;
  }

 private:
  std::vector<Entry> entries_;
  std::size_t next_ = 0;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> later_;
};

// What flows that are not frozen yet have of a link.
struct Remainder {
  double bps = 0;
  std::uint32_t flows = 0;
  [[nodiscard]] double share() const { return bps / flows; }
};

}  // namespace

std::vector<double> max_min_rates(std::span<const std::uint32_t> flow_begin, std::span<const std::uint32_t> links,
                                  std::span<const double> capacity_bps) {
  const FlowsOfLinks flows_of = transpose(flow_begin, links, capacity_bps.size());
  std::vector<double> rates(flow_begin.size() - 1, kOpen);
  std::vector<Remainder> left(capacity_bps.size());
  std::vector<Entry> entries;
  for (std::uint32_t link = 0; link < left.size(); ++link) {
    left[link] = {capacity_bps[link], flows_of.begin[link + 1] - flows_of.begin[link]};
    if (left[link].flows > 0) entries.emplace_back(left[link].share(), link);
  }

  // A link's share only grows while others freeze, so a stale entry comes up too early, never too
  // late: it is put back with its present share.
  for (EntryQueue queue(std::move(entries)); !queue.empty();) {
    const auto [share, link] = queue.pop();
    if (left[link].flows == 0) continue;
    const double present = left[link].share();
    if (present > share) {  // below it only by rounding
      queue.push({present, link});
      continue;
    }
    for (std::uint32_t i = flows_of.begin[link]; i < flows_of.begin[link + 1]; ++i) {
      const FlowId flow = flows_of.flows[i];
      if (rates[flow] != kOpen) continue;
      rates[flow] = share;
      for (std::uint32_t at = flow_begin[flow]; at < flow_begin[flow + 1]; ++at) {
        left[links[at]].bps -= share;
        --left[links[at]].flows;
      }
    }
  }
  return rates;
}

}  // namespace spineweave
