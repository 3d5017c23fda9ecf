// Launching a kernel, and the shared arrays that kernels declare.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cuda_on_cpu/shim/fail.hpp"
#include "cuda_on_cpu/shim/language.hpp"
#include "cuda_on_cpu/shim/runtime_api.hpp"

namespace simt {

struct Launch {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  const void* kernel = nullptr;
};

// Runs `body(argument)` in every thread of the grid, the whole grid before it returns.
cudaError_t run_grid(const Launch& launch, void (*body)(void*), void* argument);

template <class... Parameters, class... Arguments>
cudaError_t launch(dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream, void (*kernel)(Parameters...),
                   Arguments&&... arguments) {
  static_assert((std::is_trivially_copyable_v<Parameters> && ...), "the arguments of a kernel are copied as bytes");
  std::tuple<Parameters...> parameters(std::forward<Arguments>(arguments)...);
  auto call = [&] { std::apply(kernel, std::as_const(parameters)); };
  return run_grid(
      {grid, block, shared_bytes, stream, reinterpret_cast<const void*>(kernel)},
      [](void* body) { (*static_cast<decltype(call)*>(body))(); }, &call);
}

void* static_shared(const void* key, std::size_t bytes, const Site& where);
void* dynamic_shared_memory();

// The same array for all threads of a block; `Tag` tells it from others of its type.
template <class T, std::size_t N, class Tag>
T (&shared_array(Site where = Site::current()))
[N] {
  static_assert(std::is_trivially_default_constructible_v<T> && alignof(T) <= 16);
  static constexpr char key = 0;
  return *static_cast<T(*)[N]>(static_shared(&key, sizeof(T) * N, where));
}

// The array whose size the launch gave.
template <class T>
T* dynamic_shared() {
  static_assert(std::is_trivially_default_constructible_v<T> && alignof(T) <= 16);
  return static_cast<T*>(dynamic_shared_memory());
}

}  // namespace simt
