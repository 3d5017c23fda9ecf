#include "simulate/transfers.hpp"

#include <algorithm>

namespace spineweave {
namespace {

constexpr std::size_t kMostTicks = std::size_t{1} << 20U;

}  // namespace

Transfers::Transfers(std::vector<Rate> capacities, std::uint32_t num_flows)
    : rates_(std::move(capacities), num_flows), transfers_(num_flows) {}

void Transfers::start(FlowId flow, std::uint64_t bytes, std::span<const LinkId> links, std::uint64_t now) {
  Transfer& transfer = transfers_[flow];
  transfer.left = volume_of(bytes);
  transfer.seen_ns = transfer.start_ns = now;
  transfer.end_ns = kNever;
  transfer.rate = 0;
  transfer.active = true;
  transfer.rounded.start(bytes, ticks_.size() - 1);
  rates_.add(flow, links);
}

void Transfers::move(FlowId flow, std::span<const LinkId> links) {
  rates_.remove(flow);
  rates_.add(flow, links);
}

std::span<const FlowId> Transfers::settle(std::uint64_t now) {
  const std::span<const FlowId> settled = rates_.settle();
  for (const FlowId flow : settled)
    if (const Rate rate = rates_.rate(flow); rate != transfers_[flow].rate) set_rate(flow, rate, now);
  if (ticks_.size() > kMostTicks) forget_ticks();
  return settled;
}

Volume Transfers::left(FlowId flow, std::uint64_t now) const {
  const Transfer& transfer = transfers_[flow];
  return transfer.left - std::min(transfer.left, Volume{now - transfer.seen_ns} * transfer.rate);
}

// Most flows are done long before, and never asked for how they would have rounded.
void Transfers::forget_ticks() {
  for (Transfer& transfer : transfers_)
    if (transfer.active) transfer.rounded.forget(ticks_);
  ticks_.assign(1, ticks_.back());
}

void Transfers::set_rate(FlowId flow, Rate rate, std::uint64_t now) {
  Transfer& transfer = transfers_[flow];
  transfer.left = left(flow, now);
  transfer.seen_ns = now;
  transfer.rate = rate;
  transfer.rounded.set_rate(rate, ticks_.size() - 1);
  const std::uint64_t duration = duration_of(transfer.left, rate);
  set_end(flow, duration >= kNever - now ? kNever : now + duration);
  transfer.on_the_edge = duration != kNever && Volume{duration} * rate < transfer.left + kNegligibleVolume &&
                         transfer.rounded.is_rounded();
}

void Transfers::set_end(FlowId flow, std::uint64_t end_ns) {
  transfers_[flow].end_ns = end_ns;
  if (end_ns != kNever) endings_.emplace(end_ns, flow);
}

// Settles, for a flow on the edge, whether it takes one nanosecond more.
bool Transfers::lasts_longer(FlowId flow) {
  Transfer& transfer = transfers_[flow];
  if (!transfer.on_the_edge || ticks_.back() + transfer.rounded.duration_ns(ticks_) <= transfer.end_ns) return false;
  transfer.on_the_edge = false;
  set_end(flow, transfer.end_ns + 1);
  return true;
}

std::uint64_t Transfers::next_end() {
  while (!endings_.empty() && (is_stale(endings_.top()) || lasts_longer(endings_.top().second))) endings_.pop();
  return endings_.empty() ? kNever : endings_.top().first;
}

std::span<const FlowId> Transfers::take_ended(std::uint64_t now) {
  ticks_.push_back(now);
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
