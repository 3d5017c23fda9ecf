// Max-min fair rates of flows that come, go and move, brought up to date where something changed.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "simulate/units.hpp"
#include "spineweave/types.hpp"

namespace spineweave {

// The allocation is the one of progressive filling (Bertsekas and Gallager, Data Networks, 6.5.2) in integers:
// the level rises; at each level all links whose fair share of what is left, rounded down, is that level bind
// at once, and their flows keep it. There is exactly one such allocation: every flow has a link on its way that
// binds at its rate, and none that binds below. So rates need to be filled anew only where a check of that
// fails: first for the flows that came, then, as long as it fails for others on links that were touched, for
// these as well. What comes out is what filling everything anew would give.
class FairRates {
 public:
  FairRates(std::vector<Rate> capacities, std::uint32_t num_flows);

  // Takes effect with the next settle(). A flow passes a link at most once.
  void add(FlowId flow, std::span<const LinkId> links);
  void remove(FlowId flow);
  void set_capacity(LinkId link, Rate capacity);

  // Returns the flows whose rate may have changed, in no order that matters; valid until the next call.
  // O(n log n) in the flows on the links of these flows, for each round of opening more.
  [[nodiscard]] std::span<const FlowId> settle();
  [[nodiscard]] Rate rate(FlowId flow) const { return flows_[flow].rate; }

 private:
  struct Hop {
    LinkId link = kNone;
    std::uint32_t place = 0;  // in the link's passengers
  };
  struct Passenger {
    FlowId flow = kNone;
    std::uint32_t hop = 0;  // of the flow
  };
  struct Flow {
    std::vector<Hop> hops;   // empty: absent
    Rate rate = 0;           // kUnset while it is being filled
    bool open = false;       // among open_
    std::uint64_t seen = 0;  // the last filling that met it as a pinned flow
  };
  struct Link {
    Rate capacity = 0;
    Rate level = 0;             // at which it binds; kUnbound: at none
    Rate left = 0;              // of the capacity, during a filling
    std::uint32_t waiting = 0;  // flows that have no rate yet, likewise
    bool touched = false;
    std::vector<Passenger> passengers;
    [[nodiscard]] Rate share() const { return left / waiting; }
  };
  using Entry = std::pair<Rate, LinkId>;  // a link and its share, which may have grown since

  void touch(LinkId link);
  void open(FlowId flow);
  void fill();
  [[nodiscard]] LinkId narrowest_alone(const Flow& flow) const;
  void gather_pinned();
  void find_binding_links(Rate level);
  void fix_flows_of(const Link& link, Rate level);
  void pass(const Flow& flow, Rate rate);
  [[nodiscard]] bool open_what_fails();
  [[nodiscard]] bool is_fair(const Flow& flow) const;

  std::vector<Flow> flows_;
  std::vector<Link> links_;
  std::vector<FlowId> open_, settled_;
  std::vector<LinkId> touched_;
  // Of one filling:
  std::vector<std::pair<Rate, FlowId>> pinned_;  // flows that keep their rate, on touched links
  std::vector<Entry> shares_;                    // a heap, least first
  std::vector<LinkId> binding_;
  std::size_t num_waiting_ = 0;  // flows that have no rate yet
  std::uint64_t filling_ = 0;    // its number
};

}  // namespace spineweave
