#include "optimize/edge_coloring.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <numeric>

#include "spineweave/types.hpp"
#include "util/parallel.hpp"

namespace spineweave {
namespace {

constexpr std::size_t kEdgesPerTask = 4096;

// Parts edges in two so that at every vertex the halves differ by one at most. At each vertex its edges
// are paired in order; pairs chain into paths and even cycles, walked with turning colours.
class EulerSplit {
 public:
  EulerSplit(std::span<const Edge> edges, std::uint32_t num_left, std::uint32_t num_vertices)
      : edges_(edges), num_left_(num_left), waiting_(num_vertices, kNone) {}

  // Reorders `ids`: the first half to the front, both in their old order. Returns its size.
  std::size_t run(std::span<std::uint32_t> ids) {
    for (const std::uint32_t side : {0U, 1U}) pair_up(ids, side);
    half_.assign(ids.size(), kOpen);
    turn_ = 0;
    walk_all();
    std::size_t size = 0;
    second_.clear();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (half_[i] == 0)
        ids[size++] = ids[i];
      else
        second_.push_back(ids[i]);
    }
    std::copy(second_.begin(), second_.end(), ids.begin() + static_cast<std::ptrdiff_t>(size));
    return size;
  }

 private:
  static constexpr std::uint8_t kOpen = 2;

  [[nodiscard]] std::uint32_t vertex(std::uint32_t id, std::uint32_t side) const {
    return side == 0 ? edges_[id].left : num_left_ + edges_[id].right;
  }

  void pair_up(std::span<const std::uint32_t> ids, std::uint32_t side) {
    std::vector<std::uint32_t>& partner = partner_[side];
    partner.resize(ids.size());
    for (std::uint32_t i = 0; i < ids.size(); ++i) {
      std::uint32_t& waiting = waiting_[vertex(ids[i], side)];
      partner[i] = waiting;
      if (waiting == kNone) {
        waiting = i;
      } else {
        partner[waiting] = i;
        waiting = kNone;
      }
    }
    for (const std::uint32_t id : ids) waiting_[vertex(id, side)] = kNone;
  }

  void walk_all() {
    const auto num_edges = static_cast<std::uint32_t>(half_.size());
    for (std::uint32_t i = 0; i < num_edges; ++i) {
      if (half_[i] != kOpen) continue;
      if (partner_[0][i] == kNone)
        walk(i, 1);
      else if (partner_[1][i] == kNone)
        walk(i, 0);
    }
    for (std::uint32_t i = 0; i < num_edges; ++i)
      if (half_[i] == kOpen) walk(i, 0);
  }

  // Walks start on turning halves, so that the halves are equal overall.
  void walk(std::uint32_t i, std::uint32_t side) {
    std::uint8_t here = turn_;
    for (; i != kNone && half_[i] == kOpen; side = 1 - side) {
      half_[i] = here;
      turn_ = here ^= 1;
      i = partner_[side][i];
    }
  }

  std::span<const Edge> edges_;
  std::uint32_t num_left_;
  std::uint8_t turn_ = 0;
  std::vector<std::uint32_t> waiting_;     // [vertices] an edge without a partner yet
  std::vector<std::uint32_t> partner_[2];  // [edges in hand] the next edge at the left and the right vertex
  std::vector<std::uint8_t> half_;         // [edges in hand]
  std::vector<std::uint32_t> second_;
};

class Colorer {
 public:
  Colorer(std::uint32_t num_left, std::uint32_t num_right, std::span<const Edge> edges, std::uint32_t num_colors)
      : edges_(edges),
        num_left_(num_left),
        num_vertices_(num_left + num_right),
        num_colors_(num_colors),
        color_(edges.size(), 0) {}

  std::vector<std::uint32_t> run() {
    divide();
    // Euler splits alone are balanced where the number of colours is a power of two.
    if ((num_colors_ & (num_colors_ - 1)) != 0) even_out();
    return std::move(color_);
  }

 private:
  [[nodiscard]] std::uint32_t vertex(std::uint32_t edge, std::uint32_t side) const {
    return side == 0 ? edges_[edge].left : num_left_ + edges_[edge].right;
  }

  struct Part {
    std::size_t begin, end;  // of the edges in hand
    std::uint32_t base, colors;
  };

  // Halves the parts level by level until each has one colour; the parts of a level are independent.
  void divide() {
    std::vector<std::uint32_t> ids(edges_.size());
    std::iota(ids.begin(), ids.end(), 0U);
    std::vector<Part> parts{{0, ids.size(), 0, num_colors_}};
    while (parts.front().colors > 1) {  // the first part never has fewer colours than another
      std::vector<Part> halves(2 * parts.size());
      const std::size_t chunk = std::max<std::size_t>(1, parts.size() * kEdgesPerTask / (ids.size() + 1));
      util::parallel_chunks(parts.size(), chunk, [&](std::size_t begin, std::size_t end) {
        EulerSplit split(edges_, num_left_, num_vertices_);
        for (std::size_t i = begin; i < end; ++i) halve(parts[i], ids, split, &halves[2 * i]);
      });
      std::erase_if(halves, [](const Part& part) { return part.colors == 0; });
      parts = std::move(halves);
    }
    for (const Part& part : parts)
      for (std::size_t i = part.begin; i < part.end; ++i) color_[ids[i]] = part.base;
  }

