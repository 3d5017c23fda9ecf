// Many paths in two flat lists: what routes and moves are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spineweave/types.hpp"

namespace spineweave::service {

// Paths by number, each the links of a flow in order, access links included; without links: no path.
class PathTable {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return begin_.size() - 1; }
  [[nodiscard]] std::span<const LinkId> operator[](std::size_t i) const {
    return std::span(links_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }
  void push_back(std::span<const LinkId> path) {
    links_.insert(links_.end(), path.begin(), path.end());
    begin_.push_back(static_cast<std::uint32_t>(links_.size()));
  }
  [[nodiscard]] std::span<const LinkId> links() const noexcept { return links_; }

  friend bool operator==(const PathTable&, const PathTable&) = default;

 private:
  std::vector<std::uint32_t> begin_ = {0};  // [size + 1]
  std::vector<LinkId> links_;
};

}  // namespace spineweave::service
