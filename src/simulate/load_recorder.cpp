#include "simulate/load_recorder.hpp"

#include <algorithm>

#include "problem/build.hpp"

namespace spineweave {
namespace {

constexpr std::uint64_t kFirstIntervalNs = 1'000'000;
constexpr double kNsPerSecond = 1e9;

}  // namespace

LoadRecorder::LoadRecorder(const Fabric& fabric, const Traffic& traffic, std::uint32_t most_intervals)
    : fabric_(fabric),
      most_intervals_(most_intervals),
      interval_ns_(kFirstIntervalNs),
      under_way_(traffic.flows.size()),
      bits_(std::size_t{most_intervals} * fabric.num_links(), 0.0F) {
  const Weights weights =
      weigh_flows(fabric, traffic.flows, static_cast<std::uint32_t>(traffic.turn_begin.size() - 1), {});
  for (const std::uint32_t weight : weights.values) demand_bps_.push_back(weight * weights.unit_bps);
}

void LoadRecorder::set(FlowId flow, std::span<const LinkId> links, std::uint64_t now) {
  UnderWay& under_way = under_way_[flow];
  if (std::ranges::equal(under_way.links, links)) return;
  carry(flow, now);
  under_way.since_ns = now;
  under_way.links.assign(links.begin(), links.end());
}

void LoadRecorder::carry(FlowId flow, std::uint64_t now) {
  const UnderWay& under_way = under_way_[flow];
  if (under_way.links.empty() || now == under_way.since_ns) return;
  reach(now);
  for (std::uint64_t from = under_way.since_ns; from < now;) {
    const std::uint64_t interval = from / interval_ns_;
    const std::uint64_t to = std::min(now, (interval + 1) * interval_ns_);
    const auto bits = static_cast<float>(demand_bps_[flow] * static_cast<double>(to - from) / kNsPerSecond);
    float* const row = bits_.data() + interval * fabric_.num_links();
    for (const LinkId link : under_way.links) row[link] += bits;
    from = to;
  }
}

// Makes the intervals long enough for a time.
void LoadRecorder::reach(std::uint64_t time_ns) {
  if (time_ns == 0) return;
  const std::size_t links = fabric_.num_links();
  while ((time_ns - 1) / most_intervals_ >= interval_ns_) {  // a product could overflow
    interval_ns_ *= 2;
    for (std::size_t interval = 0; interval < most_intervals_; ++interval) {
      float* const row = bits_.data() + interval * links;
      for (std::size_t link = 0; link < links; ++link) {
        float sum = 0;
        for (const std::size_t old : {2 * interval, 2 * interval + 1})
          if (old < most_intervals_) sum += bits_[old * links + link];
        row[link] = sum;
      }
    }
  }
}

LoadTimeline LoadRecorder::finish(std::uint64_t end_ns) {
  for (FlowId flow = 0; flow < under_way_.size(); ++flow) set(flow, {}, end_ns);
  reach(end_ns);
  LoadTimeline timeline;
  timeline.interval_ns = interval_ns_;
  timeline.num_intervals = static_cast<std::uint32_t>((end_ns + interval_ns_ - 1) / interval_ns_);
  bits_.resize(std::size_t{timeline.num_intervals} * fabric_.num_links());
  timeline.loads = std::move(bits_);
  for (std::size_t i = 0; i < timeline.loads.size(); ++i) {
    const Link& link = fabric_.link(static_cast<LinkId>(i % fabric_.num_links()));
    const double most = static_cast<double>(link.capacity_bps) * static_cast<double>(interval_ns_) / kNsPerSecond;
    timeline.loads[i] = most > 0 ? static_cast<float>(timeline.loads[i] / most) : 0.0F;
  }
  return timeline;
}

}  // namespace spineweave
