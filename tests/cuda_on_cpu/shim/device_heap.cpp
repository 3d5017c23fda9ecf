#include "cuda_on_cpu/shim/device_heap.hpp"

#include <sanitizer/asan_interface.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>

#include "cuda_on_cpu/shim/device_scope.hpp"
#include "cuda_on_cpu/shim/fail.hpp"
#include "cuda_on_cpu/shim/settings.hpp"

namespace simt {
namespace {

struct Allocation {
  std::byte* pages = nullptr;
  std::size_t page_bytes = 0;  // without the guard page at either end
  std::size_t bytes = 0;
};

// What was released last, guard pages included.
struct Quarantined {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
};
constexpr std::size_t kQuarantine = 64;

struct Heap {
  std::mutex mutex;
  std::map<const std::byte*, Allocation, std::less<>> allocations;
  std::deque<Quarantined> quarantine;
  std::size_t bytes_in_use = 0;
  std::uint64_t allocated = 0;
  unsigned scopes = 0;
};

// Never destroyed: threads of a pool may outlive the statics of the program.
Heap& heap_state() {
  static Heap& heap = *new Heap;
  return heap;
}

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

void protect(const Allocation& allocation, int protection) {
  if (mprotect(allocation.pages, allocation.page_bytes, protection) != 0) fail("cannot change the protection of pages");
}

// Opens some allocations for as long as the caller holds the mutex.
class Opened {
 public:
  Opened(const Heap& heap, const Allocation* a, const Allocation* b) : heap_(heap), a_(a), b_(b) {
    protect_both(PROT_READ | PROT_WRITE);
  }
  ~Opened() { protect_both(PROT_NONE); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

 private:
  void protect_both(int protection) const {
    if (heap_.scopes > 0) return;
    for (const Allocation* allocation : {a_, b_})
      if (allocation != nullptr) protect(*allocation, protection);
  }

  const Heap& heap_;
  const Allocation* a_;
  const Allocation* b_;
};

// The allocation that overlaps [address, address + bytes), or null.
const Allocation* find(const Heap& heap, const void* address, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(address);
  auto after = heap.allocations.lower_bound(begin + bytes);
  if (after == heap.allocations.begin()) return nullptr;
  const auto& [start, allocation] = *--after;
  return start + allocation.bytes > begin ? &allocation : nullptr;
}

bool holds(const Allocation& allocation, const void* address, std::size_t bytes) {
  const std::byte* const end = allocation.pages + allocation.page_bytes;
  const auto* const begin = static_cast<const std::byte*>(address);
  return begin >= end - allocation.bytes && bytes <= static_cast<std::size_t>(end - begin);
}

bool is_on(heap::Side side, const Allocation* overlapping, const void* address, std::size_t bytes) {
  if (side == heap::Side::host) return overlapping == nullptr;
  return overlapping != nullptr && holds(*overlapping, address, bytes);
}

}  // namespace

DeviceScope::DeviceScope() {
  Heap& heap = heap_state();
  const std::lock_guard lock(heap.mutex);
  if (heap.scopes++ > 0) return;
  for (const auto& [address, allocation] : heap.allocations) protect(allocation, PROT_READ | PROT_WRITE);
}

DeviceScope::~DeviceScope() {
  Heap& heap = heap_state();
  const std::lock_guard lock(heap.mutex);
  if (--heap.scopes > 0) return;
  for (const auto& [address, allocation] : heap.allocations) protect(allocation, PROT_NONE);
}

namespace heap {

void* allocate(std::size_t bytes) {
  Heap& heap = heap_state();
  const std::lock_guard lock(heap.mutex);
  const std::size_t limit = memory_limit();
  if (heap.bytes_in_use > limit || bytes > limit - heap.bytes_in_use) return nullptr;
  const std::size_t page = page_size();
  Allocation made;
  made.bytes = bytes;
  made.page_bytes = (bytes + page - 1) / page * page;
  void* const mapped =
      mmap(nullptr, made.page_bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  made.pages = static_cast<std::byte*>(mapped) + page;
  protect(made, PROT_READ | PROT_WRITE);
  std::byte* const address = made.pages + (made.page_bytes - bytes);
  fill_with_garbage(address, bytes, mix(schedule().seed, heap.allocated++));
  ASAN_POISON_MEMORY_REGION(made.pages, made.page_bytes - bytes);
  if (heap.scopes == 0) protect(made, PROT_NONE);
  heap.allocations.emplace(address, made);
  heap.bytes_in_use += bytes;
  return address;
}

bool release(void* address) {
  Heap& heap = heap_state();
  const std::lock_guard lock(heap.mutex);
  const auto found = heap.allocations.find(static_cast<const std::byte*>(address));
  if (found == heap.allocations.end()) return false;
  const Allocation gone = found->second;
  heap.allocations.erase(found);
  heap.bytes_in_use -= gone.bytes;
  ASAN_UNPOISON_MEMORY_REGION(gone.pages, gone.page_bytes);
  // For a while the addresses stay taken and fault: unmapped ones go to the next mapping that comes, and what
  // is written there would go unnoticed.
  const Quarantined range{gone.pages - page_size(), gone.page_bytes + 2 * page_size()};
  mmap(range.begin, range.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  heap.quarantine.push_back(range);
  if (heap.quarantine.size() > kQuarantine) {
    munmap(heap.quarantine.front().begin, heap.quarantine.front().bytes);
    heap.quarantine.pop_front();
  }
  return true;
}

Side side_of(const void* address) {
  Heap& heap = heap_state();
  const std::lock_guard lock(heap.mutex);
  return find(heap, address, 1) == nullptr ? Side::host : Side::device;
}

bool copy(void* to, Side to_side, const void* from, Side from_side, std::size_t bytes) {
  if (bytes == 0) return true;
  Heap& heap = heap_state();
  const std::lock_guard lock(heap.mutex);
  const Allocation* const target = find(heap, to, bytes);
  const Allocation* const source = find(heap, from, bytes);
  if (!is_on(to_side, target, to, bytes) || !is_on(from_side, source, from, bytes)) return false;
  const Opened opened(heap, target, source);
  std::memcpy(to, from, bytes);
  return true;
}

bool set(void* address, int value, std::size_t bytes) {
  if (bytes == 0) return true;
  Heap& heap = heap_state();
  const std::lock_guard lock(heap.mutex);
  const Allocation* const target = find(heap, address, bytes);
  if (!is_on(Side::device, target, address, bytes)) return false;
  const Opened opened(heap, target, nullptr);
  std::memset(address, value, bytes);
  return true;
}

std::size_t bytes_in_use() {
  Heap& heap = heap_state();
  const std::lock_guard lock(heap.mutex);
  return heap.bytes_in_use;
}

}  // namespace heap
}  // namespace simt
