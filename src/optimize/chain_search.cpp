#include "optimize/chain_search.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include "optimize/row_excess.hpp"
#include "paths/walk.hpp"
#include "util/hash.hpp"

namespace spineweave {
namespace {

constexpr std::uint32_t kMaxFlowsTried = 48;  // of one crowded link
constexpr std::size_t kMaxPartners = 96;      // of one flow
constexpr std::size_t kMostHastyFlows = 4;    // of one crowded link, from a random one on
constexpr std::uint32_t kMostCrowdedSlots = 3;
constexpr std::uint32_t kMaxPartnersSeen = 48;
constexpr std::uint32_t kMaxTrades = 16;  // tried in one step
constexpr std::uint32_t kNoLimit = 0x7fffffffU;

std::uint32_t most_hops(const PathView& view) {
  if (view.kind == PathKind::tiered) return view.core_slots > 0 ? 6 : 4;
  return 0;
}

}  // namespace

ChainSearch::ChainSearch(const Problem& problem, std::uint64_t seed, std::function<bool()> stop)
    : problem_(problem),
      seed_(seed),
      stop_(std::move(stop)),
      num_cells_(problem.num_cells()),
      num_phases_(problem.num_phases()),
      hops_(most_hops(problem.paths())),
      congestion_(std::size_t{num_phases_} * num_cells_),
      limit_(congestion_.size()),
      flow_limit_(problem.num_flows(), kNoLimit),
      head_(num_cells_, kNone),
      crowded_position_(congestion_.size(), kNone),
      tabu_(std::size_t{problem.num_flows()} * kTabuPerFlow),
      tabu_next_(problem.num_flows(), 0) {
  if (hops_ == 0) {
    const PathView& view = problem.paths();
    for (FlowId f = 0; f < problem.num_flows(); ++f)
      for (const PathBlock& block : problem.blocks(f))
        for (std::uint32_t path = view.pair_begin[block.src]; path < view.pair_begin[block.src + 1]; ++path)
          hops_ = std::max(hops_, view.path_begin[path + 1] - view.path_begin[path] + 2);
  }
  for (EndpointId e = 0; e < problem.fabric().num_endpoints(); ++e)
    chooses_port_.push_back(problem.fabric().links_from(e).size() > 1);
  next_.assign(std::size_t{problem.num_flows()} * hops_, kNone);
  previous_ = next_;
  if (problem.num_flows() > 0) lightest_ = *std::ranges::min_element(problem.weights());
  const PathView& view = problem.paths();
  rows_ = view.kind == PathKind::tiered && view.leaf_trunk == 1 && view.core_trunk == 1 && view.aggs_per_plane == 1 &&
          std::ranges::none_of(chooses_port_, std::identity());
  if (rows_) added_.resize(std::size_t{view.leaf_slots} + view.core_slots);
}

// The access link of an endpoint with one port carries the same in every routing; only what can change
// is listed.
template <class Visit>
void ChainSearch::visit_listed_of(FlowId flow, const PathBlock& block, PathIndex path, Visit&& visit) const {
  if (chooses_port_[problem_.flows()[flow].src]) visit(block.access_up);
  visit_fabric_cells(problem_.paths(), block, path, visit);
  if (chooses_port_[problem_.flows()[flow].dst]) visit(block.access_down);
}

template <class Visit>
void ChainSearch::visit_listed(FlowId flow, PathIndex path, Visit&& visit) const {
  const PathBlock& block = problem_.block_of(flow, path);
  visit_listed_of(flow, block, path - block.first_path, visit);
}

std::uint64_t ChainSearch::random(std::uint64_t index) const { return util::random_at(seed_, step_, index); }

std::size_t ChainSearch::place(std::uint32_t phase, std::uint32_t cell) const {
  return std::size_t{phase} * num_cells_ + cell;
}

std::uint64_t ChainSearch::excess(std::size_t place) const {
  return congestion_[place] > limit_[place] ? congestion_[place] - limit_[place] : 0;
}

bool ChainSearch::is_tabu(FlowId flow, std::uint32_t cell) const {
  const Tabu* tabu = tabu_.data() + std::size_t{flow} * kTabuPerFlow;
  return std::any_of(tabu, tabu + kTabuPerFlow, [&](const Tabu& t) { return t.cell == cell && t.until > step_; });
}

void ChainSearch::load(const Routing& routing) {
  routing_ = routing;
  std::fill(congestion_.begin(), congestion_.end(), 0);
  std::fill(limit_.begin(), limit_.end(), kNoLimit);
  std::fill(head_.begin(), head_.end(), kNone);
  std::fill(crowded_position_.begin(), crowded_position_.end(), kNone);
  std::fill(flow_limit_.begin(), flow_limit_.end(), kNoLimit);
  crowded_.clear();
  total_ = 0;
  // As change_cell does it, but nothing has excess without limits.
  for (FlowId f = 0; f < problem_.num_flows(); ++f) {
    std::uint32_t hop = 0;
    const std::uint32_t weight = problem_.weights()[f];
    const std::uint64_t phases = problem_.phase_mask(f);
    visit_listed(f, routing_[f], [&](std::uint32_t cell) {
      link_in(f * hops_ + hop++, cell);
      for (std::uint64_t left = phases; left != 0; left &= left - 1)
        congestion_[place(static_cast<std::uint32_t>(std::countr_zero(left)), cell)] +=
            weight * problem_.scales()[cell];
    });
  }
}

void ChainSearch::link_in(std::uint32_t node, std::uint32_t cell) {
  next_[node] = head_[cell];
  previous_[node] = kNone;
  if (head_[cell] != kNone) previous_[head_[cell]] = node;
  head_[cell] = node;
}

std::vector<std::uint64_t> ChainSearch::job_bottlenecks() {
  if (access_bottleneck_.empty()) set_access_bottlenecks();
  std::vector<std::uint64_t> bottleneck = access_bottleneck_;
  for (FlowId f = 0; f < problem_.num_flows(); ++f) {
    std::uint64_t& worst = bottleneck[problem_.flows()[f].job];
    const std::uint64_t phases = problem_.phase_mask(f);
    visit_listed(f, routing_[f], [&](std::uint32_t cell) {
      for (std::uint64_t left = phases; left != 0; left &= left - 1) {
        const auto phase = static_cast<std::uint32_t>(std::countr_zero(left));
        worst = std::max<std::uint64_t>(worst, congestion_[place(phase, cell)]);
      }
    });
  }
  return bottleneck;
}

// Access links that no flow can leave carry the same in every routing and are not listed.
void ChainSearch::set_access_bottlenecks() {
  access_bottleneck_.assign(problem_.num_jobs(), 0);
  std::vector<std::uint64_t> access(congestion_.size(), 0);
  const auto visit_access = [&](FlowId f, auto&& visit) {
    const PathBlock& block = problem_.blocks(f).front();
    for (const auto& [end, cell] :
         {std::pair{problem_.flows()[f].src, block.access_up}, std::pair{problem_.flows()[f].dst, block.access_down}}) {
      if (chooses_port_[end]) continue;
      for (std::uint64_t phases = problem_.phase_mask(f); phases != 0; phases &= phases - 1)
        visit(cell, access[place(static_cast<std::uint32_t>(std::countr_zero(phases)), cell)]);
    }
  };
  for (FlowId f = 0; f < problem_.num_flows(); ++f) {
    visit_access(f, [&](std::uint32_t cell, std::uint64_t& at) {
      at += std::uint64_t{problem_.weights()[f]} * problem_.scales()[cell];
    });
  }
  for (FlowId f = 0; f < problem_.num_flows(); ++f) {
    std::uint64_t& worst = access_bottleneck_[problem_.flows()[f].job];
    visit_access(f, [&](std::uint32_t, std::uint64_t at) { worst = std::max(worst, at); });
  }
}

void ChainSearch::note_excess(std::size_t place, std::uint64_t before) {
  const std::uint64_t after = excess(place);
  total_ += after - before;
  if ((before > 0) == (after > 0)) return;
  std::uint32_t& position = crowded_position_[place];
  if (after > 0) {
    position = static_cast<std::uint32_t>(crowded_.size());
    crowded_.push_back(static_cast<std::uint32_t>(place));
  } else {
    crowded_position_[crowded_.back()] = position;
    crowded_[position] = crowded_.back();
    crowded_.pop_back();
    position = kNone;
  }
}

void ChainSearch::refresh_limit(std::uint32_t phase, std::uint32_t cell) {
  std::uint32_t least = kNoLimit;
  for (std::uint32_t at = head_[cell]; at != kNone; at = next_[at]) {
    const FlowId flow = at / hops_;
    if (num_phases_ == 1 || (problem_.phase_mask(flow) >> phase & 1U) != 0) least = std::min(least, flow_limit_[flow]);
  }
  limit_[place(phase, cell)] = least;
}

void ChainSearch::change_cell(FlowId flow, std::uint32_t cell, std::uint32_t hop, bool insert) {
  const std::uint32_t node = flow * hops_ + hop;
  if (insert) {
    link_in(node, cell);
  } else {
    (previous_[node] == kNone ? head_[cell] : next_[previous_[node]]) = next_[node];
    if (next_[node] != kNone) previous_[next_[node]] = previous_[node];
  }
  const std::uint32_t amount = problem_.weights()[flow] * problem_.scales()[cell];
  const std::uint32_t job_limit = flow_limit_[flow];
  for (std::uint64_t phases = problem_.phase_mask(flow); phases != 0; phases &= phases - 1) {
    const auto phase = static_cast<std::uint32_t>(std::countr_zero(phases));
    const std::size_t at = place(phase, cell);
    const std::uint64_t before = excess(at);
    congestion_[at] = insert ? congestion_[at] + amount : congestion_[at] - amount;
    if (insert) {
      limit_[at] = std::min(limit_[at], job_limit);
    } else if (limit_[at] == job_limit) {
      refresh_limit(phase, cell);
    }
    note_excess(at, before);
  }
}

void ChainSearch::change_path(FlowId flow, PathIndex path, bool insert) {
  std::uint32_t hop = 0;
  visit_listed(flow, path, [&](std::uint32_t cell) { change_cell(flow, cell, hop++, insert); });
}

void ChainSearch::reroute(FlowId flow, PathIndex path) {
  change_path(flow, routing_[flow], false);
  routing_[flow] = path;
  change_path(flow, path, true);
}

void ChainSearch::set_limits(std::span<const std::uint64_t> limits) {
  for (FlowId flow = 0; flow < problem_.num_flows(); ++flow)
    flow_limit_[flow] =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(limits[problem_.flows()[flow].job], kNoLimit));
  std::fill(limit_.begin(), limit_.end(), kNoLimit);
  for (FlowId flow = 0; flow < problem_.num_flows(); ++flow) {
    const std::uint64_t phases = problem_.phase_mask(flow);
    visit_listed(flow, routing_[flow], [&](std::uint32_t cell) {
      for (std::uint64_t left = phases; left != 0; left &= left - 1) {
        std::uint32_t& limit = limit_[place(static_cast<std::uint32_t>(std::countr_zero(left)), cell)];
        limit = std::min(limit, flow_limit_[flow]);
      }
    });
  }
  find_excess();
}

