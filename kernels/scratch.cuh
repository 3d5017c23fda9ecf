// Temporary device memory for Thrust, kept from call to call: an allocation for every sort would stop
// the device each time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "device_buffer.cuh"

namespace spineweave::gpu {

// An allocator in Thrust's sense. One thread and one stream at a time.
class Scratch {
 public:
  using value_type = char;

  // The smallest free piece that fits; else a new one, in the place of the largest that is free.
  char* allocate(std::ptrdiff_t bytes) {
    const auto wanted = static_cast<std::size_t>(bytes);
    Piece* fitting = nullptr;
    Piece* largest = nullptr;
    for (Piece& piece : pieces_) {
      if (piece.taken) continue;
      if (piece.memory.size() >= wanted && (fitting == nullptr || piece.memory.size() < fitting->memory.size()))
        fitting = &piece;
      if (largest == nullptr || piece.memory.size() > largest->memory.size()) largest = &piece;
    }
    if (fitting == nullptr) {
      fitting = largest != nullptr ? largest : &pieces_.emplace_back();
      fitting->memory.reserve(std::bit_ceil(std::max<std::size_t>(wanted, kLeastBytes)));
    }
    fitting->taken = true;
    return fitting->memory.data();
  }

  void deallocate(char* memory, std::size_t) {
    for (Piece& piece : pieces_)
      if (piece.memory.data() == memory) piece.taken = false;
  }

 private:
  static constexpr std::size_t kLeastBytes = 4096;
  struct Piece {
    DeviceBuffer<char> memory;
    bool taken = false;
  };
  std::vector<Piece> pieces_;
};

}  // namespace spineweave::gpu
