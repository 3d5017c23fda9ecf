// Edges of bipartite multigraphs, parallel ones included.
#pragma once

#include <cstdint>
#include <vector>

#include "optimize/euler_split.hpp"
#include "util/hash.hpp"

namespace spineweave {

inline std::vector<Edge> random_edges(std::uint32_t left, std::uint32_t right, std::uint32_t count,
                                      std::uint64_t seed) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < count; ++i)
    edges.push_back({util::random_below(util::random_at(seed, 0, i), left),
                     util::random_below(util::random_at(seed, 1, i), right)});
  return edges;
}

}  // namespace spineweave
