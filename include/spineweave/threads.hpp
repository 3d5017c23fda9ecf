// How many threads work in parallel.
#pragma once

#include <cstdint>
#include <memory>

namespace spineweave {

// Sets the exact number of threads of all parallel work while it lives, even above the number of
// cores. Results never depend on it.
class ThreadScope {
 public:
  explicit ThreadScope(std::uint32_t threads);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What the machine has; at least 1.
[[nodiscard]] std::uint32_t hardware_threads();

}  // namespace spineweave
