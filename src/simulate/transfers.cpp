#include "simulate/transfers.hpp"

#include <algorithm>

namespace spineweave {

Transfers::Transfers(std::vector<Rate> capacities, std::uint32_t num_flows)
    : rates_(std::move(capacities), num_flows), transfers_(num_flows) {}

void Transfers::start(FlowId flow, std::uint64_t bytes, std::span<const LinkId> links, std::uint64_t now) {
  transfers_[flow] = {volume_of(bytes), now, now, kNever, 0, true};
  rates_.add(flow, links);
}

void Transfers::move(FlowId flow, std::span<const LinkId> links) {
  rates_.remove(flow);
  rates_.add(flow, links);
}

void Transfers::settle(std::uint64_t now) {
  for (const FlowId flow : rates_.settle()) {
    Transfer& transfer = transfers_[flow];
    const Rate rate = rates_.rate(flow);
    if (rate == transfer.rate && transfer.end_ns != kNever) continue;
    transfer.left -= std::min(transfer.left, Volume{now - transfer.seen_ns} * transfer.rate);
    transfer.seen_ns = now;
    transfer.rate = rate;
    const std::uint64_t duration = duration_of(transfer.left, rate);
    transfer.end_ns = duration >= kNever - now ? kNever : now + duration;
    if (transfer.end_ns != kNever) endings_.emplace(transfer.end_ns, flow);
  }
}

std::uint64_t Transfers::next_end() {
  while (!endings_.empty() && is_stale(endings_.top())) endings_.pop();
  return endings_.empty() ? kNever : endings_.top().first;
}

std::span<const FlowId> Transfers::take_ended(std::uint64_t now) {
  ended_.clear();
  while (next_end() <= now) {
    const FlowId flow = endings_.top().second;
    endings_.pop();
    transfers_[flow].active = false;
    transfers_[flow].end_ns = kNever;
    rates_.remove(flow);
    ended_.push_back(flow);
  }
  std::ranges::sort(ended_);
  return ended_;
}

}  // namespace spineweave
