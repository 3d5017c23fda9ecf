// Allocation and copies.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>

#include "cuda_on_cpu/ptx/runtime.hpp"

namespace ptx {
namespace {

using Kind = Memory::Kind;

cudaError_t allocate(void** pointer, std::size_t bytes, Kind kind) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  const std::lock_guard lock(runtime().mutex);
  if (runtime().device_count == 0) return cudaErrorNoDevice;
  if (bytes == 0) {
    *pointer = nullptr;
    return cudaSuccess;
  }
  void* const memory = runtime().memory.allocate(bytes, kind);
  if (memory == nullptr) return cudaErrorMemoryAllocation;
  *pointer = memory;
  return cudaSuccess;
}

cudaError_t release(void* pointer, Kind kind) {
  if (pointer == nullptr) return cudaSuccess;
  const std::lock_guard lock(runtime().mutex);
  return runtime().memory.release(pointer, kind) ? cudaSuccess : cudaErrorInvalidValue;
}

// Each side must be what the kind of copy says: a host address where the device's is due is a bug that
// only a GPU would show.
cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  const std::lock_guard lock(runtime().mutex);
  const Memory& memory = runtime().memory;
  const auto is_side = [&](const void* address, bool device) {
    return device ? memory.is_device(address, bytes) : address != nullptr && !memory.touches_device(address);
  };
  bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind == cudaMemcpyDefault) {
    to_device = memory.touches_device(to);
    from_device = memory.touches_device(from);
  }
  if (!is_side(to, to_device) || !is_side(from, from_device)) return cudaErrorInvalidValue;
  std::memmove(to, from, bytes);
  return cudaSuccess;
}

cudaError_t fill(void* to, int value, std::size_t bytes) {
  if (bytes == 0) return cudaSuccess;
  const std::lock_guard lock(runtime().mutex);
  if (!runtime().memory.is_device(to, bytes)) return cudaErrorInvalidValue;
  std::memset(to, value, bytes);
  return cudaSuccess;
}

}  // namespace
}  // namespace ptx

using ptx::remember;
using ptx::runtime;

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return remember(ptx::allocate(pointer, bytes, ptx::Kind::device));
}

cudaError_t cudaFree(void* pointer) { return remember(ptx::release(pointer, ptx::Kind::device)); }

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t /*stream*/) {
  return cudaMalloc(pointer, bytes);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t /*stream*/) { return cudaFree(pointer); }

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  return remember(ptx::allocate(pointer, bytes, ptx::Kind::host));
}

cudaError_t cudaFreeHost(void* pointer) { return remember(ptx::release(pointer, ptx::Kind::host)); }

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return remember(ptx::copy(to, from, bytes, kind));
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t /*stream*/) {
  return remember(ptx::copy(to, from, bytes, kind));
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) { return remember(ptx::fill(to, value, bytes)); }

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t /*stream*/) {
  return remember(ptx::fill(to, value, bytes));
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  const std::lock_guard lock(runtime().mutex);
  if (runtime().device_count == 0) return remember(cudaErrorNoDevice);
  const ptx::Memory& memory = runtime().memory;
  *total_bytes = memory.limit();
  *free_bytes = memory.limit() - std::min(memory.limit(), memory.device_bytes());
  return cudaSuccess;
}

}  // extern "C"
