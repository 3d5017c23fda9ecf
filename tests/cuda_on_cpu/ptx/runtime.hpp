// The state behind the CUDA runtime's functions. Its mutex is held for the whole of a launch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "cuda_on_cpu/ptx/control.hpp"
#include "cuda_on_cpu/ptx/memory.hpp"
#include "cuda_on_cpu/ptx/module.hpp"

namespace ptx {

// What one fat binary registered; its text is read when a kernel of it is first needed.
struct Unit {
  const void* wrapper = nullptr;
  std::unique_ptr<Module> module;
};

struct RegisteredKernel {
  Unit* unit = nullptr;
  std::string name;
  int max_dynamic_shared_bytes = -1;  // as set by the program; negative: the default
};

struct Runtime {
  std::mutex mutex;
  Memory memory;  // before the units, whose variables lie in it
  std::set<std::unique_ptr<Unit>> units;
  std::map<const void*, RegisteredKernel> kernels;  // by the host's stub
  std::set<cudaStream_t> streams;
  std::set<cudaEvent_t> events;
  Schedule schedule;
  int device_count = 1;
  Stats stats;
  std::string last_fault;
};

Runtime& runtime();

inline constexpr int kMaxThreadsPerBlock = 1024;
inline constexpr int kSharedBytesPerBlock = 48 * 1024;
inline constexpr int kSharedBytesPerBlockOptIn = 64 * 1024;
inline constexpr int kMultiprocessors = 4;

// Remembers an error for cudaGetLastError, per thread as CUDA does, and gives it back.
cudaError_t remember(cudaError_t error);

// The decoded kernel. Throws Fault if there is no PTX to decode; null if the PTX has no such kernel.
// The caller holds the mutex.
const Kernel* decoded(RegisteredKernel& kernel);

}  // namespace ptx
