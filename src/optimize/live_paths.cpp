#include <algorithm>
#include <bit>

#include "optimize/solvers.hpp"
#include "paths/walk.hpp"
#include "util/parallel.hpp"

namespace spineweave {
LivePaths::LivePaths(const Problem& problem) : problem_(problem), counts_(problem.num_flows()) {
  find_whole_rows();
  find_live_rows();
  util::parallel_chunks(problem.num_flows(), 1024, [&](std::size_t begin, std::size_t end) {
    for (auto f = static_cast<FlowId>(begin); f < end; ++f) {
      if (whole(f)) {
        counts_[f] = problem.num_paths(f);
        continue;
      }
      if (in_rows(f)) {
        visit_live_words(f, [&](std::uint64_t word, PathIndex) {
          counts_[f] += static_cast<std::uint32_t>(std::popcount(word));
          return true;
        });
        continue;
      }
      for (PathIndex path = 0; path < problem.num_paths(f); ++path) counts_[f] += problem.is_alive(f, path) ? 1 : 0;
    }
  });
}

void LivePaths::find_whole_rows() {
  const Problem& problem = problem_;
  const PathView& view = problem.paths();
  if (view.kind != PathKind::tiered) return;
  const ClosShape& clos = *problem.fabric().clos();
  const auto row_whole = [&](std::uint32_t first, std::uint32_t slots) {
    return std::all_of(problem.scales().begin() + first, problem.scales().begin() + first + slots,
                       [](std::uint32_t scale) { return scale > 0; });
  };
  for (std::uint32_t leaf = 0; leaf < clos.num_leaves; ++leaf)
    leaf_whole_.push_back(row_whole(view.leaf_up + leaf * view.leaf_stride, view.leaf_slots) &&
                          row_whole(view.leaf_down + leaf * view.leaf_stride, view.leaf_slots));
  for (std::uint32_t pod = 0; pod < clos.num_pods && clos.num_tiers == 3; ++pod) {
    bool whole = true;
    for (std::uint32_t position = 0; position < view.aggs_per_pod; ++position) {
      const std::uint32_t row = view.agg_row[pod * view.aggs_per_pod + position];
      whole = whole && row != kNone && row_whole(view.agg_up + row * view.core_stride, view.core_slots) &&
              row_whole(view.agg_down + row * view.core_stride, view.core_slots);
    }
    pod_whole_.push_back(whole);
  }
}

bool LivePaths::whole(FlowId flow) const {
  const PathView& view = problem_.paths();
  const auto blocks = problem_.blocks(flow);
  if (view.kind != PathKind::tiered || blocks.size() != 1) return false;
  const PathBlock& block = blocks.front();
  if (block.height == 0) return true;
  if (!leaf_whole_[block.src] || !leaf_whole_[block.dst]) return false;
  return block.height == 1 || (pod_whole_[view.pod_of_leaf[block.src]] && pod_whole_[view.pod_of_leaf[block.dst]]);
}

PathIndex LivePaths::nth(FlowId flow, std::uint32_t rank) const {
  if (counts_[flow] == problem_.num_paths(flow)) return rank;
  if (in_rows(flow)) {
    PathIndex found = kNone;
    visit_live_words(flow, [&](std::uint64_t word, PathIndex first) {
      const auto live = static_cast<std::uint32_t>(std::popcount(word));
      if (rank >= live) {
        rank -= live;
        return true;
      }
      for (; rank > 0; --rank) word &= word - 1;
      found = first + static_cast<std::uint32_t>(std::countr_zero(word));
      return false;
    });
    return found;
  }
  for (PathIndex path = 0; path < problem_.num_paths(flow); ++path)
    if (problem_.is_alive(flow, path) && rank-- == 0) return path;
  return kNone;
}

void LivePaths::find_live_rows() {
  const PathView& view = problem_.paths();
  if (!has_slot_rows(view)) return;
  leaf_up_ = LiveRows(problem_, view.leaf_up, view.num_leaves, view.leaf_stride, view.leaf_slots);
  leaf_down_ = LiveRows(problem_, view.leaf_down, view.num_leaves, view.leaf_stride, view.leaf_slots);
  if (view.core_slots == 0) return;
  const std::uint32_t num_aggs = problem_.fabric().clos()->num_aggs;
  agg_up_ = LiveRows(problem_, view.agg_up, num_aggs, view.core_stride, view.core_slots);
  agg_down_ = LiveRows(problem_, view.agg_down, num_aggs, view.core_stride, view.core_slots);
}

// Calls visit(word, first) for every 64 candidates or fewer, bit i of word: first + i is alive; until it
// returns false.
template <class Visit>
void LivePaths::visit_live_words(FlowId flow, const Visit& visit) const {
  const PathView& view = problem_.paths();
  const PathBlock& block = problem_.blocks(flow).front();
  for (std::uint32_t word = 0; word < leaf_up_.words(); ++word) {
    std::uint64_t slots = leaf_up_.word(block.src, word) & leaf_down_.word(block.dst, word);
    if (block.height == 1) {
      if (!visit(slots, word * 64)) return;
      continue;
    }
    for (; slots != 0; slots &= slots - 1) {
      const std::uint32_t slot = word * 64 + static_cast<std::uint32_t>(std::countr_zero(slots));
      const std::uint32_t up = agg_row(view, block.src, slot);
      const std::uint32_t down = agg_row(view, block.dst, slot);
      if (up == kNone || down == kNone) continue;
      for (std::uint32_t core = 0; core < agg_up_.words(); ++core)
        if (!visit(agg_up_.word(up, core) & agg_down_.word(down, core), slot * view.core_slots + core * 64)) return;
    }
  }
}

bool LivePaths::in_rows(FlowId flow) const {
  const auto blocks = problem_.blocks(flow);
  return has_slot_rows(problem_.paths()) && blocks.size() == 1 && blocks.front().height > 0 &&
         problem_.scales()[blocks.front().access_up] > 0 && problem_.scales()[blocks.front().access_down] > 0;
}

}  // namespace spineweave
