// What the kernels of ptx_test_kernels.cu offer to the tests. Each runs one kernel and gives its error.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace ptx_test {

// Results of many operations on one pair of numbers, computed by the same source on host and device.
inline constexpr std::size_t kResultsPerPair = 64;
void compute_on_host(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* results, std::uint32_t count);
cudaError_t compute_on_device(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* results,
                              std::uint32_t count);

inline constexpr std::size_t kWarpResults = 16;
cudaError_t warp_operations(std::uint32_t* results);                                            // [32 * kWarpResults]
cudaError_t update_atomically(std::uint64_t* results, std::uint32_t blocks);                    // [16], zero before
cudaError_t sum_blocks(const std::uint32_t* values, std::uint32_t count, std::uint64_t* sums);  // [blocks of 128]
cudaError_t count_with_barriers(std::uint32_t* results);                                        // [3]
cudaError_t use_local_memory(std::uint32_t* results, std::uint32_t count);
cudaError_t use_generic_addresses(std::uint32_t* results);  // [64]
cudaError_t read_variables(std::uint64_t* results);         // [8]
cudaError_t call_functions(std::uint64_t* results, std::uint32_t count);
std::uint64_t call_functions_on_host(std::uint32_t index);
cudaError_t copy_vectors(const std::uint32_t* from, std::uint32_t* to);           // [32 * 4]
cudaError_t wait_for_earlier_blocks(std::uint32_t* state, std::uint32_t blocks);  // [1 + blocks], zero before
cudaError_t take_a_lock(std::uint32_t* state, std::uint32_t blocks);              // [2], zero before
cudaError_t launch_with_chevrons(std::uint32_t* results, std::uint32_t count);
cudaError_t spin(std::uint32_t* counter, std::uint32_t threads, std::uint32_t rounds);

// Each does one thing wrong.
cudaError_t read_beyond(std::uint32_t* memory, std::uint32_t index);
cudaError_t read_misaligned(std::uint32_t* memory);
cudaError_t write_beyond_shared(std::uint32_t index);
cudaError_t read_beyond_dynamic_shared(std::uint32_t* result, std::uint32_t index, std::size_t shared_bytes);
cudaError_t skip_a_barrier(std::uint32_t* result);
cudaError_t diverge_in_warp(std::uint32_t* result);
cudaError_t wait_for_missing_lane(std::uint32_t* result);
cudaError_t trap();
cudaError_t fail_assertion(std::uint32_t value);
cudaError_t hang(std::uint32_t* flag);
cudaError_t forget_a_barrier(std::uint32_t* results);  // [64]: neighbours' values, which may not be there yet
cudaError_t leak_shared(std::uint32_t* results);       // [64]: what shared memory held

}  // namespace ptx_test
