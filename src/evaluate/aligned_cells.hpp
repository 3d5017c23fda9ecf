// An array of cells that starts on a cache line, as rows within it then do: a vector that spans two lines
// costs two reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

namespace spineweave {

class AlignedCells {
 public:
  explicit AlignedCells(std::size_t count)
      : cells_(static_cast<std::uint32_t*>(::operator new(count * sizeof(std::uint32_t), kLine))), count_(count) {}

  [[nodiscard]] std::uint32_t* data() { return cells_.get(); }
  [[nodiscard]] const std::uint32_t* data() const { return cells_.get(); }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::uint32_t& operator[](std::size_t place) { return cells_.get()[place]; }
  [[nodiscard]] std::uint32_t operator[](std::size_t place) const { return cells_.get()[place]; }

 private:
  static constexpr std::align_val_t kLine{64};
  struct Free {
    void operator()(std::uint32_t* cells) const { ::operator delete(cells, kLine); }
  };
  std::unique_ptr<std::uint32_t, Free> cells_;
  std::size_t count_;
};

}  // namespace spineweave
