// The chain search's hasty step: the first way out of a crowded link that adds no excess elsewhere.
#include <algorithm>
#include <bit>

#include "optimize/chain_search.hpp"
#include "optimize/row_excess.hpp"
#include "util/hash.hpp"

namespace spineweave {
namespace {

constexpr std::size_t kMostHastyFlows = 4;      // of one crowded link, from a random one on
constexpr std::uint32_t kMostCrowdedSlots = 3;  // looked behind where no slot is free
constexpr std::uint32_t kMaxPartnersSeen = 48;  // in one step
constexpr std::uint32_t kMaxTrades = 16;        // tried in one step

}  // namespace

// The first flow and path, from a random place on, that add no excess; the best of all if none does.
ChainSearch::Choice ChainSearch::first_way_out(std::span<const FlowId> flows, std::uint32_t crowded_cell) {
  const bool all_rows =
      rows_ && std::ranges::all_of(flows, [&](FlowId flow) { return std::has_single_bit(problem_.phase_mask(flow)); });
  if (!all_rows) return best_way_out(flows, crowded_cell);
  Choice best;
  const std::uint32_t first = util::random_below(random(2), static_cast<std::uint32_t>(flows.size()));
  for (std::size_t i = 0; i < std::min(flows.size(), kMostHastyFlows); ++i) {
    const std::size_t at = first + i < flows.size() ? first + i : first + i - flows.size();
    const Choice choice = first_free_path(flows[at], crowded_cell);
    if (choice.flow == kNone || (best.flow != kNone && choice.change >= best.change)) continue;
    best = choice;
    if (choice.added == 0) break;
  }
  return best;
}

// Swaps one of the flows with one that leaves the same leaf (or enters it, if the crowded link leads
// there) and whose job bears more, where that lowers the excess. Loads at the leaf stay as they are, so this
// works where its links are full.
bool ChainSearch::trade_places(std::span<const FlowId> flows, std::uint32_t crowded_cell) {
  if (!rows_) return false;
  const PathView& view = problem_.paths();
  std::uint32_t tried = 0, seen = 0;
  for (const FlowId flow : flows) {
    const PathBlock& block = problem_.blocks(flow).front();
    const std::uint32_t down_row = view.leaf_down + block.dst * view.leaf_stride;
    const std::uint32_t up_row = view.leaf_up + block.src * view.leaf_stride;
    const std::uint32_t row = crowded_cell - down_row < view.leaf_slots ? down_row : up_row;
    const std::uint32_t own = row + routing_[flow] / (block.height == 1 ? 1 : view.core_slots);
    const std::uint32_t limit = flow_limit_[flow];
    const std::uint32_t first = util::random_below(random(5 + flow), view.leaf_slots);
    for (std::uint32_t i = 0; i < view.leaf_slots; ++i) {
      const std::uint32_t cell = row + (first + i < view.leaf_slots ? first + i : first + i - view.leaf_slots);
      if (cell == own) continue;
      for (std::uint32_t at = head_[cell], next = kNone; at != kNone; at = next) {
        next = next_[at];  // a trade that is undone moves its place in the list
        if (seen++ == kMaxPartnersSeen) return false;
        const FlowId partner = at / hops_;
        if (flow_limit_[partner] <= limit || problem_.blocks(partner).front().height != block.height) continue;
        if (tried++ == kMaxTrades) return false;
        if (trade(flow, own, partner, cell)) return true;
      }
    }
  }
  return false;
}

// The two take each other's path index, which means the same slots. `own` and `others` are the cells of
// theirs in the row that they share; undone where no excess goes away.
bool ChainSearch::trade(FlowId flow, std::uint32_t own, FlowId partner, std::uint32_t others) {
  const PathIndex path = routing_[flow];
  const PathIndex other = routing_[partner];
  if (!fits(flow, other, others) || !fits(partner, path, own)) return false;
  const std::uint64_t before = total_;
  reroute(flow, other);
  reroute(partner, path);
  if (total_ < before) {
    undo_.emplace_back(flow, path);
    undo_.emplace_back(partner, other);
    return true;
  }
  reroute(partner, other);
  reroute(flow, path);
  return false;
}

// True where the flow adds no excess on the path, the shared cell left out.
bool ChainSearch::fits(FlowId flow, PathIndex path, std::uint32_t shared) const {
  const std::uint64_t limit = flow_limit_[flow];
  bool fits = true;
  visit_fabric_cells(problem_.paths(), problem_.blocks(flow).front(), path, [&](std::uint32_t cell) {
    fits = fits && problem_.scales()[cell] > 0 && (cell == shared || added_excess(flow, cell, limit) == 0);
  });
  return fits;
}

// What the flow's links, or those between aggregations and cores alone, lose of their excess when it leaves.
std::int64_t ChainSearch::excess_of(FlowId flow, bool core_rows_only) const {
  const auto phase = static_cast<std::uint32_t>(std::countr_zero(problem_.phase_mask(flow)));
  std::int64_t gained = 0;
  std::uint32_t hop = 0;
  visit_fabric_cells(problem_.paths(), problem_.blocks(flow).front(), routing_[flow], [&](std::uint32_t cell) {
    const bool core_row = hop == 1 || hop == 2;
    ++hop;
    if (core_rows_only && !core_row) return;
    const std::uint64_t amount = std::uint64_t{problem_.weights()[flow]} * problem_.scales()[cell];
    gained += static_cast<std::int64_t>(std::min(amount, excess(place(phase, cell))));
  });
  return gained;
}

// Rows from a random slot on, until a path adds no excess. The flow's own load stays where it is: only
// paths over its own uplink share cells with its path, and there these count as they are.
ChainSearch::Choice ChainSearch::first_free_path(FlowId flow, std::uint32_t crowded_cell) {
  const PathView& view = problem_.paths();
  const PathBlock& block = problem_.blocks(flow).front();
  Choice choice;
  if (block.height == 0) return choice;
  const PathIndex current = routing_[flow];
  const auto consider_row = [&](std::span<const std::uint32_t> added, std::uint64_t base, PathIndex first_path,
                                std::uint32_t first, std::int64_t gained) {
    std::uint32_t at = first_least_of_row(added, first);
    if (added[at] == kUnusable) return;
    const auto change = static_cast<std::int64_t>(base + added[at]) - gained;
    if (choice.flow != kNone && (change >= choice.change && base + added[at] > 0)) return;
    choice = {flow, first_path + at, kNone, change, 1, base + added[at]};
  };
  const std::span outer = std::span(added_).first(view.leaf_slots);
  add_rows(flow, crowded_cell, view.leaf_up + block.src * view.leaf_stride,
           view.leaf_down + block.dst * view.leaf_stride, outer);
  const std::uint32_t first_slot = util::random_below(random(3), view.leaf_slots);
  const std::int64_t gained = excess_of(flow, false);
  if (block.height == 1) {
    outer[current] = kUnusable;
    consider_row(outer, 0, 0, first_slot, gained);
    return choice;
  }
  const std::uint32_t own_slot = current / view.core_slots;
  if (outer[own_slot] != kUnusable) outer[own_slot] = 0;
  const std::span inner = std::span(added_).subspan(view.leaf_slots, view.core_slots);
  const std::uint32_t first_core = util::random_below(random(4), view.core_slots);
  std::uint32_t crowded_slots = 0;
  for (std::uint32_t i = 0; i < view.leaf_slots; ++i) {
    const std::uint32_t slot = first_slot + i < view.leaf_slots ? first_slot + i : first_slot + i - view.leaf_slots;
    const std::int64_t gained_here = slot == own_slot ? excess_of(flow, true) : gained;
    if (outer[slot] == kUnusable || (choice.flow != kNone && outer[slot] - gained_here >= choice.change)) continue;
    if (outer[slot] > 0 && crowded_slots++ == kMostCrowdedSlots) break;
    const std::uint32_t up = agg_row(view, block.src, slot);
    const std::uint32_t down = agg_row(view, block.dst, slot);
    if (up == kNone || down == kNone) continue;
    add_rows(flow, crowded_cell, view.agg_up + up * view.core_stride, view.agg_down + down * view.core_stride, inner);
    if (slot == own_slot) inner[current % view.core_slots] = kUnusable;
    consider_row(inner, outer[slot], slot * view.core_slots, first_core, gained_here);
    if (choice.flow != kNone && choice.added == 0) break;
  }
  return choice;
}

}  // namespace spineweave
