#include "cuda_on_cpu/ptx/memory.hpp"

#include <cstdlib>
#include <cstring>

namespace ptx {
namespace {

constexpr std::size_t kAlignment = 256;
constexpr int kPoison = 0xA5;

}  // namespace

Memory::~Memory() {
  for (const auto& [address, allocation] : allocations_) std::free(allocation.storage);
}

void* Memory::allocate(std::size_t bytes, Kind kind) {
  if (kind == Kind::device && (bytes > limit_ || device_bytes_ > limit_ - bytes)) return nullptr;
  if (bytes > SIZE_MAX / 2) return nullptr;
  // The gap behind each allocation belongs to nobody, so that one past the end is never a neighbour.
  const std::size_t padded = (bytes / kAlignment + 2) * kAlignment;
  void* const storage = std::aligned_alloc(kAlignment, padded);
  if (storage == nullptr) return nullptr;
  std::memset(storage, kPoison, padded);
  allocations_[reinterpret_cast<std::uint64_t>(storage)] = {bytes, kind, storage};
  if (kind == Kind::device) device_bytes_ += bytes;
  return storage;
}

bool Memory::release(const void* address, Kind kind) {
  const auto found = allocations_.find(reinterpret_cast<std::uint64_t>(address));
  if (found == allocations_.end() || found->second.kind != kind) return false;
  if (kind == Kind::device) device_bytes_ -= found->second.bytes;
  std::free(found->second.storage);
  allocations_.erase(found);
  return true;
}

Memory::Allocations::const_iterator Memory::holder(std::uint64_t address) const {
  auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin()) return allocations_.end();
  --next;
  return address - next->first < next->second.bytes ? next : allocations_.end();
}

std::optional<Memory::Range> Memory::find(std::uint64_t address) const {
  const auto found = holder(address);
  if (found == allocations_.end()) return std::nullopt;
  return Range{found->first, found->first + found->second.bytes};
}

bool Memory::is_device(const void* address, std::size_t bytes) const {
  const auto start = reinterpret_cast<std::uint64_t>(address);
  const auto found = holder(start);
  return found != allocations_.end() && found->second.kind != Kind::host &&
         bytes <= found->second.bytes - (start - found->first);
}

bool Memory::touches_device(const void* address) const {
  const auto found = holder(reinterpret_cast<std::uint64_t>(address));
  return found != allocations_.end() && found->second.kind != Kind::host;
}

}  // namespace ptx
