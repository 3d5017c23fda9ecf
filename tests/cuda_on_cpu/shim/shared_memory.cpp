#include "cuda_on_cpu/shim/shared_memory.hpp"

#include "cuda_on_cpu/shim/limits.hpp"
#include "cuda_on_cpu/shim/settings.hpp"

namespace simt {

SharedMemory::Memory SharedMemory::allocate(std::size_t bytes) {
  return Memory(static_cast<std::byte*>(::operator new[](bytes, kAlignment)));
}

void SharedMemory::begin_grid(std::size_t dynamic_bytes, std::size_t raised_bytes) {
  arrays_.clear();
  if (dynamic_ == nullptr || dynamic_bytes != dynamic_bytes_) dynamic_ = allocate(dynamic_bytes);
  dynamic_bytes_ = dynamic_bytes;
  raised_bytes_ = raised_bytes;
}

void SharedMemory::begin_block(std::uint64_t garbage_seed) {
  garbage_seed_ = garbage_seed;
  static_bytes_ = 0;
  for (Array& array : arrays_) array.in_use = false;
  fill_with_garbage(dynamic_.get(), dynamic_bytes_, garbage_seed_);
}

void* SharedMemory::array(const void* key, std::size_t bytes, const Site& where) {
  for (Array& array : arrays_) {
    if (array.key != key) continue;
    if (!array.in_use) begin_use(array, where);
    return array.memory.get();
  }
  arrays_.push_back({key, allocate(bytes), bytes, false});
  begin_use(arrays_.back(), where);
  return arrays_.back().memory.get();
}

void SharedMemory::begin_use(Array& array, const Site& where) {
  array.in_use = true;
  static_bytes_ += array.bytes;
  const std::size_t all = static_bytes_ + dynamic_bytes_;
  const bool raised = static_bytes_ <= kSharedBytes && dynamic_bytes_ <= raised_bytes_ && all <= kSharedOptinBytes;
  if (all > kSharedBytes && !raised) fail("static and dynamic arrays take more shared memory than a block has", where);
  const auto number = static_cast<std::uint64_t>(&array - arrays_.data());
  fill_with_garbage(array.memory.get(), array.bytes, mix(garbage_seed_, number + 1));
}

}  // namespace simt
