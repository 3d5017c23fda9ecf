#include "optimize/edge_coloring.hpp"

#include <algorithm>
#include <numeric>

#include "spineweave/types.hpp"

namespace spineweave {
namespace {

class Colorer {
 public:
  Colorer(std::uint32_t num_left, std::uint32_t num_right, std::span<const Edge> edges, std::uint32_t num_colors)
      : edges_(edges),
        num_left_(num_left),
        num_vertices_(num_left + num_right),
        num_colors_(num_colors),
        color_(edges.size(), 0),
        waiting_(num_vertices_, kNone),
        partner_{std::vector<std::uint32_t>(edges.size()), std::vector<std::uint32_t>(edges.size())},
        done_(edges.size()) {}

  std::vector<std::uint32_t> run() {
    std::vector<std::uint32_t> all(edges_.size());
    std::iota(all.begin(), all.end(), 0U);
    divide(all, 0, num_colors_);
    // Euler splits alone are balanced where the number of colours is a power of two.
    if ((num_colors_ & (num_colors_ - 1)) != 0) even_out();
    return std::move(color_);
  }

 private:
  [[nodiscard]] std::uint32_t vertex(std::uint32_t edge, std::uint32_t side) const {
    return side == 0 ? edges_[edge].left : num_left_ + edges_[edge].right;
  }

  // Parts the edges in two so that at every vertex the halves differ by one at most. At each vertex
  // its edges are paired in order; pairs chain into paths and even cycles, walked with turning colours.
  void euler_split(std::span<const std::uint32_t> edges, std::vector<std::uint32_t>& first,
                   std::vector<std::uint32_t>& second) {
    for (const std::uint32_t side : {0U, 1U}) {
      for (const std::uint32_t e : edges) {
        std::uint32_t& waiting = waiting_[vertex(e, side)];
        if (waiting == kNone) {
          waiting = e;
          partner_[side][e] = kNone;
        } else {
          partner_[side][e] = waiting;
          partner_[side][waiting] = e;
          waiting = kNone;
        }
      }
      for (const std::uint32_t e : edges) waiting_[vertex(e, side)] = kNone;
    }
    for (const std::uint32_t e : edges) done_[e] = false;
    bool turn = false;  // paths start on turning sides, so that the halves are equal overall
    const auto walk = [&](std::uint32_t e, std::uint32_t side) {
      for (bool here = turn; e != kNone && !done_[e]; here = !here, side = 1 - side) {
        done_[e] = true;
        (here ? second : first).push_back(e);
        e = partner_[side][e];
        turn = here;
      }
      turn = !turn;
    };
    for (const std::uint32_t e : edges) {
      if (done_[e]) continue;
      if (partner_[0][e] == kNone)
        walk(e, 1);
      else if (partner_[1][e] == kNone)
        walk(e, 0);
    }
    for (const std::uint32_t e : edges)
      if (!done_[e]) walk(e, 0);
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
  }

  void divide(std::span<const std::uint32_t> edges, std::uint32_t base, std::uint32_t colors) {
    if (colors == 1) {
      for (const std::uint32_t e : edges) color_[e] = base;
      return;
    }
    std::vector<std::uint32_t> first, second;
    euler_split(edges, first, second);
    divide(first, base, (colors + 1) / 2);
    divide(second, base + (colors + 1) / 2, colors / 2);
  }

  // Splits pairs of colours anew until no vertex has two colours that differ by more than one. Each
  // split lowers the sum of squared degrees, so this ends.
  void even_out() {
    std::vector<std::vector<std::uint32_t>> edges_of(num_colors_);
    for (std::uint32_t e = 0; e < edges_.size(); ++e) edges_of[color_[e]].push_back(e);
    std::vector<std::uint32_t> degree(std::size_t{num_vertices_} * num_colors_, 0);  // [color][vertex]
    const auto count = [&](std::uint32_t color, std::uint32_t amount) {
      for (const std::uint32_t e : edges_of[color])
        for (const std::uint32_t side : {0U, 1U})
          degree[std::size_t{color} * num_vertices_ + vertex(e, side)] += amount;
    };
    for (std::uint32_t color = 0; color < num_colors_; ++color) count(color, 1);
    const auto uneven = [&](std::uint32_t a, std::uint32_t b) {
      const std::uint32_t* x = degree.data() + std::size_t{a} * num_vertices_;
      const std::uint32_t* y = degree.data() + std::size_t{b} * num_vertices_;
      bool found = false;
      for (std::uint32_t v = 0; v < num_vertices_; ++v) found |= x[v] > y[v] + 1 || y[v] > x[v] + 1;
      return found;
    };
    std::vector<std::uint32_t> both, first, second;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t a = 0; a < num_colors_; ++a) {
        for (std::uint32_t b = a + 1; b < num_colors_; ++b) {
          if (!uneven(a, b)) continue;
          changed = true;
          count(a, kNone), count(b, kNone);  // adds -1
          both.clear(), first.clear(), second.clear();
          std::merge(edges_of[a].begin(), edges_of[a].end(), edges_of[b].begin(), edges_of[b].end(),
                     std::back_inserter(both));
          euler_split(both, first, second);
          edges_of[a] = first;
          edges_of[b] = second;
          count(a, 1), count(b, 1);
        }
      }
    }
    for (std::uint32_t color = 0; color < num_colors_; ++color)
      for (const std::uint32_t e : edges_of[color]) color_[e] = color;
  }

  std::span<const Edge> edges_;
  std::uint32_t num_left_, num_vertices_, num_colors_;
  std::vector<std::uint32_t> color_;
  std::vector<std::uint32_t> waiting_;     // [vertices] an edge without a partner yet
  std::vector<std::uint32_t> partner_[2];  // [edges] the next edge at the left and at the right vertex
  std::vector<char> done_;
};

}  // namespace

std::vector<std::uint32_t> color_edges(std::uint32_t num_left, std::uint32_t num_right, std::span<const Edge> edges,
                                       std::uint32_t num_colors) {
  return Colorer(num_left, num_right, edges, num_colors).run();
}

}  // namespace spineweave
