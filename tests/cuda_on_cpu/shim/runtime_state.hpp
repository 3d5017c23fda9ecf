// What launches need to know of the runtime.
#pragma once

#include <cstddef>

#include "cuda_on_cpu/shim/runtime_api.hpp"

namespace simt {

// Remembers a failure for cudaGetLastError() of this thread, and passes the error on.
cudaError_t record(cudaError_t error);

// What every call returns while there is no device; cudaSuccess otherwise.
[[nodiscard]] cudaError_t device_error();

[[nodiscard]] bool is_stream(cudaStream_t stream);

// The dynamic shared memory that cudaFuncSetAttribute allowed a kernel, 0 if it never did.
[[nodiscard]] std::size_t raised_dynamic_shared(const void* kernel);

}  // namespace simt