// Links that stay crowded keep their places, new ones come in the order of cells.
void ChainSearch::find_excess() {
  total_ = 0;
  for (std::size_t i = 0; i < crowded_.size();) {
    const std::uint32_t place = crowded_[i];
    if (excess(place) > 0) {
      ++i;
      continue;
    }
    crowded_position_[place] = kNone;
    crowded_[i] = crowded_.back();
    if (crowded_[i] != place) crowded_position_[crowded_[i]] = static_cast<std::uint32_t>(i);
    crowded_.pop_back();
  }
  for (std::uint32_t cell = 0; cell < num_cells_; ++cell) {
    for (std::uint32_t phase = 0; phase < num_phases_; ++phase) {
      const std::size_t at = place(phase, cell);
      if (congestion_[at] <= limit_[at]) continue;
      total_ += congestion_[at] - limit_[at];
      if (crowded_position_[at] != kNone) continue;
      crowded_position_[at] = static_cast<std::uint32_t>(crowded_.size());
      crowded_.push_back(static_cast<std::uint32_t>(at));
    }
  }
}

std::uint64_t ChainSearch::added_excess(FlowId flow, std::uint32_t cell, std::uint64_t limit) const {
  const std::uint64_t amount = std::uint64_t{problem_.weights()[flow]} * problem_.scales()[cell];
  std::uint64_t added = 0;
  for (std::uint64_t phases = problem_.phase_mask(flow); phases != 0; phases &= phases - 1) {
    const std::size_t at = place(static_cast<std::uint32_t>(std::countr_zero(phases)), cell);
    const std::uint64_t after = congestion_[at] + amount;
    const std::uint64_t least = std::min<std::uint64_t>(limit_[at], limit);
    added += (after > least ? after - least : 0) - excess(at);
  }
  return added;
}

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

