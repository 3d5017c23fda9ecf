#include "optimize/regular_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "support/random_edges.hpp"

namespace spineweave {
namespace {

TEST(RegularGraph, HasTheSameDegreeEverywhereAndKeepsTheGivenEdgesFirst) {
  for (const std::uint32_t degree : {1U, 3U, 5U, 24U, 31U}) {
    for (const std::uint32_t count : {1U, 2U, 31U, 200U, 1023U}) {
      const auto edges = random_edges(17, 13, count, count + degree);
      const RegularGraph graph = make_regular(17, 13, edges, degree);
      EXPECT_EQ(graph.num_given, edges.size());
      ASSERT_EQ(graph.edges.size(), graph.num_edges() + graph.num_vertices);
      std::vector<std::uint32_t> left(graph.num_vertices, 0), right(graph.num_vertices, 0);
      for (std::uint32_t e = 0; e < graph.num_edges(); ++e) {
        ++left.at(graph.edges[e].left);
        ++right.at(graph.edges[e].right);
      }
      EXPECT_TRUE(std::ranges::all_of(left, [&](std::uint32_t edges_here) { return edges_here == degree; }));
      EXPECT_EQ(left, right);
    }
  }
}

TEST(RegularGraph, DealsTheEdgesOfAVertexInOrderAndNeverSplitsWhatIsLeftOver) {
  // Seven edges at degree three: three, three, and one that shares its vertex with the other vertex's two.
  std::vector<Edge> edges(7, Edge{0, 0});
  edges.insert(edges.end(), 2, Edge{1, 1});
  const RegularGraph graph = make_regular(2, 2, edges, 3);
  const auto at = [&](std::size_t edge) { return graph.edges[edge].left; };
  EXPECT_EQ(graph.num_vertices, 3U);
  EXPECT_TRUE(at(0) == at(1) && at(1) == at(2));
  EXPECT_TRUE(at(3) == at(4) && at(4) == at(5));
  EXPECT_NE(at(0), at(3));
  EXPECT_TRUE(at(6) == at(7) && at(7) == at(8));
  EXPECT_NE(at(6), at(0));
  EXPECT_NE(at(6), at(3));
}

TEST(TakeMatching, CoversEveryVertexOnceAndKeepsTheOrder) {
  for (const std::uint32_t degree : {1U, 2U, 3U, 5U, 7U, 24U, 31U}) {
    for (const std::uint32_t count : {1U, 40U, 700U}) {
      const RegularGraph graph = make_regular(17, 13, random_edges(17, 13, count, count * degree), degree);
      std::vector<std::uint32_t> ids(graph.num_edges());
      std::iota(ids.begin(), ids.end(), 0U);
      EulerSplit split(graph.edges, graph.num_vertices, graph.num_vertices);
      take_matching(graph, ids, split);
      std::set<std::uint32_t> left, right;
      for (std::uint32_t i = 0; i < graph.num_vertices; ++i) {
        left.insert(graph.edges[ids[i]].left);
        right.insert(graph.edges[ids[i]].right);
      }
      EXPECT_EQ(left.size(), graph.num_vertices) << degree << " edges a vertex, " << count << " given";
      EXPECT_EQ(right.size(), graph.num_vertices);
      const auto rest = ids.begin() + graph.num_vertices;
      EXPECT_TRUE(std::is_sorted(ids.begin(), rest));
      EXPECT_TRUE(std::is_sorted(rest, ids.end()));
    }
  }
}

}  // namespace
}  // namespace spineweave
