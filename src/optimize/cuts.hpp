// Cuts: sets of links of which every path of some flows takes at least one, whatever the routing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spineweave/problem.hpp"

namespace spineweave {

// Cuts of one kind. A flow crosses at most one of them, and it does so with every candidate that it has.
struct CutFamily {
  std::vector<std::uint32_t> cut_of_flow;    // [num_flows], kNone: may avoid them all
  std::vector<std::uint32_t> cell_begin{0};  // [num_cuts + 1] into cells
  std::vector<std::uint32_t> cells;          // of the live links

  [[nodiscard]] std::uint32_t num_cuts() const { return static_cast<std::uint32_t>(cell_begin.size()) - 1; }
  [[nodiscard]] std::span<const std::uint32_t> cells_of(std::uint32_t cut) const {
    return std::span(cells).subspan(cell_begin[cut], cell_begin[cut + 1] - cell_begin[cut]);
  }
  // Appends a link to the cut in hand, if it is live; end_cut() closes that cut.
  void add_cell(const Problem& problem, std::uint32_t cell) {
    if (problem.scales()[cell] > 0) cells.push_back(cell);
  }
  void end_cut() { cell_begin.push_back(static_cast<std::uint32_t>(cells.size())); }
};

enum class CutSide : std::uint8_t { out, in };

// Around each endpoint: its ports.
[[nodiscard]] CutFamily endpoint_cuts(const Problem& problem, CutSide side);
// Around each switch with endpoints: its links to other switches.
[[nodiscard]] CutFamily switch_cuts(const Problem& problem, CutSide side);
// Around each pod of a three-tier fabric.
[[nodiscard]] CutFamily pod_cuts(const Problem& problem, CutSide side);
// Between two leaves: those links of the first (out) or the second (in) that lead to the other one.
// Only pairs for which a fault or a hole leaves fewer of them than the leaf has alive; for all others
// the leaf's own cut says more.
[[nodiscard]] CutFamily pair_cuts(const Problem& problem, CutSide side);

}  // namespace spineweave