void ChainSearch::take(const Choice& choice, std::uint32_t crowded_cell) {
  const PathIndex old = routing_[choice.flow];
  if (choice.partner != kNone) {
    undo_.emplace_back(choice.partner, routing_[choice.partner]);
    reroute(choice.partner, old);
  }
  undo_.emplace_back(choice.flow, old);
  reroute(choice.flow, choice.path);
  Tabu& tabu = tabu_[std::size_t{choice.flow} * kTabuPerFlow + tabu_next_[choice.flow]++ % kTabuPerFlow];
  tabu = {crowded_cell, step_ + 3 + crowded_.size() / 2 + util::random_below(random(1), 10)};
}

bool ChainSearch::walk(std::span<const std::uint64_t> limits, std::uint64_t steps, Pace pace) {
  set_limits(limits);
  undo_.clear();
  std::uint64_t least = total_;
  std::fill(tabu_.begin(), tabu_.end(), Tabu{});
  std::vector<FlowId> flows;
  for (const std::uint64_t end = step_ + steps; total_ > 0 && step_ < end; ++step_) {
    if (step_ % 64 == 0 && stop_()) break;
    const std::uint32_t crowded = crowded_[util::random_below(random(0), static_cast<std::uint32_t>(crowded_.size()))];
    const std::uint32_t cell = crowded % num_cells_;
    flows.clear();
    visit_flows(crowded, [&](FlowId flow) {
      if (flows.size() < kMaxFlowsTried) flows.push_back(flow);
    });
    const Choice best = pace == Pace::hasty ? first_way_out(flows, cell) : best_way_out(flows, cell);
    const bool traded = pace == Pace::hasty && (best.flow == kNone || best.change >= 0) && trade_places(flows, cell);
    if (!traded) {
      if (best.flow == kNone) continue;
      take(best, cell);
    }
    if (total_ < least) {
      least = total_;
      undo_.clear();
    }
  }
  for (auto at = undo_.rbegin(); at != undo_.rend(); ++at) reroute(at->first, at->second);
  undo_.clear();
  return total_ == 0;
}

