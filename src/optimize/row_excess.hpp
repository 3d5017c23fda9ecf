// The excess that one flow would add to links whose cells lie side by side. Plain loops without branches,
// which compilers turn into vector code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace spineweave {

inline constexpr std::uint32_t kUnusable = 0xffffffffU;  // more than any excess

// All below 2^31: see the bit budget of Problem.
struct RowOfLinks {
  const std::uint32_t* congestion;
  const std::uint32_t* limit;
  const std::uint32_t* scale;  // 0: dead or a hole
};

// added[slot]: what a flow of `weight` would add on slot of both rows, where its job stands no more than
// `job_limit`; kUnusable where either is dead.
inline void add_excess_of_rows(const RowOfLinks& up, const RowOfLinks& down, std::uint32_t weight,
                               std::uint32_t job_limit, std::span<std::uint32_t> added) {
  const auto excess_added = [=](const RowOfLinks& row, std::size_t slot) {
    // Signed: the baseline's vector instructions compare nothing else.
    const auto congestion = static_cast<std::int32_t>(row.congestion[slot]);
    const auto limit = static_cast<std::int32_t>(row.limit[slot]);
    const std::int32_t before = std::max(congestion - limit, 0);
    const std::int32_t after = congestion + static_cast<std::int32_t>(weight * row.scale[slot]);
    const std::int32_t least = std::min(limit, static_cast<std::int32_t>(job_limit));
    return static_cast<std::uint32_t>(std::max(after - least, 0) - before);
  };
  std::uint32_t* out = added.data();
  const std::size_t slots = added.size();
#pragma GCC ivdep
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const std::uint32_t sum = excess_added(up, slot) + excess_added(down, slot);
    const std::uint32_t dead = (up.scale[slot] == 0 ? kUnusable : 0U) | (down.scale[slot] == 0 ? kUnusable : 0U);
    out[slot] = sum | dead;
  }
}

inline std::uint32_t least_of_row(std::span<const std::uint32_t> added) {
  std::uint32_t least = kUnusable;
  for (const std::uint32_t value : added) least = std::min(least, value);
  return least;
}

// The slot with the least, the first one from `first` on where several have it.
inline std::uint32_t first_least_of_row(std::span<const std::uint32_t> added, std::uint32_t first) {
  const std::uint32_t least = least_of_row(added);
  const auto begin = added.begin() + first;
  auto found = std::find(begin, added.end(), least);
  if (found == added.end()) found = std::find(added.begin(), begin, least);
  return static_cast<std::uint32_t>(found - added.begin());
}

}  // namespace spineweave
