#include "paths/explicit_paths.hpp"

#include <algorithm>
#include <deque>
#include <numeric>

namespace spineweave {
namespace {

// Shortest paths towards one switch. A state is (switch, may still climb); without tiers every hop is
// allowed and the second part stays true. Numbers of paths saturate, since only their rank is needed.
class Towards {
 public:
  Towards(const Fabric& fabric, NodeId target, bool live_only, bool ordered)
      : fabric_(fabric),
        live_only_(live_only),
        ordered_(ordered),
        distance_(2 * std::size_t{fabric.num_switches()}, kNone),
        count_(distance_.size(), 0) {
    std::deque<std::uint32_t> queue;
    for (const bool climbing : {true, false}) {
      const std::uint32_t goal = state(target, climbing);
      distance_[goal] = 0, count_[goal] = 1;
      queue.push_back(goal);
    }
    while (!queue.empty()) {
      const std::uint32_t at = queue.front();
      queue.pop_front();
      relax_into(at, queue);
    }
  }

  [[nodiscard]] std::uint64_t count(NodeId from) const { return count_[state(from, true)]; }

  // Appends the links of the path with this rank among those in the order of link sequences.
  void append(NodeId from, std::uint64_t rank, std::vector<LinkId>& out) const {
    std::uint32_t at = state(from, true);
    while (distance_[at] > 0) {
      const NodeId here = node(at);
      for (LinkId id = fabric_.first_link(here);; ++id) {
        const std::uint32_t next = follow(at, id);
        if (next == kNone || distance_[next] == kNone || distance_[next] + 1 != distance_[at]) continue;
        if (rank < count_[next]) {
          out.push_back(id);
          at = next;
          break;
        }
        rank -= count_[next];
      }
    }
  }

 private:
  [[nodiscard]] std::uint32_t state(NodeId id, bool climbing) const {
    return 2 * (id - fabric_.num_endpoints()) + (climbing ? 1 : 0);
  }
  [[nodiscard]] NodeId node(std::uint32_t at) const { return at / 2 + fabric_.num_endpoints(); }

  // The state that a link leads to, or kNone where it may not be taken.
  [[nodiscard]] std::uint32_t follow(std::uint32_t at, LinkId id) const {
    const Link& link = fabric_.link(id);
    if (link.to < fabric_.num_endpoints() || (live_only_ && link.state == LinkState::down)) return kNone;
    const bool climbing = at % 2 == 1;
    if (!ordered_) return state(link.to, climbing);
    const bool up = fabric_.node(link.to).tier > fabric_.node(link.from).tier;
    if (up && !climbing) return kNone;
    return state(link.to, up);
  }

  void relax_into(std::uint32_t at, std::deque<std::uint32_t>& queue) {
    const NodeId here = node(at);
    for (LinkId out = fabric_.first_link(here); out < fabric_.first_link(here + 1); ++out) {
      const Link& link = fabric_.link(fabric_.reverse(out));  // link leads into `here`
      if (link.from < fabric_.num_endpoints()) continue;
      for (const bool climbing : {true, false}) {
        const std::uint32_t before = state(link.from, climbing);
        if (follow(before, fabric_.reverse(out)) != at) continue;
        if (distance_[before] == kNone) {
          distance_[before] = distance_[at] + 1;
          queue.push_back(before);
        }
        if (distance_[before] == distance_[at] + 1) count_[before] = std::min(kMany, count_[before] + count_[at]);
      }
    }
  }

  static constexpr std::uint64_t kMany = std::uint64_t{1} << 62U;
  const Fabric& fabric_;
  bool live_only_, ordered_;
  std::vector<std::uint32_t> distance_;  // [2 * switches]
  std::vector<std::uint64_t> count_;     // [2 * switches] shortest paths to the target
};

struct PathList {
  std::vector<std::uint32_t> lengths;
  std::vector<LinkId> links;
  bool capped = false;
  bool any_alive = false;
};

PathList list_paths(const Fabric& fabric, const Towards& towards, NodeId from, std::uint32_t max_paths) {
  PathList list;
  const std::uint64_t total = towards.count(from);
  const std::uint64_t taken = std::min<std::uint64_t>(total, max_paths);
  list.capped = taken < total;
  for (std::uint64_t i = 0; i < taken; ++i) {
    const std::size_t begin = list.links.size();
    towards.append(from, list.capped ? total / taken * i : i, list.links);
    list.lengths.push_back(static_cast<std::uint32_t>(list.links.size() - begin));
    list.any_alive |= std::all_of(list.links.begin() + static_cast<std::ptrdiff_t>(begin), list.links.end(),
                                  [&](LinkId id) { return fabric.link(id).state != LinkState::down; });
  }
  return list;
}

}  // namespace

ExplicitPaths find_explicit_paths(const Fabric& fabric, std::span<const std::pair<NodeId, NodeId>> pairs,
                                  std::uint32_t max_paths, bool allow_valley) {
  std::vector<std::uint32_t> by_target(pairs.size());
  std::iota(by_target.begin(), by_target.end(), 0U);
  std::stable_sort(by_target.begin(), by_target.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return pairs[a].second < pairs[b].second; });

  // What to try, in turn, until a pair has a live path: {over live links only, up-then-down only}.
  std::vector<std::pair<bool, bool>> attempts = {{false, fabric.tiers_known()}, {true, fabric.tiers_known()}};
  if (allow_valley && fabric.tiers_known()) attempts.emplace_back(true, false);
  std::vector<PathList> lists(pairs.size());
  for (std::size_t begin = 0, end = 0; begin < by_target.size(); begin = end) {
    const NodeId target = pairs[by_target[begin]].second;
    while (end < by_target.size() && pairs[by_target[end]].second == target) ++end;
    std::vector<std::uint32_t> open(by_target.begin() + static_cast<std::ptrdiff_t>(begin),
                                    by_target.begin() + static_cast<std::ptrdiff_t>(end));
    for (const auto& [live_only, ordered] : attempts) {
      if (open.empty()) break;
      const Towards towards(fabric, target, live_only, ordered);
      for (const std::uint32_t pair : open) {
        PathList list = list_paths(fabric, towards, pairs[pair].first, max_paths);
        if (list.any_alive || lists[pair].lengths.empty()) lists[pair] = std::move(list);
      }
      std::erase_if(open, [&](std::uint32_t pair) { return lists[pair].any_alive; });
    }
  }

  ExplicitPaths result;
  result.pair_begin.push_back(0);
  result.path_begin.push_back(0);
  for (const PathList& list : lists) {
    for (const std::uint32_t length : list.lengths) result.path_begin.push_back(result.path_begin.back() + length);
    result.links.insert(result.links.end(), list.links.begin(), list.links.end());
    result.pair_begin.push_back(static_cast<std::uint32_t>(result.path_begin.size() - 1));
    result.capped_pairs += list.capped ? 1 : 0;
  }
  return result;
}

}  // namespace spineweave
