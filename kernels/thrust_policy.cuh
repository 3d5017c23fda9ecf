// How Thrust's algorithms run: on the device in the order of a stream, or, in the stand-in for CUDA, on
// oneTBB's threads. Thrust takes long to compile, so only the few units that sort and reduce include it.
#pragma once

#include <new>
#include <string>

#include "platform.cuh"
#include "scratch.cuh"
#include "spineweave/error.hpp"

#include <thrust/execution_policy.h>
#include <thrust/system_error.h>

#if defined(__CUDACC__)
#include <thrust/system/cuda/execution_policy.h>
#else
#include <thrust/system/tbb/execution_policy.h>
#endif

namespace spineweave::gpu {

[[noreturn]] inline void throw_out_of_memory() {
  throw Error(ErrorCode::out_of_memory,
              "the GPU has no memory for a sort or a reduction; backend cpu gives the same results");
}

// Calls body(policy); what Thrust throws comes out as the project's exception.
template <class Body>
auto with_thrust([[maybe_unused]] Scratch& scratch, [[maybe_unused]] cudaStream_t stream, Body&& body) {
  try {
#if defined(__CUDACC__)
    return body(thrust::cuda::par_nosync(scratch).on(stream));
#else
    const simt::DeviceScope device;
    return body(thrust::tbb::par);
#endif
  } catch (const Error&) {
    throw;
  } catch (const thrust::system_error& error) {
    (void)cudaGetLastError();
    if (error.code().value() == cudaErrorMemoryAllocation) throw_out_of_memory();
    throw Error(ErrorCode::internal, std::string("the GPU failed in a sort or a reduction: ") + error.what());
  } catch (const std::bad_alloc&) {
    (void)cudaGetLastError();
    throw_out_of_memory();
  }
}

}  // namespace spineweave::gpu
