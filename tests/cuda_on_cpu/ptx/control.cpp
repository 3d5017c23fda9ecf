#include "cuda_on_cpu/ptx/control.hpp"

#include "cuda_on_cpu/ptx/runtime.hpp"

namespace ptx {

Runtime& runtime() {
  // Never destroyed: programs unregister their fat binaries after static objects are gone.
  static Runtime* const state = new Runtime;
  return *state;
}

void set_schedule(const Schedule& schedule) {
  const std::lock_guard lock(runtime().mutex);
  runtime().schedule = schedule;
}

void set_memory_limit(std::uint64_t bytes) {
  const std::lock_guard lock(runtime().mutex);
  runtime().memory.set_limit(bytes);
}

void set_device_count(int count) {
  const std::lock_guard lock(runtime().mutex);
  runtime().device_count = count;
}

Stats stats() {
  const std::lock_guard lock(runtime().mutex);
  return runtime().stats;
}

void reset_stats() {
  const std::lock_guard lock(runtime().mutex);
  runtime().stats = {};
}

std::string last_fault() {
  const std::lock_guard lock(runtime().mutex);
  return runtime().last_fault;
}

}  // namespace ptx