  static void halve(const Part& part, std::span<std::uint32_t> ids, EulerSplit& split, Part* halves) {
    const std::uint32_t first_colors = (part.colors + 1) / 2;
    const std::size_t first_size =
        part.colors == 1 ? part.end - part.begin : split.run(ids.subspan(part.begin, part.end - part.begin));
    halves[0] = {part.begin, part.begin + first_size, part.base, first_colors};
    halves[1] = {part.begin + first_size, part.end, part.base + first_colors, part.colors - first_colors};
  }

  // Splits pairs of colours anew until no vertex has two colours that differ by more than one. Each
  // split lowers the sum of squared degrees, so this ends.
  void even_out() {
    edges_of_.resize(num_colors_);
    for (std::uint32_t e = 0; e < edges_.size(); ++e) edges_of_[color_[e]].push_back(e);
    degree_.assign(std::size_t{num_vertices_} * num_colors_, 0);
    for (std::uint32_t color = 0; color < num_colors_; ++color) count(color, 1);
    for (std::atomic<bool> changed = true; changed;) {
      changed = false;
      // The pairs (a, b) in their order, but those with the same 2a + b at once: all that come before one of
      // them and share a colour with it have a smaller sum.
      for (std::uint32_t wave = 1; wave + 3 <= 3 * num_colors_; ++wave) {
        const std::uint32_t first = wave < num_colors_ ? 0 : (wave - num_colors_) / 2 + 1;  // b < num_colors
        const std::uint32_t end = (wave + 2) / 3;                                           // a < b
        if (first >= end) continue;
        const std::size_t chunk = edges_.size() < 8 * kEdgesPerTask ? end : (end - first + 3) / 4;
        util::parallel_chunks(end - first, chunk, [&](std::size_t from, std::size_t to) {
          EulerSplit split(edges_, num_left_, num_vertices_);
          for (std::size_t i = from; i < to; ++i) {
            const std::uint32_t color = first + static_cast<std::uint32_t>(i);
            if (split_anew(color, wave - 2 * color, split)) changed = true;
          }
        });
      }
    }
    for (std::uint32_t color = 0; color < num_colors_; ++color)
      for (const std::uint32_t e : edges_of_[color]) color_[e] = color;
  }

  void count(std::uint32_t color, std::uint32_t amount) {
    std::uint32_t* degree = degree_.data() + std::size_t{color} * num_vertices_;
    for (const std::uint32_t e : edges_of_[color]) degree[vertex(e, 0)] += amount, degree[vertex(e, 1)] += amount;
  }

  [[nodiscard]] bool uneven(std::uint32_t a, std::uint32_t b) const {
    constexpr std::uint32_t kBlock = 512;
    const std::uint32_t* x = degree_.data() + std::size_t{a} * num_vertices_;
    const std::uint32_t* y = degree_.data() + std::size_t{b} * num_vertices_;
    for (std::uint32_t begin = 0; begin < num_vertices_; begin += kBlock) {
      std::uint32_t found = 0;  // x - y + 1 is above 2 where they differ by more than one
      for (std::uint32_t v = begin; v < std::min(begin + kBlock, num_vertices_); ++v)
        found |= x[v] - y[v] + 1 > 2 ? 1 : 0;
      if (found != 0) return true;
    }
    return false;
  }

  bool split_anew(std::uint32_t a, std::uint32_t b, EulerSplit& split) {
    if (!uneven(a, b)) return false;
    count(a, kNone), count(b, kNone);  // adds -1
    std::vector<std::uint32_t> both;
    both.reserve(edges_of_[a].size() + edges_of_[b].size());
    std::ranges::merge(edges_of_[a], edges_of_[b], std::back_inserter(both));
    const auto middle = both.begin() + static_cast<std::ptrdiff_t>(split.run(both));
    edges_of_[a].assign(both.begin(), middle);
    edges_of_[b].assign(middle, both.end());
    count(a, 1), count(b, 1);
    return true;
  }

  std::span<const Edge> edges_;
  std::uint32_t num_left_, num_vertices_, num_colors_;
  std::vector<std::uint32_t> color_;
  std::vector<std::vector<std::uint32_t>> edges_of_;  // [colors]
  std::vector<std::uint32_t> degree_;                 // [colors][vertices]
};

}  // namespace

std::vector<std::uint32_t> color_edges(std::uint32_t num_left, std::uint32_t num_right, std::span<const Edge> edges,
                                       std::uint32_t num_colors) {
  return Colorer(num_left, num_right, edges, num_colors).run();
}

}  // namespace spineweave
