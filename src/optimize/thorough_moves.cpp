// The chain search's thorough step: all paths of all flows on a link, and swaps with lighter flows.
#include <algorithm>
#include <bit>

#include "optimize/chain_search.hpp"
#include "optimize/row_excess.hpp"
#include "util/hash.hpp"

namespace spineweave {
namespace {

constexpr std::size_t kMaxPartners = 96;  // of one flow

}  // namespace

// Each of n equal choices ends up taken with probability 1 / n.
void ChainSearch::offer(Choice& best, FlowId flow, PathIndex path, FlowId partner, std::int64_t change) const {
  if (best.flow != kNone && change > best.change) return;
  const std::uint32_t ties = best.flow == kNone || change < best.change ? 1 : best.ties + 1;
  const std::uint64_t draw = random((std::uint64_t{flow} << 32U) + path + (std::uint64_t{partner} << 20U));
  best.ties = ties;
  if (ties == 1 || util::random_below(draw, ties) == 0) best = {flow, path, partner, change, ties};
}

// The best path for the flow if it leaves the crowded link, its own load taken out first.
void ChainSearch::consider_moves(FlowId flow, std::uint32_t crowded_cell, Choice& best) {
  const PathIndex current = routing_[flow];
  const std::uint64_t before = total_;
  change_path(flow, current, false);
  const auto gained = static_cast<std::int64_t>(before - total_);
  if (rows_ && std::has_single_bit(problem_.phase_mask(flow))) {
    consider_rows(flow, crowded_cell, gained, best);
  } else {
    consider_each(flow, crowded_cell, gained, best);
  }
  change_path(flow, current, true);
}

// Candidate by candidate: any fabric, any number of phases and ports.
void ChainSearch::consider_each(FlowId flow, std::uint32_t crowded_cell, std::int64_t gained, Choice& best) {
  const PathIndex current = routing_[flow];
  const std::uint64_t limit = flow_limit_[flow];
  const auto scales = problem_.scales();
  const PathView& view = problem_.paths();
  const auto consider = [&](PathIndex path, const PathBlock& block) {
    if (block.first_path + path == current) return;
    std::int64_t change = -gained;
    bool usable = true;
    visit_listed_of(flow, block, path, [&](std::uint32_t cell) {
      if (!usable) return;
      usable = scales[cell] > 0 && cell != crowded_cell && !is_tabu(flow, cell);
      if (usable) change += static_cast<std::int64_t>(added_excess(flow, cell, limit));
      usable = usable && (best.flow == kNone || change <= best.change);
    });
    if (usable) offer(best, flow, block.first_path + path, kNone, change);
  };
  for (const PathBlock& block : problem_.blocks(flow)) {
    const std::uint32_t count = num_candidates(view, block);
    const bool grouped = view.kind == PathKind::tiered && block.height == 2;
    const std::uint32_t per_slot = grouped ? count / view.leaf_slots : count;
    for (PathIndex slot = 0; slot < count; slot += per_slot) {
      // All paths over one uplink share its excess: skip them together where it is too much already.
      if (grouped) {
        const std::uint32_t cell = view.leaf_up + block.src * view.leaf_stride + slot / per_slot;
        if (scales[cell] == 0 || cell == crowded_cell) continue;
        if (best.flow != kNone && static_cast<std::int64_t>(added_excess(flow, cell, limit)) - gained > best.change)
          continue;
      }
      for (PathIndex path = slot; path < slot + per_slot; ++path) consider(path, block);
    }
  }
}

// What the flow would add on the cells of two rows that meet slot by slot.
void ChainSearch::add_rows(FlowId flow, std::uint32_t crowded_cell, std::uint32_t up, std::uint32_t down,
                           std::span<std::uint32_t> added) const {
  const auto phase = static_cast<std::uint32_t>(std::countr_zero(problem_.phase_mask(flow)));
  const RowOfLinks up_row{congestion_.data() + place(phase, up), limit_.data() + place(phase, up),
                          problem_.scales().data() + up};
  const RowOfLinks down_row{congestion_.data() + place(phase, down), limit_.data() + place(phase, down),
                            problem_.scales().data() + down};
  add_excess_of_rows(up_row, down_row, problem_.weights()[flow], flow_limit_[flow], added);
  const auto bar = [&](std::uint32_t cell) {
    if (cell - up < added.size()) added[cell - up] = kUnusable;
    if (cell - down < added.size()) added[cell - down] = kUnusable;
  };
  bar(crowded_cell);
  const Tabu* tabu = tabu_.data() + std::size_t{flow} * kTabuPerFlow;
  for (std::uint32_t i = 0; i < kTabuPerFlow; ++i)
    if (tabu[i].until > step_) bar(tabu[i].cell);
}

// The same choice as candidate by candidate, row by row.
void ChainSearch::consider_rows(FlowId flow, std::uint32_t crowded_cell, std::int64_t gained, Choice& best) {
  const PathView& view = problem_.paths();
  const PathBlock& block = problem_.blocks(flow).front();
  if (block.height == 0) return;
  const PathIndex current = routing_[flow];
  if (best.flow != kNone && best.change + gained < 0) return;
  std::uint64_t least = best.flow == kNone ? ~std::uint64_t{0} : static_cast<std::uint64_t>(best.change + gained);
  ties_.clear();
  const auto take_least = [&](std::span<std::uint32_t> added, std::uint64_t base, PathIndex first) {
    if (current - first < added.size()) added[current - first] = kUnusable;
    const std::uint32_t lowest = least_of_row(added);
    if (lowest == kUnusable || base + lowest > least) return;
    if (base + lowest < least) ties_.clear();
    least = base + lowest;
    for (std::uint32_t i = 0; i < added.size(); ++i)
      if (added[i] == lowest) ties_.push_back(first + i);
  };
  const std::span outer = std::span(added_).first(view.leaf_slots);
  add_rows(flow, crowded_cell, view.leaf_up + block.src * view.leaf_stride,
           view.leaf_down + block.dst * view.leaf_stride, outer);
  if (block.height == 1) {
    take_least(outer, 0, 0);
  } else {
    const std::span inner = std::span(added_).subspan(view.leaf_slots, view.core_slots);
    for (std::uint32_t slot = 0; slot < view.leaf_slots; ++slot) {
      if (outer[slot] == kUnusable || outer[slot] > least) continue;
      const std::uint32_t up = agg_row(view, block.src, slot);
      const std::uint32_t down = agg_row(view, block.dst, slot);
      if (up == kNone || down == kNone) continue;
      add_rows(flow, crowded_cell, view.agg_up + up * view.core_stride, view.agg_down + down * view.core_stride, inner);
      take_least(inner, outer[slot], slot * view.core_slots);
    }
  }
  for (const PathIndex path : ties_) offer(best, flow, path, kNone, static_cast<std::int64_t>(least) - gained);
}

// Swaps with a lighter flow that starts at the same leaf and climbs as high. A path's index within its
// block means the same slots for every pair of leaves, so the two just trade indices.
void ChainSearch::consider_swaps(FlowId flow, std::uint32_t crowded_cell, Choice& best) {
  const PathView& view = problem_.paths();
  if (view.kind != PathKind::tiered || chooses(flow) || problem_.weights()[flow] == lightest_) return;
  const PathBlock& block = problem_.blocks(flow).front();
  const PathIndex current = routing_[flow];
  const std::uint64_t before = total_;
  const auto scales = problem_.scales();
  const auto added_on = [&](FlowId moved, const PathBlock& its_block, PathIndex path, std::uint64_t& added) {
    bool usable = true;
    const std::uint64_t limit = flow_limit_[moved];
    visit_fabric_cells(view, its_block, path, [&](std::uint32_t cell) {
      usable = usable && scales[cell] > 0 && !is_tabu(moved, cell);
      if (usable) added += added_excess(moved, cell, limit);
    });
    return usable;
  };
  std::vector<FlowId> partners;
  for (std::uint32_t slot = 0; slot < view.leaf_slots; ++slot) {
    const std::uint32_t cell = view.leaf_up + block.src * view.leaf_stride + slot;
    if (cell == crowded_cell) continue;
    for (std::uint32_t at = head_[cell]; at != kNone && partners.size() < kMaxPartners; at = next_[at]) {
      const FlowId partner = at / hops_;
      if (problem_.weights()[partner] < problem_.weights()[flow] && !chooses(partner) &&
          problem_.blocks(partner).front().height == block.height && routing_[partner] != current)
        partners.push_back(partner);
    }
  }
  change_path(flow, current, false);
  for (const FlowId partner : partners) {
    const PathIndex other = routing_[partner];
    change_path(partner, other, false);
    const auto gained = static_cast<std::int64_t>(before - total_);
    std::uint64_t added = 0;
    bool leaves_crowd = true;
    visit_fabric_cells(view, block, other,
                       [&](std::uint32_t cell) { leaves_crowd = leaves_crowd && cell != crowded_cell; });
    if (leaves_crowd && added_on(flow, block, other, added) &&
        added_on(partner, problem_.blocks(partner).front(), current, added))
      offer(best, flow, other, partner, static_cast<std::int64_t>(added) - gained);
    change_path(partner, other, true);
  }
  change_path(flow, current, true);
}

ChainSearch::Choice ChainSearch::best_way_out(std::span<const FlowId> flows, std::uint32_t crowded_cell) {
  Choice best;
  for (const FlowId flow : flows) consider_moves(flow, crowded_cell, best);
  if (best.flow == kNone || best.change >= 0)
    for (const FlowId flow : flows) consider_swaps(flow, crowded_cell, best);
  return best;
}

}  // namespace spineweave
