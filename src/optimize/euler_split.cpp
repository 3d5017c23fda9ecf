#include "optimize/euler_split.hpp"

#include <algorithm>

#include "spineweave/types.hpp"

namespace spineweave {
namespace {

constexpr std::uint8_t kOpen = 2;  // in neither half yet

}  // namespace

EulerSplit::EulerSplit(std::span<const Edge> edges, std::uint32_t num_left, std::uint32_t num_right)
    : edges_(edges), num_left_(num_left), waiting_(std::size_t{num_left} + num_right, kNone) {}

std::size_t EulerSplit::run(std::span<std::uint32_t> ids) {
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

void EulerSplit::pair_up(std::span<const std::uint32_t> ids, std::uint32_t side) {
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

void EulerSplit::walk_all() {
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
void EulerSplit::walk(std::uint32_t i, std::uint32_t side) {
  std::uint8_t here = turn_;
  for (; i != kNone && half_[i] == kOpen; side = 1 - side) {
    half_[i] = here;
    turn_ = here ^= 1;
    i = partner_[side][i];
  }
}

}  // namespace spineweave
