#include "reference/reference_evaluator.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace spineweave::test {
namespace {

// Collects the paths of exactly `length` switch-to-switch links from a switch to a target.
class PathSearch {
 public:
  PathSearch(const Fabric& fabric, NodeId target, std::vector<LinkPath>& found)
      : fabric_(fabric), target_(target), found_(found) {}

  void go(NodeId here, std::uint32_t length, bool came_down, LinkPath& path) {
    if (length == 0) {
      if (here == target_) found_.push_back(path);
      return;
    }
    for (LinkId id = fabric_.first_link(here); id < fabric_.first_link(here + 1); ++id) {
      const Link& link = fabric_.link(id);
      if (link.state == LinkState::down || link.to < fabric_.num_endpoints()) continue;
      const bool down = fabric_.tiers_known() && fabric_.node(link.to).tier < fabric_.node(here).tier;
      if (came_down && !down) continue;
      path.push_back(id);
      go(link.to, length - 1, down, path);
      path.pop_back();
    }
  }

 private:
  const Fabric& fabric_;
  NodeId target_;
  std::vector<LinkPath>& found_;
};

std::uint64_t scale_of(const Problem& problem, LinkId id) {
  std::uint64_t fastest = 0;
  for (const Link& link : problem.fabric().links()) fastest = std::max(fastest, link.capacity_bps);
  const std::uint64_t capacity = problem.fabric().link(id).capacity_bps;
  return ((fastest << problem.precision_bits()) + capacity - 1) / capacity;
}

bool is_active(const Problem& problem, FlowId flow, std::uint32_t phase) {
  return (problem.phase_mask(flow) >> phase & 1U) != 0;
}

// The largest congestion that one flow meets.
std::uint64_t flow_congestion(const Problem& problem, const Routing& routing, const CongestionTable& congestion,
                              FlowId flow) {
  std::uint64_t most = 0;
  for (std::uint32_t phase = 0; phase < problem.num_phases(); ++phase)
    for (const LinkId link : reference_links(problem, routing, flow))
      if (is_active(problem, flow, phase)) most = std::max(most, congestion[phase][link]);
  return most;
}

}  // namespace

std::vector<LinkPath> reference_paths(const Fabric& fabric, const FlowSpec& flow) {
  std::vector<LinkPath> paths;
  for (std::uint32_t length = 0; paths.empty() && length <= fabric.num_switches(); ++length) {
    for (LinkId first = fabric.first_link(flow.src); first < fabric.first_link(flow.src + 1); ++first) {
      for (LinkId back = fabric.first_link(flow.dst); back < fabric.first_link(flow.dst + 1); ++back) {
        const LinkId last = fabric.reverse(back);
        if (fabric.link(first).state == LinkState::down || fabric.link(last).state == LinkState::down) continue;
        std::vector<LinkPath> found;
        LinkPath path = {first};
        PathSearch(fabric, fabric.link(last).from, found).go(fabric.link(first).to, length, false, path);
        for (LinkPath& complete : found) {
          complete.push_back(last);
          paths.push_back(std::move(complete));
        }
      }
    }
  }
  return paths;
}

LinkPath reference_links(const Problem& problem, const Routing& routing, FlowId flow) {
  LinkPath links;
  problem.append_links(flow, routing[flow], links);
  return links;
}

CongestionTable reference_congestion(const Problem& problem, const Routing& routing) {
  CongestionTable table(problem.num_phases(), std::vector<std::uint64_t>(problem.fabric().num_links(), 0));
  for (std::uint32_t phase = 0; phase < problem.num_phases(); ++phase)
    for (FlowId flow = 0; flow < problem.num_flows(); ++flow)
      if (routing[flow] != kNone && is_active(problem, flow, phase))
        for (const LinkId link : reference_links(problem, routing, flow))
          table[phase][link] += problem.weights()[flow] * scale_of(problem, link);
  return table;
}

std::vector<std::uint64_t> reference_bottlenecks(const Problem& problem, const Routing& routing) {
  const CongestionTable congestion = reference_congestion(problem, routing);
  std::vector<std::uint64_t> bottlenecks(problem.num_jobs(), 0);
  for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
    std::uint64_t& most = bottlenecks[problem.flows()[flow].job];
    most = std::max(most, flow_congestion(problem, routing, congestion, flow));
  }
  return bottlenecks;
}

Score reference_score(const Problem& problem, const Routing& routing) {
  const CongestionTable congestion = reference_congestion(problem, routing);
  const std::vector<std::uint64_t> bottlenecks = reference_bottlenecks(problem, routing);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> jobs;
  for (JobId job = 0; job < problem.num_jobs(); ++job) {
    const std::uint64_t floor = problem.floors()[job];
    std::uint32_t at_bottleneck = 0;
    for (FlowId flow = 0; flow < problem.num_flows(); ++flow)
      if (problem.flows()[flow].job == job && flow_congestion(problem, routing, congestion, flow) == bottlenecks[job])
        ++at_bottleneck;
    jobs.emplace_back((bottlenecks[job] * 65536 + floor - 1) / floor, at_bottleneck);
  }
  std::ranges::sort(jobs, std::greater<>());

  Score score;
  for (const auto& [normalised, at_bottleneck] : jobs) {
    score.normalised.push_back(normalised);
    score.at_bottleneck.push_back(at_bottleneck);
  }
  for (std::uint32_t phase = 0; phase < problem.num_phases(); ++phase) {
    for (const std::uint64_t c : congestion[phase]) {
      score.pressure += problem.phase_weights()[phase] * c * c;
      score.max_congestion = std::max(score.max_congestion, c);
    }
  }
  return score;
}

BestMove reference_best_move(const Problem& problem, const Routing& routing, FlowId flow) {
  Routing without = routing;
  without[flow] = kNone;
  const CongestionTable before = reference_congestion(problem, without);

  // (largest congestion, pressure added, index) of the flow on a path.
  using Key = std::tuple<std::uint64_t, std::int64_t, PathIndex>;
  const auto key_of = [&](const LinkPath& path) {
    std::uint64_t most = 0;
    std::int64_t pressure = 0;
    for (std::uint32_t phase = 0; phase < problem.num_phases(); ++phase) {
      if (!is_active(problem, flow, phase)) continue;
      for (const LinkId link : path) {
        const std::uint64_t old = before[phase][link];
        const std::uint64_t now = old + problem.weights()[flow] * scale_of(problem, link);
        most = std::max(most, now);
        pressure += static_cast<std::int64_t>(problem.phase_weights()[phase] * (now * now - old * old));
      }
    }
    return Key(most, pressure, problem.find_path(flow, path));
  };

  const std::vector<LinkPath> paths = reference_paths(problem.fabric(), problem.flows()[flow]);
  Key best = key_of(paths.front());
  for (const LinkPath& path : paths) best = std::min(best, key_of(path));
  const auto [congestion, pressure, index] = best;
  if (routing[flow] == kNone) return {flow, index, congestion, pressure};

  const auto [own_congestion, own_pressure, own_index] = key_of(reference_links(problem, routing, flow));
  if (std::tie(congestion, pressure) < std::tie(own_congestion, own_pressure))
    return {flow, index, congestion, pressure - own_pressure};
  return {flow, own_index, own_congestion, 0};
}

}  // namespace spineweave::test
