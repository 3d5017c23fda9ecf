// Chains of moves at the bottleneck: a walk that makes every job keep below a limit of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "paths/walk.hpp"
#include "spineweave/problem.hpp"
#include "spineweave/routing.hpp"

namespace spineweave {

// Given a target for each job, and so a limit on congestion, the excess of a link is what its congestion is above the
// least limit of the jobs on it. The walk takes a link with excess, moves the flow and path that lower
// the total excess most (or raise it least), and keeps the flow off that link for a while: what it
// displaces is moved next, so that a chain of ejections runs through the fabric until it finds room.
// (Tabu search on conflicts: Hertz and de Werra, "Using tabu search techniques for graph coloring",
// Computing 39, 1987; ejection chains: Glover, 1996.) One thread; the same walk for the same seed.
class ChainSearch {
 public:
  ChainSearch(const Problem& problem, std::uint64_t seed, std::function<bool()> stop);

  void load(const Routing& routing);
  [[nodiscard]] const Routing& routing() const { return routing_; }
  // N(j) of the present routing.
  [[nodiscard]] std::vector<std::uint64_t> normalised();

  // A thorough walk weighs all paths of all flows on the link in hand, a hasty one takes the first way
  // out that adds no excess elsewhere.
  enum class Pace : std::uint8_t { thorough, hasty };
  // Walks until every job keeps to its target, an N (true), or for `steps` (false). Ends at the routing
  // with the least total excess that it met.
  bool walk(std::span<const std::uint64_t> targets, std::uint64_t steps, Pace pace = Pace::thorough);
  // Does for a walk with nearly these targets what takes time and changes nothing.
  void set_limits(std::span<const std::uint64_t> targets);
  // Links with excess, each in one phase, and the flows on such a one.
  [[nodiscard]] std::span<const std::uint32_t> crowded() const { return crowded_; }
  template <class Visit>
  void visit_flows(std::uint32_t crowded, Visit&& visit) const {
    const std::uint32_t phase = crowded / num_cells_;
    for (std::uint32_t at = head_[crowded % num_cells_]; at != kNone; at = next_[at])
      if (num_phases_ == 1 || (problem_.phase_mask(at / hops_) >> phase & 1U) != 0) visit(FlowId{at / hops_});
  }
  // Moves some flows on links with the most congestion to random live paths.
  void kick(std::uint32_t flows);
  // Steps taken since the start.
  [[nodiscard]] std::uint64_t steps() const { return step_; }

 private:
  struct Choice {
    FlowId flow = kNone;
    PathIndex path = kNone;
    FlowId partner = kNone;   // takes the flow's old path, the flow takes the partner's
    std::int64_t change = 0;  // of the total excess
    std::uint32_t ties = 0;
    std::uint64_t added = 0;  // excess where the flow goes
  };

  template <class Visit>
  void visit_listed(FlowId flow, PathIndex path, Visit&& visit) const;
  [[nodiscard]] bool chooses(FlowId flow) const {
    return chooses_port_[problem_.flows()[flow].src] || chooses_port_[problem_.flows()[flow].dst];
  }
  [[nodiscard]] std::uint64_t random(std::uint64_t index) const;
  [[nodiscard]] std::size_t place(std::uint32_t phase, std::uint32_t cell) const;
  [[nodiscard]] std::uint64_t excess(std::size_t place) const;
  [[nodiscard]] bool is_tabu(FlowId flow, std::uint32_t cell) const;

  void link_in(std::uint32_t node, std::uint32_t cell);
  void find_excess();
  void set_access_bottlenecks();
  template <class Visit>
  void visit_places(FlowId flow, const Visit& visit) const;
  [[nodiscard]] std::pair<FlowId, FlowId> flows_of(JobId job) const;            // half open
  [[nodiscard]] bool any_excess(std::uint32_t begin, std::uint32_t end) const;  // among these cells
  void note_crowded(std::size_t place);
  void change_cell(FlowId flow, std::uint32_t cell, std::uint32_t hop, bool insert);
  void change_path(FlowId flow, PathIndex path, bool insert);
  void reroute(FlowId flow, PathIndex path);
  void refresh_limit(std::uint32_t phase, std::uint32_t cell, std::uint32_t lowest);
  void note_excess(std::size_t place, std::uint64_t before);
  void offer(Choice& best, FlowId flow, PathIndex path, FlowId partner, std::int64_t change) const;
  Choice best_way_out(std::span<const FlowId> flows, std::uint32_t crowded_cell);
  Choice first_way_out(std::span<const FlowId> flows, std::uint32_t crowded_cell);
  bool trade_places(std::span<const FlowId> flows, std::uint32_t crowded_cell);
  bool trade(FlowId flow, std::uint32_t own, FlowId partner, std::uint32_t others);
  [[nodiscard]] bool fits(FlowId flow, PathIndex path, std::uint32_t shared) const;
  Choice first_free_path(FlowId flow, std::uint32_t crowded_cell);
  [[nodiscard]] std::int64_t excess_of(FlowId flow, bool core_rows_only) const;
  void consider_moves(FlowId flow, std::uint32_t crowded_cell, Choice& best);
  void consider_each(FlowId flow, std::uint32_t crowded_cell, std::int64_t gained, Choice& best);
  void consider_rows(FlowId flow, std::uint32_t crowded_cell, std::int64_t gained, Choice& best);
  void add_rows(FlowId flow, std::uint32_t crowded_cell, std::uint32_t up, std::uint32_t down,
                std::span<std::uint32_t> added) const;
  void consider_swaps(FlowId flow, std::uint32_t crowded_cell, Choice& best);
  void take(const Choice& choice, std::uint32_t crowded_cell);
  template <class Visit>
  void visit_listed_of(FlowId flow, const PathBlock& block, PathIndex path, Visit&& visit) const;
  [[nodiscard]] std::uint64_t added_excess(FlowId flow, std::uint32_t cell, std::uint64_t limit) const;

  const Problem& problem_;
  std::uint64_t seed_;
  std::function<bool()> stop_;
  std::uint32_t num_cells_, num_phases_, hops_;
  std::vector<bool> chooses_port_;                // [endpoints] has several ports
  bool rows_ = false;                             // slots of two rows meet one to one, and no endpoint chooses its port
  std::vector<std::uint32_t> added_;              // scratch: [leaf slots + core slots]
  std::vector<PathIndex> ties_;                   // scratch
  std::uint32_t lightest_ = 0;                    // weight
  std::vector<std::uint64_t> access_bottleneck_;  // [jobs] on access links that are not listed
  Routing routing_;
  std::vector<std::uint32_t> congestion_;  // [phases * cells]
  std::vector<std::uint32_t> limit_;       // [phases * cells] least limit of the jobs on it
  std::vector<std::uint32_t> flow_limit_;  // [flows] its job's
  // The flows on each cell: nodes flow * hops_ + hop, doubly linked.
  std::vector<std::uint32_t> head_, next_, previous_;
  std::vector<std::uint32_t> crowded_;           // places with excess
  std::vector<std::uint32_t> crowded_position_;  // [phases * cells], kNone: not among them
  std::uint64_t total_ = 0;                      // excess
  std::uint64_t step_ = 0;
  struct Tabu {
    std::uint32_t cell = kNone;
    std::uint64_t until = 0;
  };
  static constexpr std::uint32_t kTabuPerFlow = 4;
  std::vector<Tabu> tabu_;  // [flows * kTabuPerFlow], round robin
  std::vector<std::uint8_t> tabu_next_;
  std::vector<std::pair<FlowId, PathIndex>> undo_;  // since the best routing of this walk
};

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

}  // namespace spineweave
