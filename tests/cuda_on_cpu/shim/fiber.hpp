// Stacks to switch between within one thread of the operating system.
#pragma once

#include <cstddef>

#if !defined(__x86_64__) || defined(SIMT_USE_UCONTEXT)
#define SIMT_UCONTEXT 1
#include <ucontext.h>
#endif

namespace simt {

class Fiber {
 public:
  Fiber() = default;                // the stack that the thread has anyway
  explicit Fiber(void (*entry)());  // a stack of its own; `entry` calls started() first and never returns
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Leaves this fiber, which must be the running one, until another switches back.
  void switch_to(Fiber& next);

  // The same for a fiber that nobody switches back to, so that sanitizers can drop what they keep for it.
  void leave_for(Fiber& next);

  static void started();

 private:
  void swap(Fiber& next, void** kept_for_sanitizer);
  static void arrived(void* kept_for_sanitizer);

#if defined(SIMT_UCONTEXT)
  ucontext_t context_{};
#else
  void* stack_pointer_ = nullptr;
#endif
  std::byte* mapping_ = nullptr;
  const void* stack_ = nullptr;  // of the thread's own stack: known after the first switch, under ASan only
  std::size_t stack_bytes_ = 0;
  void* sanitizer_stack_ = nullptr;
};

}  // namespace simt
