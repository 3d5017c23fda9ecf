// Registration of device code and launches.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "cuda_on_cpu/ptx/fat_binary.hpp"
#include "cuda_on_cpu/ptx/fault.hpp"
#include "cuda_on_cpu/ptx/grid.hpp"
#include "cuda_on_cpu/ptx/runtime.hpp"

namespace ptx {

const Kernel* decoded(RegisteredKernel& kernel) {
  if (kernel.unit->module == nullptr) {
    kernel.unit->module = std::make_unique<Module>(find_ptx(kernel.unit->wrapper), runtime().memory);
  }
  return kernel.unit->module->kernel(kernel.name);
}

namespace {

struct CallConfiguration {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};

// Between the two halves of <<<>>>, on each host thread for itself.
thread_local std::vector<CallConfiguration> call_configurations;

bool is_valid_shape(const dim3& grid, const dim3& block) {
  const bool is_empty = grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  return !is_empty && threads <= kMaxThreadsPerBlock && block.z <= 64 && grid.x <= 0x7FFFFFFF && grid.y <= 65535 &&
         grid.z <= 65535;
}

cudaError_t check_launch(const RegisteredKernel& registered, const Kernel& kernel, const CallConfiguration& call) {
  if (!is_valid_shape(call.grid, call.block)) return cudaErrorInvalidConfiguration;
  if (call.block.x * call.block.y * call.block.z > kernel.max_threads) return cudaErrorInvalidConfiguration;
  const std::size_t allowed =
      registered.max_dynamic_shared_bytes >= 0
          ? static_cast<std::size_t>(registered.max_dynamic_shared_bytes)
          : kSharedBytesPerBlock - std::min<std::size_t>(kernel.shared_bytes, kSharedBytesPerBlock);
  return call.shared_bytes <= allowed ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t report(const Fault& fault) {
  runtime().last_fault = fault.what();
  std::fprintf(stderr, "CUDA on the CPU: %s\n", fault.what());
  return fault.kind() == Fault::Kind::illegal_address ? cudaErrorIllegalAddress : cudaErrorLaunchFailure;
}

Extent to_extent(const dim3& size) { return {size.x, size.y, size.z}; }

cudaError_t launch(const void* stub, const CallConfiguration& call, void** arguments) {
  Runtime& state = runtime();
  const std::lock_guard lock(state.mutex);
  if (state.device_count == 0) return cudaErrorNoDevice;
  const auto found = state.kernels.find(stub);
  if (found == state.kernels.end()) return cudaErrorInvalidDeviceFunction;
  try {
    const Kernel* const kernel = decoded(found->second);
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    if (const cudaError_t error = check_launch(found->second, *kernel, call); error != cudaSuccess) return error;
    ++state.stats.launches;
    state.stats.kernels.insert(found->second.name);
    const LaunchRequest request{to_extent(call.grid), to_extent(call.block),
                                static_cast<std::uint32_t>(call.shared_bytes), arguments, state.schedule};
    run_grid(*kernel, state.memory, request, state.stats.instructions);
  } catch (const Fault& fault) {
    return report(fault);
  }
  return cudaSuccess;
}

}  // namespace
}  // namespace ptx

using ptx::remember;
using ptx::runtime;

extern "C" {

// nvcc's generated code calls these; no header declares them.
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int);
void __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*);
char __cudaInitModule(void**);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                               cudaStream_t stream);

void** __cudaRegisterFatBinary(void* wrapper) {
  const std::lock_guard lock(runtime().mutex);
  auto unit = std::make_unique<ptx::Unit>();
  unit->wrapper = wrapper;
  ptx::Unit* const handle = unit.get();
  runtime().units.insert(std::move(unit));
  return reinterpret_cast<void**>(handle);
}

void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}

void __cudaUnregisterFatBinary(void** handle) {
  const std::lock_guard lock(runtime().mutex);
  const auto* const unit = reinterpret_cast<const ptx::Unit*>(handle);
  std::erase_if(runtime().kernels, [&](const auto& kernel) { return kernel.second.unit == unit; });
  std::erase_if(runtime().units, [&](const auto& known) { return known.get() == unit; });
}

// Variables are reached from device code only, by their names.
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}

void __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  const std::lock_guard lock(runtime().mutex);
  runtime().kernels[stub] = {reinterpret_cast<ptx::Unit*>(handle), name};
}

char __cudaInitModule(void** /*handle*/) { return 1; }

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream) {
  ptx::call_configurations.push_back({grid, block, shared_bytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes, void* stream) {
  if (ptx::call_configurations.empty()) return remember(cudaErrorMissingConfiguration);
  const ptx::CallConfiguration call = ptx::call_configurations.back();
  ptx::call_configurations.pop_back();
  *grid = call.grid;
  *block = call.block;
  *shared_bytes = call.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = call.stream;
  return cudaSuccess;
}

// The handle of a kernel is the address of its stub.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(stub));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                               cudaStream_t stream) {
  return remember(ptx::launch(reinterpret_cast<const void*>(kernel), {grid, block, shared_bytes, stream}, arguments));
}

cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                             cudaStream_t stream) {
  return remember(ptx::launch(stub, {grid, block, shared_bytes, stream}, arguments));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* stub, void** arguments) {
  return remember(
      ptx::launch(stub, {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream}, arguments));
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* stub) {
  const std::lock_guard lock(runtime().mutex);
  const auto found = runtime().kernels.find(stub);
  if (found == runtime().kernels.end()) return remember(cudaErrorInvalidDeviceFunction);
  try {
    const ptx::Kernel* const kernel = ptx::decoded(found->second);
    if (kernel == nullptr) return remember(cudaErrorInvalidDeviceFunction);
    *attributes = {};
    attributes->sharedSizeBytes = kernel->shared_bytes;
    attributes->localSizeBytes = kernel->entry().local_bytes;
    attributes->maxThreadsPerBlock = static_cast<int>(kernel->max_threads);
    attributes->numRegs = 32;
    attributes->ptxVersion = 75;
    attributes->binaryVersion = 75;
    attributes->maxDynamicSharedSizeBytes =
        found->second.max_dynamic_shared_bytes >= 0
            ? found->second.max_dynamic_shared_bytes
            : std::max(0, ptx::kSharedBytesPerBlock - static_cast<int>(kernel->shared_bytes));
  } catch (const ptx::Fault& fault) {
    ptx::report(fault);
    return remember(cudaErrorNoKernelImageForDevice);
  }
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* stub, cudaFuncAttribute attribute, int value) {
  const std::lock_guard lock(runtime().mutex);
  const auto found = runtime().kernels.find(stub);
  if (found == runtime().kernels.end()) return remember(cudaErrorInvalidDeviceFunction);
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || value > ptx::kSharedBytesPerBlockOptIn) return remember(cudaErrorInvalidValue);
    found->second.max_dynamic_shared_bytes = value;
  }
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* /*stub*/, int block_size,
                                                                   std::size_t /*shared_bytes*/, unsigned /*flags*/) {
  if (block_size <= 0) return remember(cudaErrorInvalidValue);
  *blocks = std::max(1, ptx::kMaxThreadsPerBlock / block_size);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub, int block_size,
                                                          std::size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, stub, block_size, shared_bytes, 0);
}

}  // extern "C"
