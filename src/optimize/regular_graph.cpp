#include "optimize/regular_graph.hpp"

#include <algorithm>
#include <bit>

namespace spineweave {
namespace {

// One side of the graph while it becomes regular.
class Side {
 public:
  Side(std::uint32_t num_vertices, std::uint32_t degree)
      : degree_(degree),
        degrees_(num_vertices, 0),
        dealt_(num_vertices, 0),
        full_(num_vertices),
        shared_(num_vertices) {}

  // Counts first, then deals.
  void count(std::uint32_t vertex) { ++degrees_[vertex]; }
  void prepare() {
    std::uint32_t room = 0;  // at the shared vertex in hand
    std::uint32_t shared = 0;
    for (std::size_t v = 0; v < degrees_.size(); ++v) {
      const std::uint32_t over = degrees_[v] % degree_;
      if (over > room) shared = add_vertex(), room = degree_;
      shared_[v] = shared;
      room -= over;
    }
  }
  std::uint32_t deal(std::uint32_t vertex) {
    const std::uint32_t nth = dealt_[vertex]++;
    const bool fills_up = nth < degrees_[vertex] - degrees_[vertex] % degree_;
    if (fills_up && nth % degree_ == 0) full_[vertex] = add_vertex();
    const std::uint32_t to = fills_up ? full_[vertex] : shared_[vertex];
    ++used_[to];
    return to;
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(used_.size()); }
  void grow(std::uint32_t size) { used_.resize(size, 0); }
  // A vertex with room for one edge more, in order; there is one.
  std::uint32_t fill() {
    while (used_[filling_] == degree_) ++filling_;
    ++used_[filling_];
    return filling_;
  }

 private:
  std::uint32_t add_vertex() {
    used_.push_back(0);
    return size() - 1;
  }

  std::uint32_t degree_;
  std::vector<std::uint32_t> degrees_;  // [given vertices]
  std::vector<std::uint32_t> dealt_;    // [given vertices] edges so far
  std::vector<std::uint32_t> full_;     // [given vertices] the full vertex in hand
  std::vector<std::uint32_t> shared_;   // [given vertices] for what is left over
  std::vector<std::uint32_t> used_;     // [vertices] edges
  std::uint32_t filling_ = 0;
};

}  // namespace

RegularGraph make_regular(std::uint32_t num_left, std::uint32_t num_right, std::span<const Edge> edges,
                          std::uint32_t degree) {
  Side left(num_left, degree), right(num_right, degree);
  for (const Edge& edge : edges) left.count(edge.left), right.count(edge.right);
  left.prepare(), right.prepare();
  RegularGraph graph;
  graph.degree = degree;
  graph.num_given = edges.size();
  graph.edges.reserve(edges.size() + edges.size() / 2);
  for (const Edge& edge : edges) graph.edges.push_back({left.deal(edge.left), right.deal(edge.right)});
  graph.num_vertices = std::max(left.size(), right.size());
  left.grow(graph.num_vertices), right.grow(graph.num_vertices);
  while (graph.edges.size() < graph.num_edges()) graph.edges.push_back({left.fill(), right.fill()});
  for (std::uint32_t v = 0; v < graph.num_vertices; ++v) graph.edges.push_back({v, v});
  return graph;
}

void take_matching(const RegularGraph& graph, std::span<std::uint32_t> ids, EulerSplit& split) {
  struct Copies {
    std::uint32_t edge;
    std::uint64_t count;
  };
  const std::uint32_t first_namesake = graph.num_edges();
  const std::uint64_t degree = ids.size() / graph.num_vertices;
  // As many splits as it takes to have, in the end, less than one copy of the namesakes' edges.
  const auto num_splits = static_cast<std::uint32_t>(std::bit_width(ids.size() - 1));
  const std::uint64_t copies = (std::uint64_t{1} << num_splits) / degree;
  const std::uint64_t missing = (std::uint64_t{1} << num_splits) - copies * degree;
  std::vector<Copies> kept;
  kept.reserve(ids.size() + graph.num_vertices);
  for (const std::uint32_t id : ids) kept.push_back({id, copies});
  for (std::uint32_t v = 0; v < graph.num_vertices && missing > 0; ++v) kept.push_back({first_namesake + v, missing});

  std::vector<std::uint32_t> odd;
  for (std::uint32_t i = 0; i < num_splits; ++i) {
    // Of an even number of copies half goes to each side.
    odd.clear();
    for (const Copies& each : kept)
      if (each.count % 2 != 0) odd.push_back(each.edge);
    const auto middle = odd.begin() + static_cast<std::ptrdiff_t>(split.run(odd));
    const auto is_namesake = [&](std::uint32_t edge) { return edge >= first_namesake; };
    const bool second = std::count_if(middle, odd.end(), is_namesake) < std::count_if(odd.begin(), middle, is_namesake);
    auto chosen = second ? middle : odd.begin();
    const auto end = second ? odd.end() : middle;
    for (Copies& each : kept) {
      const bool one_more = chosen != end && *chosen == each.edge;
      each.count = each.count / 2 + (one_more ? 1 : 0);
      if (one_more) ++chosen;
    }
    std::erase_if(kept, [](const Copies& each) { return each.count == 0; });
  }

  auto matched = kept.begin();
  std::vector<std::uint32_t> rest;
  rest.reserve(ids.size());
  std::size_t size = 0;
  for (const std::uint32_t id : ids) {
    if (matched != kept.end() && matched->edge == id)
      ids[size++] = id, ++matched;
    else
      rest.push_back(id);
  }
  std::ranges::copy(rest, ids.begin() + static_cast<std::ptrdiff_t>(size));
}

}  // namespace spineweave
