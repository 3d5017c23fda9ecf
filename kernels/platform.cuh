// The one header through which device code sees CUDA. Under nvcc it is the runtime; under any other
// compiler it is the stand-in of tests/cuda_on_cpu, which runs the same kernels on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#if defined(__CUDACC__)

#include <cuda_runtime.h>

// A fixed array, and one of the size given at the launch, in the shared memory of a block.
#define SPINEWEAVE_SHARED_ARRAY(T, name, count) __shared__ T name[count]
#define SPINEWEAVE_SHARED_DYNAMIC(T, name)                                   \
  extern __shared__ __align__(16) unsigned char spineweave_dynamic_shared[]; \
  T* const name = reinterpret_cast<T*>(spineweave_dynamic_shared)

#else

#include <cuda_on_cpu/shim/cuda_runtime.hpp>

// The lambda's type tells one array of the program from another.
#define SPINEWEAVE_SHARED_ARRAY(T, name, count) T(&name)[count] = simt::shared_array<T, (count), decltype([] {})>()
#define SPINEWEAVE_SHARED_DYNAMIC(T, name) T* const name = simt::dynamic_shared<T>()

#endif

namespace spineweave::gpu {

struct LaunchShape {
  dim3 grid;
  unsigned block = 1;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};

// The only way in which this project starts a kernel. An empty grid is an error in CUDA: callers skip
// the launch where there is nothing to do.
template <class... Parameters, class... Arguments>
[[nodiscard]] cudaError_t launch(const LaunchShape& shape, void (*kernel)(Parameters...), Arguments&&... arguments) {
#if defined(__CUDACC__)
  cudaLaunchConfig_t config{};
  config.gridDim = shape.grid;
  config.blockDim = dim3(shape.block);
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = shape.stream;
  return cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(std::forward<Arguments>(arguments))...);
#else
  return simt::launch(shape.grid, dim3(shape.block), shape.shared_bytes, shape.stream, kernel,
                      static_cast<Parameters>(std::forward<Arguments>(arguments))...);
#endif
}

}  // namespace spineweave::gpu
