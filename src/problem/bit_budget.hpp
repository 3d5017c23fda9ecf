// How precisely congestion can be kept in the bits there are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "spineweave/fabric.hpp"

namespace spineweave {

// scale = the fastest link's capacity over the link's, rounded up, with some fraction bits. Every
// congestion, which is a load times a scale, must stay below 2^31, and their pressure below 2^63.
class BitBudget {
 public:
  // `most`: the most weight that could cross each cell. `phases_total`: the sum of the phases' weights.
  BitBudget(const Fabric& fabric, std::span<const LinkId> link_of_cell, std::span<const std::uint64_t> most,
            std::uint64_t fastest_bps, std::uint64_t phases_total);

  // The largest precision that fits, at most 20 fraction bits. Throws Error{bad_input} where none does.
  [[nodiscard]] std::uint32_t most_bits() const;
  // [cells]; 0: dead or a hole
  [[nodiscard]] std::vector<std::uint32_t> scales(std::uint32_t bits) const;

 private:
  __extension__ using Wide = unsigned __int128;

  // The cells of one capacity.
  struct Group {
    std::uint64_t capacity_bps = 0;
    std::uint64_t most = 0;  // weight in any of them
    Wide squares = 0;        // sum over them of that weight squared
  };

  [[nodiscard]] std::uint64_t scale_of(const Group& group, std::uint32_t bits) const;
  [[nodiscard]] bool congestion_fits(std::uint32_t bits) const;
  [[nodiscard]] Wide most_pressure(std::uint32_t bits) const;
  [[noreturn]] void refuse() const;

  const Fabric& fabric_;
  std::span<const LinkId> link_of_cell_;
  std::span<const std::uint64_t> most_;
  std::uint64_t fastest_bps_;
  std::uint64_t phases_total_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_of_cell_;  // kNone: dead or a hole
};

}  // namespace spineweave
