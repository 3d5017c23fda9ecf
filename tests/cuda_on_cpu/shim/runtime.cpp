// Errors, devices and kernel attributes.
#include <cstdio>
#include <map>
#include <mutex>

#include "cuda_on_cpu/shim/config.hpp"
#include "cuda_on_cpu/shim/language.hpp"
#include "cuda_on_cpu/shim/limits.hpp"
#include "cuda_on_cpu/shim/runtime_api.hpp"
#include "cuda_on_cpu/shim/runtime_state.hpp"

namespace simt {
namespace {

constinit thread_local cudaError_t last_error = cudaSuccess;
constinit thread_local int current_device = 0;

struct Raised {
  std::mutex mutex;
  std::map<const void*, std::size_t> bytes;
};

Raised& raised() {
  static Raised& state = *new Raised;
  return state;
}

bool is_device(int device) { return device >= 0 && device < device_count(); }

}  // namespace

cudaError_t record(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t device_error() { return device_count() > 0 ? cudaSuccess : cudaErrorNoDevice; }

std::size_t raised_dynamic_shared(const void* kernel) {
  const std::lock_guard lock(raised().mutex);
  const auto found = raised().bytes.find(kernel);
  return found == raised().bytes.end() ? 0 : found->second;
}

}  // namespace simt

cudaError_t cudaGetLastError() {
  const cudaError_t error = simt::last_error;
  simt::last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() { return simt::last_error; }

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInitializationError:
      return "cudaErrorInitializationError";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorInvalidMemcpyDirection:
      return "cudaErrorInvalidMemcpyDirection";
    case cudaErrorInsufficientDriver:
      return "cudaErrorInsufficientDriver";
    case cudaErrorNoDevice:
      return "cudaErrorNoDevice";
    case cudaErrorInvalidDevice:
      return "cudaErrorInvalidDevice";
    case cudaErrorNoKernelImageForDevice:
      return "cudaErrorNoKernelImageForDevice";
    case cudaErrorUnsupportedPtxVersion:
      return "cudaErrorUnsupportedPtxVersion";
    case cudaErrorInvalidResourceHandle:
      return "cudaErrorInvalidResourceHandle";
    case cudaErrorNotReady:
      return "cudaErrorNotReady";
    case cudaErrorIllegalAddress:
      return "cudaErrorIllegalAddress";
    case cudaErrorLaunchFailure:
      return "cudaErrorLaunchFailure";
    case cudaErrorUnknown:
      return "cudaErrorUnknown";
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInitializationError:
      return "initialization error";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorInvalidMemcpyDirection:
      return "invalid copy direction for memcpy";
    case cudaErrorInsufficientDriver:
      return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorNoDevice:
      return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorNoKernelImageForDevice:
      return "no kernel image is available for execution on the device";
    case cudaErrorUnsupportedPtxVersion:
      return "the provided PTX was compiled with an unsupported toolchain";
    case cudaErrorInvalidResourceHandle:
      return "invalid resource handle";
    case cudaErrorNotReady:
      return "device not ready";
    case cudaErrorIllegalAddress:
      return "an illegal memory access was encountered";
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
    case cudaErrorUnknown:
      return "unknown error";
  }
  return "unrecognized error code";
}

cudaError_t cudaGetDeviceCount(int* count) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  *count = simt::device_count();
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  *device = simt::current_device;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  if (!simt::is_device(device)) return simt::record(cudaErrorInvalidDevice);
  simt::current_device = device;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  if (!simt::is_device(device)) return simt::record(cudaErrorInvalidDevice);
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "CUDA shim on the CPU");
  properties->totalGlobalMem = simt::memory_limit();
  properties->sharedMemPerBlock = simt::kSharedBytes;
  properties->sharedMemPerBlockOptin = simt::kSharedOptinBytes;
  properties->major = simt::kMajor;
  properties->minor = simt::kMinor;
  properties->multiProcessorCount = simt::kMultiprocessors;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  if (!simt::is_device(device)) return simt::record(cudaErrorInvalidDevice);
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = static_cast<int>(simt::kBlockThreads);
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = static_cast<int>(simt::kSharedBytes);
      return cudaSuccess;
    case cudaDevAttrWarpSize:
      *value = warpSize;
      return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
      *value = simt::kMultiprocessors;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
      *value = simt::kMajor;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
      *value = simt::kMinor;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(simt::kSharedOptinBytes);
      return cudaSuccess;
  }
  return simt::record(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSynchronize() { return simt::record(simt::device_error()); }

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  // Static shared memory, registers and stack are not known here: zero.
  *attributes = {};
  attributes->maxThreadsPerBlock = static_cast<int>(simt::kBlockThreads);
  const std::size_t raised = simt::raised_dynamic_shared(kernel);
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(raised > 0 ? raised : simt::kSharedBytes);
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (const cudaError_t error = simt::device_error(); error != cudaSuccess) return simt::record(error);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
      static_cast<std::size_t>(value) > simt::kSharedOptinBytes)
    return simt::record(cudaErrorInvalidValue);
  const std::lock_guard lock(simt::raised().mutex);
  simt::raised().bytes[kernel] = static_cast<std::size_t>(value);
  return cudaSuccess;
}
