// Which addresses a kernel may use: a map of the live allocations, which also does the allocating.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace ptx {

class Memory {
 public:
  enum class Kind { device, host, variable };  // host: cudaMallocHost; variable: of a module
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool contains(std::uint64_t address, std::uint64_t bytes) const {
      return address >= begin && address <= end && bytes <= end - address;
    }
  };

  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory();

  // Null if the device's limit or the host's memory does not allow it. What is there first is poison.
  void* allocate(std::size_t bytes, Kind kind);
  bool release(const void* address, Kind kind);  // false if no such allocation is live

  std::optional<Range> find(std::uint64_t address) const;
  bool is_device(const void* address, std::size_t bytes) const;  // all of it, in one allocation
  bool touches_device(const void* address) const;

  void set_limit(std::uint64_t bytes) { limit_ = bytes; }
  std::uint64_t limit() const { return limit_; }
  std::uint64_t device_bytes() const { return device_bytes_; }

 private:
  struct Allocation {
    std::uint64_t bytes = 0;
    Kind kind = Kind::device;
    void* storage = nullptr;
  };
  using Allocations = std::map<std::uint64_t, Allocation>;  // by address
  Allocations::const_iterator holder(std::uint64_t address) const;

  Allocations allocations_;
  std::uint64_t limit_ = std::uint64_t{8} << 30;
  std::uint64_t device_bytes_ = 0;
};

}  // namespace ptx
