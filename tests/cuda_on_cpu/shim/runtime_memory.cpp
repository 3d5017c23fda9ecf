// Memory, streams and events of the runtime.
#include <chrono>
#include <mutex>
#include <new>
#include <set>

#include "cuda_on_cpu/shim/config.hpp"
#include "cuda_on_cpu/shim/device_heap.hpp"
#include "cuda_on_cpu/shim/runtime_api.hpp"
#include "cuda_on_cpu/shim/runtime_state.hpp"

// NOLINTBEGIN(readability-identifier-naming)
struct CUstream_st {};

struct CUevent_st {
  bool timed = true;
  bool recorded = false;
  std::chrono::steady_clock::time_point at;
};
// NOLINTEND(readability-identifier-naming)

namespace simt {
namespace {

using heap::Side;

constexpr std::align_val_t kHostAlignment{64};

// The handles and host addresses that were given out, so that others are refused.
struct Given {
  std::mutex mutex;
  std::set<const void*> streams;
  std::set<const void*> events;
  std::set<const void*> host_memory;
};

Given& given() {
  static Given& state = *new Given;
  return state;
}

void add(std::set<const void*>& handles, const void* handle) {
  const std::lock_guard lock(given().mutex);
  handles.insert(handle);
}

bool remove(std::set<const void*>& handles, const void* handle) {
  const std::lock_guard lock(given().mutex);
  return handles.erase(handle) > 0;
}

bool has(const std::set<const void*>& handles, const void* handle) {
  const std::lock_guard lock(given().mutex);
  return handles.contains(handle);
}

cudaError_t stream_error(cudaStream_t stream) {
  if (const cudaError_t error = device_error(); error != cudaSuccess) return error;
  return is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t event_error(cudaEvent_t event) {
  if (const cudaError_t error = device_error(); error != cudaSuccess) return error;
  return has(given().events, event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  Side to_side = Side::host;
  Side from_side = Side::host;
  switch (kind) {
    case cudaMemcpyHostToHost:
      break;
    case cudaMemcpyHostToDevice:
      to_side = Side::device;
      break;
    case cudaMemcpyDeviceToHost:
      from_side = Side::device;
      break;
    case cudaMemcpyDeviceToDevice:
      to_side = from_side = Side::device;
      break;
    case cudaMemcpyDefault:
      to_side = heap::side_of(to);
      from_side = heap::side_of(from);
      break;
    default:
      return cudaErrorInvalidMemcpyDirection;
  }
  return heap::copy(to, to_side, from, from_side, bytes) ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

bool is_stream(cudaStream_t stream) { return stream == nullptr || has(given().streams, stream); }

}  // namespace simt

cudaError_t cudaMalloc(void** address, std::size_t bytes) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  if (bytes == 0) {
    *address = nullptr;
    return cudaSuccess;
  }
  void* const allocated = simt::heap::allocate(bytes);
  if (allocated == nullptr) return simt::record(cudaErrorMemoryAllocation);
  *address = allocated;
  return cudaSuccess;
}

cudaError_t cudaFree(void* address) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  if (address == nullptr || simt::heap::release(address)) return cudaSuccess;
  return simt::record(cudaErrorInvalidValue);
}

cudaError_t cudaMallocHost(void** address, std::size_t bytes) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  if (bytes == 0) {
    *address = nullptr;
    return cudaSuccess;
  }
  void* const allocated = ::operator new(bytes, simt::kHostAlignment, std::nothrow);
  if (allocated == nullptr) return simt::record(cudaErrorMemoryAllocation);
  simt::add(simt::given().host_memory, allocated);
  *address = allocated;
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void* address) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  if (address == nullptr) return cudaSuccess;
  if (!simt::remove(simt::given().host_memory, address)) return simt::record(cudaErrorInvalidValue);
  ::operator delete(address, simt::kHostAlignment);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  const std::size_t used = simt::heap::bytes_in_use();
  *total = simt::memory_limit();
  *free = used < *total ? *total - used : 0;
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  if (const cudaError_t error = simt::stream_error(stream); error != cudaSuccess) return simt::record(error);
  return simt::record(simt::copy(to, from, bytes, kind));
}

cudaError_t cudaMemsetAsync(void* address, int value, std::size_t bytes, cudaStream_t stream) {
  if (const cudaError_t error = simt::stream_error(stream); error != cudaSuccess) return simt::record(error);
  return simt::record(simt::heap::set(address, value, bytes) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  if (flags > cudaStreamNonBlocking) return simt::record(cudaErrorInvalidValue);
  *stream = new CUstream_st;
  simt::add(simt::given().streams, *stream);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  if (!simt::remove(simt::given().streams, stream)) return simt::record(cudaErrorInvalidResourceHandle);
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return simt::record(simt::stream_error(stream)); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  if ((flags & ~cudaEventDisableTiming) != 0) return simt::record(cudaErrorInvalidValue);
  *event = new CUevent_st{.timed = flags == cudaEventDefault, .recorded = false, .at = {}};
  simt::add(simt::given().events, *event);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (const cudaError_t error = simt::stream_error(stream); error != cudaSuccess) return simt::record(error);
  if (const cudaError_t error = simt::event_error(event); error != cudaSuccess) return simt::record(error);
  event->recorded = true;
  event->at = std::chrono::steady_clock::now();
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) { return simt::record(simt::event_error(event)); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  for (const cudaEvent_t event : {start, end}) {
    if (const cudaError_t error = simt::event_error(event); error != cudaSuccess) return simt::record(error);
    if (!event->timed || !event->recorded) return simt::record(cudaErrorInvalidResourceHandle);
  }
  *milliseconds = std::chrono::duration<float, std::milli>(end->at - start->at).count();
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  if (!simt::remove(simt::given().events, event)) return simt::record(cudaErrorInvalidResourceHandle);
  delete event;
  return cudaSuccess;
}
