// Data under way: how much each flow has left, and when it will be done.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "simulate/fair_rates.hpp"
#include "simulate/rounded_volume.hpp"

namespace spineweave {

// A flow is looked at when its rate changes, not while it runs on. At each time at which something happens comes
// take_ended(), then starts, moves and capacities, then settle().
class Transfers {
 public:
  Transfers(std::vector<Rate> capacities, std::uint32_t num_flows);

  // These take effect with settle().
  void start(FlowId flow, std::uint64_t bytes, std::span<const LinkId> links, std::uint64_t now);
  void move(FlowId flow, std::span<const LinkId> links);  // keeps what it has left
  void set_capacity(LinkId link, Rate capacity) { rates_.set_capacity(link, capacity); }
  // Returns the flows whose rate or route may have changed; valid until the next call.
  std::span<const FlowId> settle(std::uint64_t now);

  // kNever: none ends while nothing changes.
  [[nodiscard]] std::uint64_t next_end();
  // Takes out the flows that end now, ascending; valid until the next call.
  [[nodiscard]] std::span<const FlowId> take_ended(std::uint64_t now);

  [[nodiscard]] bool is_active(FlowId flow) const { return transfers_[flow].active; }
  [[nodiscard]] std::uint64_t start_ns(FlowId flow) const { return transfers_[flow].start_ns; }  // the last one's
  [[nodiscard]] Rate rate(FlowId flow) const { return rates_.rate(flow); }
  [[nodiscard]] Volume left(FlowId flow, std::uint64_t now) const;  // of one that is active

 private:
  struct Transfer {
    Volume left = 0;  // at `seen_ns`
    std::uint64_t seen_ns = 0;
    std::uint64_t start_ns = 0;
    std::uint64_t end_ns = kNever;
    Rate rate = 0;
    bool active = false;
    bool on_the_edge = false;  // ends so near to a full nanosecond that rounding decides which one
    RoundedVolume rounded;
  };
  using Ending = std::pair<std::uint64_t, FlowId>;

  void set_end(FlowId flow, std::uint64_t end_ns);
  void set_rate(FlowId flow, Rate rate, std::uint64_t now);
  [[nodiscard]] bool lasts_longer(FlowId flow);
  void forget_ticks();
  [[nodiscard]] bool is_stale(const Ending& ending) const { return transfers_[ending.second].end_ns != ending.first; }

  FairRates rates_;
  std::vector<Transfer> transfers_;  // [flows]
  // The first to end on top. When a flow's end changes, the old entry stays, and is passed over when it comes up.
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> endings_;
  std::vector<std::uint64_t> ticks_;  // times at which something happened, up to now
  std::vector<FlowId> ended_;
};

}  // namespace spineweave
