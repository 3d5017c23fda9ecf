// The program's large blocks of memory lie on huge pages, where the kernel hands these out on request
// (transparent_hugepage=madvise, the usual setting): on fabrics of 65,536 endpoints page faults and TLB
// misses took as long as the work itself. The library leaves memory to whoever links it.
#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20U;

void* allocate(std::size_t size) {
  if (size < kHugePage) return std::malloc(size == 0 ? 1 : size);
  if (size > ~std::size_t{0} - kHugePage) return nullptr;
  const std::size_t rounded = (size + kHugePage - 1) / kHugePage * kHugePage;
  void* block = std::aligned_alloc(kHugePage, rounded);
  if (block != nullptr) madvise(block, rounded, MADV_HUGEPAGE);  // a hint: without it pages are small
  return block;
}

}  // namespace

void* operator new(std::size_t size) {
  for (;;) {
    if (void* block = allocate(size)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept { std::free(block); }
