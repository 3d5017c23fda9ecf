// Balanced edge colouring of bipartite multigraphs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace spineweave {

struct Edge {
  std::uint32_t left = 0, right = 0;
};

// A colour in [0, num_colors) for each edge, such that at every vertex the numbers of edges of any two
// colours differ by one at most; it always exists (de Werra, "Balanced schedules", INFOR 9, 1971).
// Euler splits while the number of colours is even (Gabow, "Using Euler partitions to edge color
// bipartite multigraphs", 1976); what an odd number leaves uneven is evened out by Euler splits of
// two colours at a time. Edges that come first are treated as heavier: at each vertex neighbours in
// that order are parted, so that weights spread too.
[[nodiscard]] std::vector<std::uint32_t> color_edges(std::uint32_t num_left, std::uint32_t num_right,
                                                     std::span<const Edge> edges, std::uint32_t num_colors);

}  // namespace spineweave
