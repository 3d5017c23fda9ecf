#include "cuda_on_cpu/shim/fiber.hpp"

#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda_on_cpu/shim/fail.hpp"

#if !defined(SIMT_UCONTEXT)
extern "C" void simt_switch_stack(void** save, void* load);

// System V x86-64: what a callee must preserve goes onto the old stack and comes off the new one. The control
// words of the floating-point units stay, for kernels do not change them.
asm(R"(
.text
.globl simt_switch_stack
.hidden simt_switch_stack
.type simt_switch_stack,@function
simt_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size simt_switch_stack,.-simt_switch_stack
)");
#endif

namespace simt {
namespace {

// ASan puts room around every local variable.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kStackBytes = std::size_t{256} * 1024;
#else
constexpr std::size_t kStackBytes = std::size_t{64} * 1024;
#endif

constinit thread_local Fiber* previous = nullptr;

std::size_t guard_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

Fiber::Fiber(void (*entry)()) : stack_bytes_(kStackBytes) {
  void* const mapped = mmap(nullptr, guard_bytes() + kStackBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) fail("no memory for the stacks of threads");
  mapping_ = static_cast<std::byte*>(mapped);
  if (mprotect(mapping_, guard_bytes(), PROT_NONE) != 0) fail("cannot guard the stack of a thread");
  std::byte* const bottom = mapping_ + guard_bytes();
  stack_ = bottom;
#if defined(SIMT_UCONTEXT)
  getcontext(&context_);
  context_.uc_stack.ss_sp = bottom;
  context_.uc_stack.ss_size = kStackBytes;
  context_.uc_link = nullptr;
  makecontext(&context_, entry, 0);
#else
  // As if `entry` had been called from nowhere, then switched away from before its first instruction.
  auto** top = reinterpret_cast<void**>(bottom + kStackBytes);
  *--top = nullptr;
  *--top = reinterpret_cast<void*>(entry);
  constexpr int saved_registers = 6;
  for (int i = 0; i < saved_registers; ++i) *--top = nullptr;
  stack_pointer_ = top;
#endif
}

Fiber::~Fiber() {
  if (mapping_ == nullptr) return;
  ASAN_UNPOISON_MEMORY_REGION(mapping_ + guard_bytes(), kStackBytes);
  munmap(mapping_, guard_bytes() + kStackBytes);
}

void Fiber::switch_to(Fiber& next) {
  swap(next, &sanitizer_stack_);
  arrived(sanitizer_stack_);
}

void Fiber::leave_for(Fiber& next) { swap(next, nullptr); }

void Fiber::started() { arrived(nullptr); }

void Fiber::swap(Fiber& next, [[maybe_unused]] void** kept_for_sanitizer) {
  previous = this;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(kept_for_sanitizer, next.stack_, next.stack_bytes_);
#endif
#if defined(SIMT_UCONTEXT)
  swapcontext(&context_, &next.context_);
#else
  simt_switch_stack(&stack_pointer_, next.stack_pointer_);
#endif
}

void Fiber::arrived([[maybe_unused]] void* kept_for_sanitizer) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(kept_for_sanitizer, &previous->stack_, &previous->stack_bytes_);
#endif
}

}  // namespace simt
