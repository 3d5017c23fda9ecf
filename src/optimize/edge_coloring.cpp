#include "optimize/edge_coloring.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "optimize/regular_graph.hpp"
#include "util/parallel.hpp"

namespace spineweave {
namespace {

constexpr std::size_t kEdgesPerTask = 4096;

struct Part {
  std::size_t begin, end;  // of the edges in hand
  std::uint32_t base, colors;
};

// Divides parts of edges into two parts of fewer colours, level by level, until each has one colour; the
// parts of a level are independent. divide(part, ids of its edges, split) reorders the ids and returns the
// first part's size and colours.
template <class Divide>
std::vector<std::uint32_t> color_by_parts(std::span<const Edge> edges, std::size_t num_edges, std::uint32_t num_left,
                                          std::uint32_t num_right, std::uint32_t num_colors, const Divide& divide) {
  std::vector<std::uint32_t> ids(num_edges);
  std::iota(ids.begin(), ids.end(), 0U);
  std::vector<Part> parts{{0, ids.size(), 0, num_colors}};
  const auto can_be_divided = [](const Part& part) { return part.colors > 1; };
  while (std::ranges::any_of(parts, can_be_divided)) {
    std::vector<Part> divided(2 * parts.size());
    const std::size_t chunk = std::max<std::size_t>(1, parts.size() * kEdgesPerTask / (ids.size() + 1));
    util::parallel_chunks(parts.size(), chunk, [&](std::size_t begin, std::size_t end) {
      EulerSplit split(edges, num_left, num_right);
      for (std::size_t i = begin; i < end; ++i) {
        const Part& part = parts[i];
        divided[2 * i] = part;
        if (!can_be_divided(part)) continue;
        const auto [size, colors] = divide(part, std::span(ids).subspan(part.begin, part.end - part.begin), split);
        divided[2 * i] = {part.begin, part.begin + size, part.base, colors};
        divided[2 * i + 1] = {part.begin + size, part.end, part.base + colors, part.colors - colors};
      }
    });
    std::erase_if(divided, [](const Part& part) { return part.colors == 0; });
    parts = std::move(divided);
  }
  std::vector<std::uint32_t> color(num_edges);
  for (const Part& part : parts)
    for (std::size_t i = part.begin; i < part.end; ++i) color[ids[i]] = part.base;
  return color;
}

struct FirstPart {
  std::size_t size;
  std::uint32_t colors;
};

FirstPart halve(const Part& part, std::span<std::uint32_t> ids, EulerSplit& split) {
  return {split.run(ids), part.colors / 2};
}

}  // namespace

std::vector<std::uint32_t> color_edges(std::uint32_t num_left, std::uint32_t num_right, std::span<const Edge> edges,
                                       std::uint32_t num_colors) {
  // Halves of halves are balanced, whatever the degrees.
  if (std::has_single_bit(num_colors))
    return color_by_parts(edges, edges.size(), num_left, num_right, num_colors, halve);
  if (edges.empty()) return {};
  const RegularGraph graph = make_regular(num_left, num_right, edges, num_colors);
  const auto divide = [&](const Part& part, std::span<std::uint32_t> ids, EulerSplit& split) {
    if (part.colors % 2 == 0) return halve(part, ids, split);
    take_matching(graph, ids, split);
    return FirstPart{graph.num_vertices, 1};
  };
  std::vector<std::uint32_t> color =
      color_by_parts(graph.edges, graph.num_edges(), graph.num_vertices, graph.num_vertices, num_colors, divide);
  color.resize(graph.num_given);
  return color;
}

}  // namespace spineweave
