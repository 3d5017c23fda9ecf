#include "device_buffer.cuh"

#include <string>

namespace spineweave::gpu {

void* allocate_on_device(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    std::size_t free = 0, total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess) (void)cudaGetLastError();
    throw Error(ErrorCode::out_of_memory,
                "the GPU has no memory for " + std::to_string(bytes) + " more bytes: " + std::to_string(free) +
                    " of its " + std::to_string(total) + " bytes are free; backend cpu gives the same results");
  }
  SPINEWEAVE_CUDA_CHECK(status);
  return memory;
}

void release_on_device(void* memory) noexcept {
  if (memory != nullptr && cudaFree(memory) != cudaSuccess) (void)cudaGetLastError();
}

}  // namespace spineweave::gpu
