// Which cells of rows are alive, one bit for each slot or group of slots.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "spineweave/problem.hpp"

namespace spineweave {

class LiveRows {
 public:
  LiveRows() = default;
  // Rows of `slots` cells, `stride` apart from `first_cell` on. A group is alive where any of its cells is.
  LiveRows(const Problem& problem, std::uint32_t first_cell, std::uint32_t num_rows, std::uint32_t stride,
           std::uint32_t slots, std::uint32_t slots_per_group = 1)
      : words_((slots / slots_per_group + 63) / 64),
        slots_per_group_(slots_per_group),
        bits_(std::size_t{num_rows} * words_, 0) {
    for (std::uint32_t row = 0; row < num_rows; ++row) {
      const auto cells = problem.scales().subspan(first_cell + std::size_t{row} * stride, slots);
      for (std::uint32_t slot = 0, group = 0; slot < slots; slot += slots_per_group, ++group)
        if (std::ranges::any_of(cells.subspan(slot, slots_per_group), [](std::uint32_t scale) { return scale > 0; }))
          bits_[row * words_ + group / 64] |= std::uint64_t{1} << (group % 64);
    }
  }

  [[nodiscard]] std::uint32_t words() const { return words_; }  // a row
  [[nodiscard]] std::uint64_t word(std::uint32_t row, std::uint32_t index) const { return bits_[row * words_ + index]; }
  [[nodiscard]] bool has(std::uint32_t row, std::uint32_t slot) const {
    const std::uint32_t group = slot / slots_per_group_;
    return (word(row, group / 64) >> (group % 64) & 1U) != 0;
  }
  // True where `row` has every group alive that `other_row` has in `other`.
  [[nodiscard]] bool covers(std::uint32_t row, const LiveRows& other, std::uint32_t other_row) const {
    for (std::uint32_t index = 0; index < words_; ++index)
      if ((other.word(other_row, index) & ~word(row, index)) != 0) return false;
    return true;
  }

 private:
  std::uint32_t words_ = 0, slots_per_group_ = 1;
  std::vector<std::uint64_t> bits_;  // [rows * words]
};

}  // namespace spineweave
