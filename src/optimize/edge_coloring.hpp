// Balanced edge colouring of bipartite multigraphs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimize/euler_split.hpp"

namespace spineweave {

// A colour in [0, num_colors) for each edge, such that at every vertex the numbers of edges of any two
// colours differ by one at most; it always exists (de Werra, "Balanced schedules", INFOR 9, 1971).
// Euler splits while the number of colours is even; where it is odd, a perfect matching of a regular graph
// takes one colour (see regular_graph.hpp). Edges that come first are treated as heavier: at each vertex
// neighbours in that order are parted, so that weights spread too. O(edges log colors) for a power of two,
// else O(edges log edges log colors).
[[nodiscard]] std::vector<std::uint32_t> color_edges(std::uint32_t num_left, std::uint32_t num_right,
                                                     std::span<const Edge> edges, std::uint32_t num_colors);

}  // namespace spineweave
