#include "optimize/chain_search.hpp"

#include <algorithm>
#include <bit>

#include "util/hash.hpp"

namespace spineweave {
namespace {

constexpr std::uint32_t kMaxFlowsTried = 48;  // of one crowded link
constexpr std::uint32_t kNoLimit = 0x7fffffffU;
constexpr std::uint32_t kShareAnew = 8;  // where more flows than one in so many get another limit, all links do anew
constexpr std::uint32_t kCellsAtOnce = 1024;

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
  rows_ = has_slot_rows(view) && std::ranges::none_of(chooses_port_, std::identity());
  if (rows_) added_.resize(std::size_t{view.leaf_slots} + view.core_slots);
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

// Calls visit(phase, cell) for each listed link of the flow in each of its phases.
template <class Visit>
void ChainSearch::visit_places(FlowId flow, const Visit& visit) const {
  const std::uint64_t phases = problem_.phase_mask(flow);
  visit_listed(flow, routing_[flow], [&](std::uint32_t cell) {
    for (std::uint64_t left = phases; left != 0; left &= left - 1)
      visit(static_cast<std::uint32_t>(std::countr_zero(left)), cell);
  });
}

std::vector<std::uint64_t> ChainSearch::normalised() {
  if (access_bottleneck_.empty()) set_access_bottlenecks();
  std::vector<std::uint64_t> bottleneck = access_bottleneck_;
  for (FlowId f = 0; f < problem_.num_flows(); ++f) {
    std::uint64_t& worst = bottleneck[problem_.flows()[f].job];
    visit_places(f, [&](std::uint32_t phase, std::uint32_t cell) {
      worst = std::max<std::uint64_t>(worst, congestion_[place(phase, cell)]);
    });
  }
  for (JobId job = 0; job < bottleneck.size(); ++job) bottleneck[job] = problem_.normalise(job, bottleneck[job]);
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

// `lowest`: what the least limit cannot be below, so that the first flow with it ends the scan.
void ChainSearch::refresh_limit(std::uint32_t phase, std::uint32_t cell, std::uint32_t lowest) {
  std::uint32_t least = kNoLimit;
  for (std::uint32_t at = head_[cell]; at != kNone && least > lowest; at = next_[at]) {
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
      refresh_limit(phase, cell, job_limit);
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

std::pair<FlowId, FlowId> ChainSearch::flows_of(JobId job) const {
  const JobId* const jobs = problem_.view().job_of_flow;
  const auto [begin, end] = std::equal_range(jobs, jobs + problem_.num_flows(), job);
  return {static_cast<FlowId>(begin - jobs), static_cast<FlowId>(end - jobs)};
}

void ChainSearch::set_limits(std::span<const std::uint64_t> targets) {
  std::vector<JobId> changed;
  std::size_t flows_changed = 0;
  for (JobId job = 0; job < targets.size(); ++job) {
    const auto limit =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(problem_.denormalise(job, targets[job]), kNoLimit));
    const auto [begin, end] = flows_of(job);
    if (begin == end || flow_limit_[begin] == limit) continue;
    changed.push_back(job);
    flows_changed += end - begin;
    std::fill(flow_limit_.begin() + begin, flow_limit_.begin() + end, limit);
  }
  if (flows_changed > problem_.num_flows() / kShareAnew) {
    std::fill(limit_.begin(), limit_.end(), kNoLimit);
    for (FlowId flow = 0; flow < problem_.num_flows(); ++flow)
      visit_places(flow, [&](std::uint32_t phase, std::uint32_t cell) {
        std::uint32_t& limit = limit_[place(phase, cell)];
        limit = std::min(limit, flow_limit_[flow]);
      });
    return;
  }
  for (const JobId job : changed)
    for (auto [flow, end] = flows_of(job); flow < end; ++flow)
      visit_places(flow, [&](std::uint32_t phase, std::uint32_t cell) { refresh_limit(phase, cell, 0); });
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
  for (std::uint32_t begin = 0; begin < num_cells_; begin += kCellsAtOnce) {
    const std::uint32_t end = std::min(begin + kCellsAtOnce, num_cells_);
    if (!any_excess(begin, end)) continue;
    for (std::uint32_t cell = begin; cell < end; ++cell)
      for (std::uint32_t phase = 0; phase < num_phases_; ++phase) note_crowded(place(phase, cell));
  }
}

// Few links have excess: a pass over all that only tells whether one does is quick.
bool ChainSearch::any_excess(std::uint32_t begin, std::uint32_t end) const {
  std::uint32_t found = 0;
  for (std::uint32_t phase = 0; phase < num_phases_; ++phase) {
    const std::uint32_t* const congestion = congestion_.data() + place(phase, 0);
    const std::uint32_t* const limit = limit_.data() + place(phase, 0);
    for (std::uint32_t cell = begin; cell < end; ++cell) found |= congestion[cell] > limit[cell] ? 1U : 0U;
  }
  return found != 0;
}

void ChainSearch::note_crowded(std::size_t at) {
  if (congestion_[at] <= limit_[at]) return;
  total_ += congestion_[at] - limit_[at];
  if (crowded_position_[at] != kNone) return;
  crowded_position_[at] = static_cast<std::uint32_t>(crowded_.size());
  crowded_.push_back(static_cast<std::uint32_t>(at));
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

bool ChainSearch::walk(std::span<const std::uint64_t> targets, std::uint64_t steps, Pace pace) {
  set_limits(targets);
  find_excess();
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
