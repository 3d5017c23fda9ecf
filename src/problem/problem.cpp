#include "spineweave/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "paths/explicit_paths.hpp"
#include "paths/walk.hpp"
#include "problem/bit_budget.hpp"
#include "problem/build.hpp"
#include "problem/path_blocks.hpp"
#include "spineweave/error.hpp"
#include "util/text.hpp"

namespace spineweave {

void parse_weights(std::string_view text, ProblemOptions& options) {
  if (text == "demand") {
    options.weights = WeightMode::demand;
  } else if (text == "equal") {
    options.weights = WeightMode::equal;
  } else {
    const auto dash = text.find('-');
    const bool is_hash = text.starts_with("hash:") && dash != std::string_view::npos;
    const auto lowest = is_hash ? util::parse_unsigned(text.substr(5, dash - 5)) : std::nullopt;
    const auto highest = is_hash ? util::parse_unsigned(text.substr(dash + 1)) : std::nullopt;
    if (!lowest || !highest || *lowest < 1 || *highest < *lowest || *highest > 65535)
      throw Error(
          ErrorCode::usage,
          fmt::format("weights '{}': expected demand, equal or hash:LOW-HIGH with 1 <= LOW <= HIGH <= 65535", text));
    options.weights = WeightMode::hash;
    options.hash_lowest = static_cast<std::uint32_t>(*lowest);
    options.hash_highest = static_cast<std::uint32_t>(*highest);
  }
}

namespace {

// What a view of candidate paths points into.
struct PathSets {
  CellLayout layout;
  ExplicitPaths explicit_paths;
};

PathBlocks lay_out_paths(const Fabric& fabric, std::span<const FlowSpec> flows, const ProblemOptions& options,
                         PathSets& sets, PathView& view) {
  const bool tiered = fabric.clos() != nullptr && !options.allow_valley;
  CellLayout& layout = sets.layout;
  layout = lay_out_cells(fabric, tiered, view);
  view.pod_of_leaf = layout.pod_of_leaf.data();
  view.agg_row = layout.agg_row.data();

  std::vector<std::pair<NodeId, NodeId>> pairs;
  if (!tiered) {
    view.kind = PathKind::explicit_;
    for (const FlowSpec& flow : flows)
      for (const Link& up : fabric.links_from(flow.src))
        for (const Link& down : fabric.links_from(flow.dst)) pairs.emplace_back(up.to, down.to);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    ExplicitPaths& paths = sets.explicit_paths;
    paths = find_explicit_paths(fabric, pairs, options.max_paths, options.allow_valley);
    for (std::uint32_t& link : paths.links) link = layout.cell_of_link[link];
    view.num_pairs = static_cast<std::uint32_t>(pairs.size());
    view.pair_begin = paths.pair_begin.data();
    view.path_begin = paths.path_begin.data();
    view.path_cells = paths.links.data();
  }
  return find_path_blocks(fabric, flows, view, layout, pairs);
}

[[noreturn]] void refuse_unreachable(const Fabric& fabric, std::span<const FlowSpec> flows,
                                     std::span<const FlowId> cut_off) {
  std::vector<std::string> names;
  bool across_rails = false;
  for (const FlowId f : cut_off) {
    const Node& src = fabric.node(flows[f].src);
    const Node& dst = fabric.node(flows[f].dst);
    const bool rails = src.rail != kNone && dst.rail != kNone && src.rail != dst.rail;
    across_rails |= rails;
    names.push_back(rails ? fmt::format("{} (rail {}) to {} (rail {})", src.name, src.rail, dst.name, dst.rail)
                          : fmt::format("{} to {}", src.name, dst.name));
    if (names.size() == 3) break;
  }
  throw Error(ErrorCode::bad_input, fmt::format("{} of {} flows have no {} path: {}{}", cut_off.size(), flows.size(),
                                                fabric.tiers_known() ? "up-then-down" : "live", fmt::join(names, ", "),
                                                across_rails ? "; these rails are not joined by any switch" : ""));
}

}  // namespace

std::vector<FlowId> unreachable_flows(const Fabric& fabric, std::span<const FlowSpec> flows,
                                      const ProblemOptions& options) {
  PathSets sets;
  PathView view;
  return lay_out_paths(fabric, flows, options, sets, view).cut_off;
}

struct Problem::Storage {
  PathSets paths;
};

Problem::~Problem() = default;

Problem::Problem(std::shared_ptr<const Fabric> fabric, std::shared_ptr<const Workload> workload,
                 const ProblemOptions& options)
    : fabric_(std::move(fabric)),
      workload_(std::move(workload)),
      options_(options),
      storage_(std::make_unique<Storage>()) {
  flows_ = expand_flows(*fabric_, *workload_);
  job_of_flow_.reserve(flows_.size());
  for (const FlowSpec& flow : flows_) job_of_flow_.push_back(flow.job);
  set_phases();
  Weights weights = weigh_flows(*fabric_, flows_, num_jobs(), options_);
  weights_ = std::move(weights.values);
  weight_unit_bps_ = weights.unit_bps;
  weights_rounded_ = weights.rounded;
  build_paths();
  set_precision();
  set_floors();
}

void Problem::set_phases() {
  phase_weights_ = {1};
  if (!workload_->phases.empty()) {
    // Lengths as shares of the longest, in 1 .. 255, so that the pressure stays within its bits.
    std::uint64_t longest = 1;
    for (const Phase& phase : workload_->phases) longest = std::max(longest, phase.length_ns);
    phase_weights_.clear();
    for (const Phase& phase : workload_->phases)
      phase_weights_.push_back(std::max(
          1U, static_cast<std::uint32_t>(static_cast<double>(phase.length_ns) * 255.0 / static_cast<double>(longest))));
  }
  const std::uint64_t all = num_phases() == kMostPhases ? kAllPhases : (std::uint64_t{1} << num_phases()) - 1;
  for (const Job& job : workload_->jobs) {
    job_phases_.push_back(job.phase_mask & all);
    if (job_phases_.back() == 0)
      throw Error(ErrorCode::bad_input,
                  fmt::format("job '{}' is active in none of the {} phases", job.id, num_phases()));
  }
}

void Problem::build_paths() {
  PathSets& sets = storage_->paths;
  PathBlocks found = lay_out_paths(*fabric_, flows_, options_, sets, view_);
  cell_of_link_ = sets.layout.cell_of_link;
  link_of_cell_ = sets.layout.link_of_cell;
  capped_pairs_ = sets.explicit_paths.capped_pairs;
  block_begin_ = std::move(found.begin);
  blocks_ = std::move(found.blocks);
  num_candidates_ = found.num_candidates;
  if (!found.cut_off.empty()) refuse_unreachable(*fabric_, flows_, found.cut_off);
}

void Problem::set_precision() {
  // The most weight that could ever cross each cell: all flows with a candidate over it.
  std::vector<std::uint64_t> most(num_cells(), 0);
  std::vector<FlowId> seen(num_cells(), kNone);
  const bool tiered = view_.kind == PathKind::tiered;
  std::vector<std::uint64_t> leaf_up, leaf_down, pod_up, pod_down;
  if (tiered) {
    const std::size_t leaves = storage_->paths.layout.pod_of_leaf.size();
    const std::size_t pods = storage_->paths.layout.agg_row.size() / std::max(1U, view_.aggs_per_pod) + 1;
    leaf_up.assign(leaves, 0), leaf_down.assign(leaves, 0), pod_up.assign(pods, 0), pod_down.assign(pods, 0);
  }
  for (FlowId f = 0; f < num_flows(); ++f) {
    const std::uint64_t weight = weights_[f];
    const auto add = [&](std::uint32_t cell) {
      if (seen[cell] != f) most[cell] += weight;
      seen[cell] = f;
    };
    for (const PathBlock& block : blocks(f)) {
      add(block.access_up);
      add(block.access_down);
      if (!tiered) {
        const std::uint32_t count = spineweave::num_candidates(view_, block);
        for (PathIndex path = 0; path < count; ++path) visit_fabric_cells(view_, block, path, add);
      } else if (block.height > 0) {
        leaf_up[block.src] += weight, leaf_down[block.dst] += weight;
        if (block.height == 2) {
          pod_up[view_.pod_of_leaf[block.src]] += weight;
          pod_down[view_.pod_of_leaf[block.dst]] += weight;
        }
      }
    }
  }
  if (tiered) {
    for (std::uint32_t leaf = 0; leaf < leaf_up.size(); ++leaf) {
      for (std::uint32_t slot = 0; slot < view_.leaf_slots; ++slot) {
        most[view_.leaf_up + leaf * view_.leaf_stride + slot] = leaf_up[leaf];
        most[view_.leaf_down + leaf * view_.leaf_stride + slot] = leaf_down[leaf];
      }
    }
    for (std::size_t place = 0; place < storage_->paths.layout.agg_row.size() && view_.core_slots > 0; ++place) {
      const std::uint32_t row = storage_->paths.layout.agg_row[place];
      if (row == kNone) continue;
      const std::size_t pod = place / view_.aggs_per_pod;
      for (std::uint32_t slot = 0; slot < view_.core_slots; ++slot) {
        most[view_.agg_up + row * view_.core_stride + slot] = pod_up[pod];
        most[view_.agg_down + row * view_.core_stride + slot] = pod_down[pod];
      }
    }
  }

  for (const Link& link : fabric_->links()) fastest_bps_ = std::max(fastest_bps_, link.capacity_bps);
  const std::uint64_t phases_total = std::accumulate(phase_weights_.begin(), phase_weights_.end(), std::uint64_t{0});
  const BitBudget budget(*fabric_, storage_->paths.layout.link_of_cell, most, fastest_bps_, phases_total);
  precision_bits_ = budget.most_bits();
  scales_ = budget.scales(precision_bits_);
}

void Problem::set_floors() {
  floors_.assign(num_jobs(), 1);
  // (job, endpoint, side, phase-independent weight): the job's flows are all active together.
  struct Entry {
    std::uint64_t key;
    std::uint32_t weight;
  };
  std::vector<Entry> entries;
  std::vector<std::uint32_t> weights, scales;
  for (FlowId begin = 0, end = 0; begin < num_flows(); begin = end) {
    const JobId job = flows_[begin].job;
    entries.clear();
    for (; end < num_flows() && flows_[end].job == job; ++end) {
      entries.push_back({std::uint64_t{flows_[end].src} << 1U, weights_[end]});
      entries.push_back({std::uint64_t{flows_[end].dst} << 1U | 1U, weights_[end]});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
    for (std::size_t i = 0; i < entries.size();) {
      const std::uint64_t key = entries[i].key;
      const auto endpoint = static_cast<EndpointId>(key >> 1U);
      weights.clear(), scales.clear();
      for (; i < entries.size() && entries[i].key == key; ++i) weights.push_back(entries[i].weight);
      for (LinkId up = fabric_->first_link(endpoint); up < fabric_->first_link(endpoint + 1); ++up)
        if (const std::uint32_t scale = scales_[cell_of((key & 1U) != 0 ? fabric_->reverse(up) : up)]; scale > 0)
          scales.push_back(scale);
      floors_[job] = std::max(floors_[job], least_congestion(weights, scales));
    }
  }
}

std::span<const PathBlock> Problem::blocks(FlowId flow) const {
  return std::span(blocks_).subspan(block_begin_[flow], block_begin_[flow + 1] - block_begin_[flow]);
}

std::uint32_t Problem::num_paths(FlowId flow) const {
  const PathBlock& last = blocks(flow).back();
  return last.first_path + spineweave::num_candidates(view_, last);
}

const PathBlock& Problem::block_of(FlowId flow, PathIndex path) const {
  const auto all = blocks(flow);
  std::size_t at = all.size() - 1;
  while (all[at].first_path > path) --at;
  return all[at];
}

ProblemView Problem::view() const noexcept {
  return {view_,
          num_flows(),
          num_jobs(),
          num_phases(),
          scales_.data(),
          phase_weights_.data(),
          weights_.data(),
          job_of_flow_.data(),
          job_phases_.data(),
          floors_.data(),
          block_begin_.data(),
          blocks_.data(),
          blocks_.size() == flows_.size()};
}

bool Problem::is_alive(FlowId flow, PathIndex path) const {
  if (path >= num_paths(flow)) return false;
  const PathBlock& block = block_of(flow, path);
  bool alive = true;
  visit_cells(view_, block, path - block.first_path, [&](std::uint32_t cell) { alive = alive && scales_[cell] > 0; });
  return alive;
}

double Problem::utilisation(std::uint64_t congestion) const {
  return static_cast<double>(congestion) / static_cast<double>(std::uint64_t{1} << precision_bits_) * weight_unit_bps_ /
         static_cast<double>(fastest_bps_);
}

std::uint64_t Problem::normalise(JobId job, std::uint64_t congestion) const {
  return ((congestion << kNormalBits) + floors_[job] - 1) / floors_[job];
}

std::uint64_t Problem::denormalise(JobId job, std::uint64_t normalised) const {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(Wide{normalised} * floors_[job] >> kNormalBits);
}

void Problem::append_links(FlowId flow, PathIndex path, std::vector<LinkId>& out) const {
  const PathBlock& block = block_of(flow, path);
  visit_cells(view_, block, path - block.first_path, [&](std::uint32_t cell) { out.push_back(link_of_cell_[cell]); });
}

PathIndex Problem::find_path(FlowId flow, std::span<const LinkId> links) const {
  if (links.size() < 2) return kNone;
  for (const PathBlock& block : blocks(flow)) {
    if (cell_of(links.front()) != block.access_up || cell_of(links.back()) != block.access_down) continue;
    PathIndex first = 0;
    PathIndex last = spineweave::num_candidates(view_, block);
    if (view_.kind == PathKind::tiered && block.height > 0) {
      if (links.size() != 2 + 2 * std::size_t{block.height}) continue;
      const auto slot = [&](LinkId link, std::uint32_t base, std::uint32_t stride) {
        return stride == 0 || cell_of(link) < base ? kNone : (cell_of(link) - base) % stride;
      };
      TieredPath parts;
      parts.up_slot = slot(links[1], view_.leaf_up, view_.leaf_stride);
      parts.down_slot = slot(links[links.size() - 2], view_.leaf_down, view_.leaf_stride);
      parts.down_position = parts.down_slot / view_.leaf_trunk;
      if (block.height == 2) {
        parts.core_up_slot = slot(links[2], view_.agg_up, view_.core_stride);
        parts.core_down_slot = slot(links[3], view_.agg_down, view_.core_stride);
      }
      // A guess that the check below confirms or refuses.
      const PathIndex guess = put_together(view_, block.height, parts);
      if (guess >= last) continue;
      first = guess, last = guess + 1;
    }
    for (PathIndex path = first; path < last; ++path) {
      std::size_t at = 0;
      bool same = true;
      visit_cells(view_, block, path, [&](std::uint32_t cell) {
        same = same && at < links.size() && cell_of(links[at]) == cell;
        ++at;
      });
      if (same && at == links.size()) return block.first_path + path;
    }
  }
  return kNone;
}

}  // namespace spineweave
