// Turns CUDA's error codes into the project's exception.
#pragma once

#include "platform.cuh"

namespace spineweave::gpu {

// Throws Error: out_of_memory where the device has no memory left, else internal; the message holds
// the call, the file and the line. The error is cleared first, so that the process can go on.
void check(cudaError_t status, const char* call, const char* file, int line);

}  // namespace spineweave::gpu

#define SPINEWEAVE_CUDA_CHECK(call) ::spineweave::gpu::check((call), #call, __FILE__, __LINE__)
