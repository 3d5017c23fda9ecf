// Regular bipartite multigraphs: where a number of colours is not a power of two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "optimize/euler_split.hpp"

namespace spineweave {

// As many vertices on each side, and as many edges at every vertex.
struct RegularGraph {
  std::uint32_t num_vertices = 0;  // of a side
  std::uint32_t degree = 0;
  std::vector<Edge> edges;    // [num_vertices * degree], then one from each left vertex to its namesake
  std::size_t num_given = 0;  // the first edges are the given ones, in their order

  [[nodiscard]] std::uint32_t num_edges() const { return num_vertices * degree; }
};

// Deals each vertex's edges, in order, to vertices of `degree` edges; what is left over at several
// vertices shares one, and edges that nobody asked for fill it up. So a proper colouring with `degree`
// colours of the result is a balanced one of the edges given. O(edges + vertices).
[[nodiscard]] RegularGraph make_regular(std::uint32_t num_left, std::uint32_t num_right, std::span<const Edge> edges,
                                        std::uint32_t degree);

// Reorders `ids`, the edges of a regular subgraph over all vertices: a perfect matching to the front, both
// parts in their old order. Takes every edge many times and, with few copies of the namesakes' edges, makes
// the degree a power of two; each Euler split keeps the half with fewer of those, until none is left
// (Alon, "A simple algorithm for edge-coloring bipartite multigraphs", Information Processing Letters 85,
// 2003). O(edges log edges).
void take_matching(const RegularGraph& graph, std::span<std::uint32_t> ids, EulerSplit& split);

}  // namespace spineweave
