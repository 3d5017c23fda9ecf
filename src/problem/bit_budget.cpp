#include "problem/bit_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "spineweave/error.hpp"

namespace spineweave {
namespace {

constexpr std::uint32_t kMostBits = 20;
constexpr std::uint64_t kCongestionLimit = std::uint64_t{1} << 31U;
constexpr std::uint64_t kPressureLimit = 9'000'000'000'000'000'000;  // a little below 2^63
constexpr std::uint64_t kLargestScale = std::uint64_t{1} << 62U;

}  // namespace

BitBudget::BitBudget(const Fabric& fabric, std::span<const LinkId> link_of_cell, std::span<const std::uint64_t> most,
                     std::uint64_t fastest_bps, std::uint64_t phases_total)
    : fabric_(fabric),
      link_of_cell_(link_of_cell),
      most_(most),
      fastest_bps_(fastest_bps),
      phases_total_(phases_total),
      group_of_cell_(link_of_cell.size(), kNone) {
  std::unordered_map<std::uint64_t, std::uint32_t> group_of_capacity;
  std::uint32_t last = kNone;  // neighbours are mostly alike
  for (std::size_t cell = 0; cell < link_of_cell.size(); ++cell) {
    if (link_of_cell[cell] == kNone) continue;
    const std::uint64_t capacity = fabric.link(link_of_cell[cell]).capacity_bps;
    if (capacity == 0) continue;
    if (last == kNone || groups_[last].capacity_bps != capacity) {
      last = group_of_capacity.try_emplace(capacity, static_cast<std::uint32_t>(groups_.size())).first->second;
      if (last == groups_.size()) groups_.push_back({capacity, 0, 0});
    }
    group_of_cell_[cell] = last;
    groups_[last].most = std::max(groups_[last].most, most[cell]);
    groups_[last].squares += Wide{most[cell]} * most[cell];
  }
}

std::uint64_t BitBudget::scale_of(const Group& group, std::uint32_t bits) const {
  const Wide scale = ((Wide{fastest_bps_} << bits) + group.capacity_bps - 1) / group.capacity_bps;
  return static_cast<std::uint64_t>(std::min<Wide>(scale, kLargestScale));
}

bool BitBudget::congestion_fits(std::uint32_t bits) const {
  return std::ranges::all_of(
      groups_, [&](const Group& group) { return Wide{group.most} * scale_of(group, bits) < kCongestionLimit; });
}

// Only where every congestion fits: the squares could overflow otherwise.
BitBudget::Wide BitBudget::most_pressure(std::uint32_t bits) const {
  Wide pressure = 0;
  for (const Group& group : groups_) {
    const Wide scale = group.most > 0 ? scale_of(group, bits) : 0;
    pressure += group.squares * scale * scale * phases_total_;
  }
  return pressure;
}

std::uint32_t BitBudget::most_bits() const {
  for (std::uint32_t bits = kMostBits + 1; bits-- > 0;)
    if (congestion_fits(bits) && most_pressure(bits) < kPressureLimit) return bits;
  refuse();
}

std::vector<std::uint32_t> BitBudget::scales(std::uint32_t bits) const {
  std::vector<std::uint32_t> of_group;
  for (const Group& group : groups_)
    of_group.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(scale_of(group, bits), 0x7fffffffU)));
  std::vector<std::uint32_t> scales(group_of_cell_.size(), 0);
  for (std::size_t cell = 0; cell < scales.size(); ++cell)
    if (group_of_cell_[cell] != kNone) scales[cell] = of_group[group_of_cell_[cell]];
  return scales;
}

void BitBudget::refuse() const {
  std::string why;
  for (std::size_t cell = 0; cell < group_of_cell_.size(); ++cell) {
    if (group_of_cell_[cell] == kNone) continue;
    const std::uint64_t scale = scale_of(groups_[group_of_cell_[cell]], 0);
    const Wide congestion = Wide{most_[cell]} * scale;
    if (congestion < kCongestionLimit) continue;
    why = fmt::format(
        "link {} could carry a weight of {} at 1/{} of the fastest link's capacity, a congestion of {}; "
        "expected below 2^31",
        fabric_.link_name(link_of_cell_[cell]), most_[cell], scale, static_cast<double>(congestion));
    break;
  }
  if (why.empty())
    why = fmt::format("the pressure could reach {}; expected below 2^63", static_cast<double>(most_pressure(0)));
  throw Error(ErrorCode::bad_input, "the weights do not fit the bit budget: " + why);
}

}  // namespace spineweave
