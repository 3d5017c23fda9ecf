// Atomic functions, with the overloads that CUDA has and no others: code that compiles only here would be found
// out on the other side too late. They work outside kernels as well, for code that holds a DeviceScope.
#pragma once

namespace simt {

// Set while a kernel runs in a schedule that pauses threads.
extern constinit thread_local bool pauses_at_atomics;
void pause_thread();

inline void maybe_pause_thread() {
  if (pauses_at_atomics) pause_thread();
}

// Memory of one 64-bit type is often passed as another of the same size.
template <class T>
struct Aliased {
  using Type [[gnu::may_alias]] = T;
};

template <class T>
auto* aliased(T* address) {
  return reinterpret_cast<typename Aliased<T>::Type*>(address);
}

// Stores `update(old)` and returns `old`.
template <class T, class Update>
T atomic_update(T* address, Update update) {
  maybe_pause_thread();
  T old = __atomic_load_n(aliased(address), __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(aliased(address), &old, update(old), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
}

template <class T>
T atomic_compare_and_swap(T* address, T compare, T value) {
  maybe_pause_thread();
  __atomic_compare_exchange_n(aliased(address), &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return compare;
}

}  // namespace simt

// NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses)
#define SIMT_ATOMIC(name, T, builtin)                                \
  inline T name(T* address, T value) {                               \
    simt::maybe_pause_thread();                                      \
    return builtin(simt::aliased(address), value, __ATOMIC_RELAXED); \
  }
#define SIMT_ATOMIC_BEST(name, T, better)                                                           \
  inline T name(T* address, T value) {                                                              \
    return simt::atomic_update(address, [value](T old) { return value better old ? value : old; }); \
  }
#define SIMT_ATOMIC_CAS(T) \
  inline T atomicCAS(T* address, T compare, T value) { return simt::atomic_compare_and_swap(address, compare, value); }

SIMT_ATOMIC(atomicAdd, int, __atomic_fetch_add)
SIMT_ATOMIC(atomicAdd, unsigned, __atomic_fetch_add)
SIMT_ATOMIC(atomicAdd, unsigned long long, __atomic_fetch_add)
SIMT_ATOMIC(atomicSub, int, __atomic_fetch_sub)
SIMT_ATOMIC(atomicSub, unsigned, __atomic_fetch_sub)
SIMT_ATOMIC(atomicExch, int, __atomic_exchange_n)
SIMT_ATOMIC(atomicExch, unsigned, __atomic_exchange_n)
SIMT_ATOMIC(atomicExch, unsigned long long, __atomic_exchange_n)
SIMT_ATOMIC(atomicAnd, int, __atomic_fetch_and)
SIMT_ATOMIC(atomicAnd, unsigned, __atomic_fetch_and)
SIMT_ATOMIC(atomicAnd, long long, __atomic_fetch_and)
SIMT_ATOMIC(atomicAnd, unsigned long long, __atomic_fetch_and)
SIMT_ATOMIC(atomicOr, int, __atomic_fetch_or)
SIMT_ATOMIC(atomicOr, unsigned, __atomic_fetch_or)
SIMT_ATOMIC(atomicOr, long long, __atomic_fetch_or)
SIMT_ATOMIC(atomicOr, unsigned long long, __atomic_fetch_or)
SIMT_ATOMIC(atomicXor, int, __atomic_fetch_xor)
SIMT_ATOMIC(atomicXor, unsigned, __atomic_fetch_xor)
SIMT_ATOMIC(atomicXor, long long, __atomic_fetch_xor)
SIMT_ATOMIC(atomicXor, unsigned long long, __atomic_fetch_xor)
SIMT_ATOMIC_BEST(atomicMin, int, <)
SIMT_ATOMIC_BEST(atomicMin, unsigned, <)
SIMT_ATOMIC_BEST(atomicMin, long long, <)
SIMT_ATOMIC_BEST(atomicMin, unsigned long long, <)
SIMT_ATOMIC_BEST(atomicMax, int, >)
SIMT_ATOMIC_BEST(atomicMax, unsigned, >)
SIMT_ATOMIC_BEST(atomicMax, long long, >)
SIMT_ATOMIC_BEST(atomicMax, unsigned long long, >)
SIMT_ATOMIC_CAS(int)
SIMT_ATOMIC_CAS(unsigned)
SIMT_ATOMIC_CAS(unsigned long long)

#undef SIMT_ATOMIC
#undef SIMT_ATOMIC_BEST
#undef SIMT_ATOMIC_CAS
// NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses)
