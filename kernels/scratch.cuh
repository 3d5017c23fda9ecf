// Temporary device memory for Thrust, kept from call to call: an allocation for every sort would stop
// the device each time.
#pragma once

#include <cstddef>
#include <vector>

#include "device_buffer.cuh"

namespace spineweave::gpu {

// An allocator in Thrust's sense. One thread and one stream at a time.
class Scratch {
 public:
  using value_type = char;

  char* allocate(std::ptrdiff_t bytes) {
    const auto wanted = static_cast<std::size_t>(bytes);
    Piece* fitting = nullptr;
    for (Piece& piece : pieces_)
      if (!piece.taken && piece.memory.size() >= wanted &&
          (fitting == nullptr || piece.memory.size() < fitting->memory.size()))
        fitting = &piece;
    if (fitting == nullptr) fitting = &pieces_.emplace_back(Piece{DeviceBuffer<char>(wanted), false});
    fitting->taken = true;
    return fitting->memory.data();
  }

  void deallocate(char* memory, std::size_t) {
    for (Piece& piece : pieces_)
      if (piece.memory.data() == memory) piece.taken = false;
  }

 private:
  struct Piece {
    DeviceBuffer<char> memory;
    bool taken = false;
  };
  std::vector<Piece> pieces_;
};

}  // namespace spineweave::gpu