ChainSearch::Choice ChainSearch::best_way_out(std::span<const FlowId> flows, std::uint32_t crowded_cell) {
  Choice best;
  for (const FlowId flow : flows) consider_moves(flow, crowded_cell, best);
  if (best.flow == kNone || best.change >= 0)
    for (const FlowId flow : flows) consider_swaps(flow, crowded_cell, best);
  return best;
}

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

// What the cells of the flow's path beyond `shared` lose of their excess when it leaves.
std::int64_t ChainSearch::excess_of(FlowId flow, bool core_rows_only) const {
  const auto phase = static_cast<std::uint32_t>(std::countr_zero(problem_.phase_mask(flow)));
  std::int64_t gained = 0;
  std::uint32_t hop = 0;
  visit_listed(flow, routing_[flow], [&](std::uint32_t cell) {
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

void ChainSearch::kick(std::uint32_t flows) {
  for (std::uint32_t i = 0; i < flows; ++i) {
    ++step_;
    const FlowId flow = util::random_below(random(2), problem_.num_flows());
    const std::uint32_t paths = problem_.num_paths(flow);
    for (std::uint64_t attempt = 0; attempt < 16; ++attempt) {
      const PathIndex path = util::random_below(random(3 + attempt), paths);
      if (!problem_.is_alive(flow, path)) continue;
      reroute(flow, path);
      break;
    }
  }
}

}  // namespace spineweave
