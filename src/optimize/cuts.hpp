// Cuts: sets of links of which every path of some flows takes at least one, whatever the routing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spineweave/problem.hpp"

namespace spineweave {

// Cuts of one kind. A flow crosses at most one of them, and it does so with every candidate that it has.
struct CutFamily {
  std::vector<std::uint32_t> cut_of_flow;  // [num_flows], kNone: may avoid them all
  std::vector<std::uint32_t> link_begin;   // [num_cuts + 1] into links
  std::vector<LinkId> links;               // the live ones

  [[nodiscard]] std::uint32_t num_cuts() const { return static_cast<std::uint32_t>(link_begin.size()) - 1; }
  [[nodiscard]] std::span<const LinkId> links_of(std::uint32_t cut) const {
    return std::span(links).subspan(link_begin[cut], link_begin[cut + 1] - link_begin[cut]);
  }
};

// The flows of each cut of a family, ascending, thus also by job.
struct CutMembers {
  std::vector<std::uint32_t> flow_begin;  // [num_cuts + 1] into flows
  std::vector<FlowId> flows;

  [[nodiscard]] std::span<const FlowId> of(std::uint32_t cut) const {
    return std::span(flows).subspan(flow_begin[cut], flow_begin[cut + 1] - flow_begin[cut]);
  }
};
[[nodiscard]] CutMembers members_of(const CutFamily& family);

enum class CutSide : std::uint8_t { out, in };

// Around each endpoint: its ports.
[[nodiscard]] CutFamily endpoint_cuts(const Problem& problem, CutSide side);
// Around each switch: its links to other switches.
[[nodiscard]] CutFamily switch_cuts(const Problem& problem, CutSide side);
// Around each pod of a three-tier fabric.
[[nodiscard]] CutFamily pod_cuts(const Problem& problem, CutSide side);
// Between two leaves: those links of the first (out) or the second (in) that lead to the other one.
// Only pairs for which a fault or a hole leaves fewer of them than the leaf has alive; for all others
// the leaf's own cut says more.
[[nodiscard]] CutFamily pair_cuts(const Problem& problem, CutSide side);

}  // namespace spineweave
