// Devices, streams, events and errors. Everything is done when it is asked for, so that there is
// never anything to wait for.
#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdio>

#include "cuda_on_cpu/ptx/runtime.hpp"

namespace ptx {
namespace {

thread_local cudaError_t last_error = cudaSuccess;

struct Event {
  std::chrono::steady_clock::time_point recorded;
  bool is_recorded = false;
};

Event& as_event(cudaEvent_t event) { return *reinterpret_cast<Event*>(event); }

cudaError_t check_stream(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return cudaSuccess;
  const std::lock_guard lock(runtime().mutex);
  return runtime().streams.contains(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t check_device(int device) {
  const std::lock_guard lock(runtime().mutex);
  if (runtime().device_count == 0) return cudaErrorNoDevice;
  return device >= 0 && device < runtime().device_count ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t attribute_of_device(int* value, cudaDeviceAttr attribute) {
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor:
      *value = 7;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = 5;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = kMultiprocessors;
      break;
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxThreadsPerMultiProcessor:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
      *value = kMaxThreadsPerBlock;
      break;
    case cudaDevAttrMaxBlockDimZ:
      *value = 64;
      break;
    case cudaDevAttrMaxGridDimX:
      *value = 0x7FFFFFFF;
      break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
      *value = 65535;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = kSharedBytesPerBlock;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = kSharedBytesPerBlockOptIn;
      break;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      *value = 0;
      break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      *value = 65536;
      break;
    case cudaDevAttrWarpSize:
      *value = 32;
      break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      *value = 16;
      break;
    case cudaDevAttrUnifiedAddressing:
      *value = 1;
      break;
    case cudaDevAttrL2CacheSize:
      *value = 4 << 20;
      break;
    case cudaDevAttrMaxPitch:
      *value = 0x7FFFFFFF;
      break;
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrCooperativeLaunch:
      *value = 0;
      break;
    default:
      std::fprintf(stderr, "CUDA on the CPU: device attribute %d is not known\n", static_cast<int>(attribute));
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};

constexpr ErrorText kErrorTexts[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorMissingConfiguration, "cudaErrorMissingConfiguration", "__global__ function call is not configured"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
};

const ErrorText& text_of(cudaError_t error) {
  static constexpr ErrorText kUnknown = {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"};
  for (const ErrorText& text : kErrorTexts) {
    if (text.error == error) return text;
  }
  return kUnknown;
}

}  // namespace

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

}  // namespace ptx

using ptx::remember;
using ptx::runtime;

extern "C" {

cudaError_t cudaGetLastError() {
  const cudaError_t error = ptx::last_error;
  ptx::last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() { return ptx::last_error; }
const char* cudaGetErrorName(cudaError_t error) { return ptx::text_of(error).name; }
const char* cudaGetErrorString(cudaError_t error) { return ptx::text_of(error).text; }

cudaError_t cudaGetDeviceCount(int* count) {
  const std::lock_guard lock(runtime().mutex);
  if (runtime().device_count == 0) return remember(cudaErrorNoDevice);
  *count = runtime().device_count;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  const cudaError_t error = ptx::check_device(0);
  if (error == cudaSuccess) *device = 0;
  return remember(error);
}

cudaError_t cudaSetDevice(int device) { return remember(ptx::check_device(device)); }

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  const cudaError_t error = ptx::check_device(device);
  return remember(error != cudaSuccess ? error : ptx::attribute_of_device(value, attribute));
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (const cudaError_t error = ptx::check_device(device); error != cudaSuccess) return remember(error);
  const std::lock_guard lock(runtime().mutex);
  *properties = {};
  std::snprintf(properties->name, sizeof(properties->name), "PTX interpreter on the CPU");
  properties->major = 7;
  properties->minor = 5;
  properties->totalGlobalMem = runtime().memory.limit();
  properties->totalConstMem = 64 * 1024;
  properties->sharedMemPerBlock = ptx::kSharedBytesPerBlock;
  properties->sharedMemPerBlockOptin = ptx::kSharedBytesPerBlockOptIn;
  properties->sharedMemPerMultiprocessor = ptx::kSharedBytesPerBlockOptIn;
  properties->regsPerBlock = 65536;
  properties->regsPerMultiprocessor = 65536;
  properties->warpSize = 32;
  properties->maxThreadsPerBlock = ptx::kMaxThreadsPerBlock;
  properties->maxThreadsPerMultiProcessor = ptx::kMaxThreadsPerBlock;
  properties->maxBlocksPerMultiProcessor = 16;
  properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = ptx::kMaxThreadsPerBlock;
  properties->maxThreadsDim[2] = 64;
  properties->maxGridSize[0] = 0x7FFFFFFF;
  properties->maxGridSize[1] = properties->maxGridSize[2] = 65535;
  properties->multiProcessorCount = ptx::kMultiprocessors;
  properties->unifiedAddressing = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() { return remember(ptx::check_device(0)); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned /*flags*/) {
  if (const cudaError_t error = ptx::check_device(0); error != cudaSuccess) return remember(error);
  const std::lock_guard lock(runtime().mutex);
  *stream = reinterpret_cast<cudaStream_t>(new char);
  runtime().streams.insert(*stream);
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, 0); }

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const std::lock_guard lock(runtime().mutex);
  if (runtime().streams.erase(stream) == 0) return remember(cudaErrorInvalidResourceHandle);
  delete reinterpret_cast<char*>(stream);
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return remember(ptx::check_stream(stream)); }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return remember(ptx::check_stream(stream)); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t /*event*/, unsigned /*flags*/) {
  return remember(ptx::check_stream(stream));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned /*flags*/) {
  if (const cudaError_t error = ptx::check_device(0); error != cudaSuccess) return remember(error);
  const std::lock_guard lock(runtime().mutex);
  *event = reinterpret_cast<cudaEvent_t>(new ptx::Event);
  runtime().events.insert(*event);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const std::lock_guard lock(runtime().mutex);
  if (runtime().events.erase(event) == 0) return remember(cudaErrorInvalidResourceHandle);
  delete &ptx::as_event(event);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (const cudaError_t error = ptx::check_stream(stream); error != cudaSuccess) return remember(error);
  const std::lock_guard lock(runtime().mutex);
  if (!runtime().events.contains(event)) return remember(cudaErrorInvalidResourceHandle);
  ptx::as_event(event) = {std::chrono::steady_clock::now(), true};
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const std::lock_guard lock(runtime().mutex);
  return remember(runtime().events.contains(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const std::lock_guard lock(runtime().mutex);
  for (const cudaEvent_t event : {start, end}) {
    if (!runtime().events.contains(event) || !ptx::as_event(event).is_recorded) {
      return remember(cudaErrorInvalidResourceHandle);
    }
  }
  const std::chrono::duration<float, std::milli> elapsed = ptx::as_event(end).recorded - ptx::as_event(start).recorded;
  *milliseconds = elapsed.count();
  return cudaSuccess;
}

}  // extern "C"
