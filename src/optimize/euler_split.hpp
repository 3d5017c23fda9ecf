// Euler partitions of bipartite multigraphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace spineweave {

struct Edge {
  std::uint32_t left = 0, right = 0;
};

// Parts edges in two so that at every vertex the halves differ by one at most, and not at all where the
// degree is even (Gabow, "Using Euler partitions to edge color bipartite multigraphs", International
// Journal of Computer and Information Sciences 5, 1976). At each vertex its edges are paired in order;
// pairs chain into paths and even cycles, walked with turning halves. O(edges in hand).
class EulerSplit {
 public:
  EulerSplit(std::span<const Edge> edges, std::uint32_t num_left, std::uint32_t num_right);

  // Reorders `ids` of edges: the first half to the front, both in their old order. Returns its size.
  std::size_t run(std::span<std::uint32_t> ids);

 private:
  [[nodiscard]] std::uint32_t vertex(std::uint32_t id, std::uint32_t side) const {
    return side == 0 ? edges_[id].left : num_left_ + edges_[id].right;
  }
  void pair_up(std::span<const std::uint32_t> ids, std::uint32_t side);
  void walk_all();
  void walk(std::uint32_t i, std::uint32_t side);

  std::span<const Edge> edges_;
  std::uint32_t num_left_;
  std::uint8_t turn_ = 0;
  std::vector<std::uint32_t> waiting_;     // [vertices] an edge without a partner yet
  std::vector<std::uint32_t> partner_[2];  // [edges in hand] the next edge at the left and the right vertex
  std::vector<std::uint8_t> half_;         // [edges in hand]
  std::vector<std::uint32_t> second_;
};

}  // namespace spineweave
