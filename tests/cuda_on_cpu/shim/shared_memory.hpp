// The shared memory of the running block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "cuda_on_cpu/shim/fail.hpp"

namespace simt {

// Every array is a block of the heap of its exact size, so that ASan sees an access past its end. All of them
// hold garbage when a block of threads begins.
class SharedMemory {
 public:
  // `raised_bytes` is what the kernel's attribute allows for the dynamic part, 0 if never set.
  void begin_grid(std::size_t dynamic_bytes, std::size_t raised_bytes);
  void begin_block(std::uint64_t garbage_seed);

  // `key` tells one static array of the program from another.
  void* array(const void* key, std::size_t bytes, const Site& where);
  void* dynamic() { return dynamic_.get(); }

 private:
  static constexpr std::align_val_t kAlignment{16};
  struct Delete {
    void operator()(std::byte* memory) const { ::operator delete[](memory, kAlignment); }
  };
  using Memory = std::unique_ptr<std::byte[], Delete>;
  struct Array {
    const void* key = nullptr;
    Memory memory;
    std::size_t bytes = 0;
    bool in_use = false;  // by the running block
  };

  static Memory allocate(std::size_t bytes);
  void begin_use(Array& array, const Site& where);

  std::vector<Array> arrays_;
  Memory dynamic_;
  std::size_t dynamic_bytes_ = 0;
  std::size_t raised_bytes_ = 0;
  std::size_t static_bytes_ = 0;  // of the running block
  std::uint64_t garbage_seed_ = 0;
};

}  // namespace simt
