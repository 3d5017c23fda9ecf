#include "optimize/edge_coloring.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/random_edges.hpp"

namespace spineweave {
namespace {

// The largest difference between two colours' numbers of edges at one vertex.
std::uint32_t unevenness(std::uint32_t left, std::uint32_t right, const std::vector<Edge>& edges,
                         const std::vector<std::uint32_t>& colors, std::uint32_t num_colors) {
  std::vector<std::vector<std::uint32_t>> degree(left + right, std::vector<std::uint32_t>(num_colors, 0));
  for (std::size_t e = 0; e < edges.size(); ++e) {
    ++degree[edges[e].left][colors[e]];
    ++degree[left + edges[e].right][colors[e]];
  }
  std::uint32_t worst = 0;
  for (const auto& at : degree) {
    const auto [least, most] = std::minmax_element(at.begin(), at.end());
    worst = std::max(worst, *most - *least);
  }
  return worst;
}

TEST(EdgeColoring, IsBalancedAtEveryVertexForAnyNumberOfColors) {
  for (const std::uint32_t num_colors : {1U, 2U, 3U, 5U, 7U, 8U, 18U, 31U, 32U}) {
    for (const std::uint32_t count : {0U, 1U, 2U, 31U, 200U, 1023U}) {
      const auto edges = random_edges(17, 13, count, count + num_colors);
      const auto colors = color_edges(17, 13, edges, num_colors);
      ASSERT_EQ(colors.size(), edges.size());
      for (const std::uint32_t color : colors) ASSERT_LT(color, num_colors);
      EXPECT_LE(unevenness(17, 13, edges, colors, num_colors), 1U) << num_colors << " colours, " << count << " edges";
    }
  }
}

TEST(EdgeColoring, SpreadsParallelEdges) {
  const std::vector<Edge> edges(31, Edge{0, 0});
  const auto colors = color_edges(1, 1, edges, 31);
  EXPECT_EQ(unevenness(1, 1, edges, colors, 31), 0U);
}

TEST(EdgeColoring, ColorsAPermutationOfRegularDegreeWithoutAnyCollision) {
  // Degree 32 at each of 16 vertices on both sides: 32 colours, each a perfect matching.
  std::vector<Edge> edges;
  for (std::uint32_t v = 0; v < 16; ++v)
    for (std::uint32_t i = 0; i < 32; ++i) edges.push_back({v, (v * 5 + i * 3) % 16});
  const auto colors = color_edges(16, 16, edges, 32);
  EXPECT_EQ(unevenness(16, 16, edges, colors, 32), 0U);
}

TEST(EdgeColoring, PartsNeighboursInWeightOrder) {
  // Two heavy edges first, two light ones after: each colour gets one of each.
  const std::vector<Edge> edges(4, Edge{0, 0});
  const auto colors = color_edges(1, 1, edges, 2);
  EXPECT_NE(colors[0], colors[1]);
  EXPECT_NE(colors[2], colors[3]);
}

}  // namespace
}  // namespace spineweave
