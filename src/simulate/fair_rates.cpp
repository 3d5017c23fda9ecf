#include "simulate/fair_rates.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace spineweave {
namespace {

constexpr Rate kUnbound = std::numeric_limits<Rate>::max();
constexpr Rate kUnset = std::numeric_limits<Rate>::max();

}  // namespace

FairRates::FairRates(std::vector<Rate> capacities, std::uint32_t num_flows)
    : flows_(num_flows), links_(capacities.size()) {
  for (LinkId link = 0; link < links_.size(); ++link) {
    links_[link].capacity = capacities[link];
    links_[link].level = kUnbound;
  }
}

void FairRates::touch(LinkId link) {
  if (links_[link].touched) return;
  links_[link].touched = true;
  touched_.push_back(link);
}

void FairRates::open(FlowId flow) {
  if (flows_[flow].open) return;
  flows_[flow].open = true;
  open_.push_back(flow);
}

void FairRates::add(FlowId flow, std::span<const LinkId> links) {
  Flow& added = flows_[flow];
  for (const LinkId link : links) {
    std::vector<Passenger>& passengers = links_[link].passengers;
    passengers.push_back({flow, static_cast<std::uint32_t>(added.hops.size())});
    added.hops.push_back({link, static_cast<std::uint32_t>(passengers.size() - 1)});
    touch(link);
  }
  open(flow);
}

void FairRates::remove(FlowId flow) {
  Flow& removed = flows_[flow];
  for (const Hop& hop : removed.hops) {
    std::vector<Passenger>& passengers = links_[hop.link].passengers;
    const Passenger last = passengers.back();
    passengers[hop.place] = last;
    flows_[last.flow].hops[last.hop].place = hop.place;
    passengers.pop_back();
    touch(hop.link);
  }
  removed.hops.clear();
  removed.rate = 0;
}

void FairRates::set_capacity(LinkId link, Rate capacity) {
  links_[link].capacity = capacity;
  touch(link);
}

std::span<const FlowId> FairRates::settle() {
  std::erase_if(open_, [this](FlowId flow) {
    const bool absent = flows_[flow].hops.empty();
    if (absent) flows_[flow].open = false;
    return absent;
  });
  do {
    fill();
  } while (open_what_fails());
  for (const FlowId flow : open_) flows_[flow].open = false;
  for (const LinkId link : touched_) links_[link].touched = false;
  touched_.clear();
  settled_.swap(open_);
  open_.clear();
  return settled_;
}

// The open flows by rising level; the others on their links are pinned: they take the rate they have when the
// level comes by.
void FairRates::fill() {
  for (const FlowId flow : open_) flows_[flow].rate = kUnset;
  gather_pinned();
  shares_.clear();
  for (const LinkId id : touched_) {
    Link& link = links_[id];
    link.left = link.capacity;
    link.level = kUnbound;
    link.waiting = static_cast<std::uint32_t>(link.passengers.size());
    if (link.waiting > 1 || (link.waiting == 1 && !flows_[link.passengers.front().flow].open))
      shares_.emplace_back(link.share(), id);
  }
  for (const FlowId flow : open_)
    if (const LinkId link = narrowest_alone(flows_[flow]); link != kNone) shares_.emplace_back(links_[link].left, link);
  std::ranges::make_heap(shares_, std::greater<>());
  num_waiting_ = open_.size() + pinned_.size();
  for (auto pinned = pinned_.begin(); num_waiting_ > 0;) {
    const Rate level = std::min(shares_.empty() ? kUnbound : shares_.front().first,
                                pinned == pinned_.end() ? kUnbound : pinned->first);
    find_binding_links(level);
    for (const LinkId link : binding_) links_[link].level = level;
    for (const LinkId link : binding_) fix_flows_of(links_[link], level);
    for (; pinned != pinned_.end() && pinned->first == level; ++pinned) pass(flows_[pinned->second], level);
  }
}

// Of the links that an open flow has for itself only the first of the narrowest can hold it.
LinkId FairRates::narrowest_alone(const Flow& flow) const {
  LinkId narrowest = kNone;
  for (const Hop& hop : flow.hops)
    if (links_[hop.link].waiting == 1 && (narrowest == kNone || links_[hop.link].capacity < links_[narrowest].capacity))
      narrowest = hop.link;
  return narrowest;
}

void FairRates::gather_pinned() {
  ++filling_;
  pinned_.clear();
  for (const LinkId link : touched_) {
    for (const Passenger& passenger : links_[link].passengers) {
      Flow& flow = flows_[passenger.flow];
      if (flow.open || flow.seen == filling_) continue;
      flow.seen = filling_;
      pinned_.emplace_back(flow.rate, passenger.flow);
    }
  }
  std::ranges::sort(pinned_);
}

// All of them are found before any of their flows is fixed: what that leaves to the other links at this level
// may round up to more than the level.
void FairRates::find_binding_links(Rate level) {
  binding_.clear();
  while (!shares_.empty() && shares_.front().first == level) {
    std::ranges::pop_heap(shares_, std::greater<>());
    const LinkId id = shares_.back().second;
    const Link& link = links_[id];
    if (link.waiting == 0) {
      shares_.pop_back();
    } else if (const Rate share = link.share(); share > level) {
      shares_.back().first = share;
      std::ranges::push_heap(shares_, std::greater<>());
    } else {
      shares_.pop_back();
      binding_.push_back(id);
    }
  }
}

void FairRates::fix_flows_of(const Link& link, Rate level) {
  for (const Passenger& passenger : link.passengers) {
    Flow& flow = flows_[passenger.flow];
    if (flow.rate != kUnset) continue;
    flow.rate = level;
    pass(flow, level);
  }
}

// Takes a rate off the links that do not bind yet.
void FairRates::pass(const Flow& flow, Rate rate) {
  --num_waiting_;
  for (const Hop& hop : flow.hops) {
    Link& link = links_[hop.link];
    if (!link.touched || link.level != kUnbound) continue;
    link.left -= rate;
    --link.waiting;
  }
}

bool FairRates::is_fair(const Flow& flow) const {
  bool bound = false;
  for (const Hop& hop : flow.hops) {
    if (links_[hop.link].level < flow.rate) return false;
    bound = bound || links_[hop.link].level == flow.rate;
  }
  return bound;
}

bool FairRates::open_what_fails() {
  const std::size_t before = open_.size();
  for (const auto& [rate, id] : pinned_) {
    if (is_fair(flows_[id])) continue;
    open(id);
    for (const Hop& hop : flows_[id].hops) touch(hop.link);
  }
  return open_.size() > before;
}

}  // namespace spineweave
