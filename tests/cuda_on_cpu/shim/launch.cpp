#include "cuda_on_cpu/shim/launch.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "cuda_on_cpu/shim/device_scope.hpp"
#include "cuda_on_cpu/shim/intrinsics.hpp"
#include "cuda_on_cpu/shim/limits.hpp"
#include "cuda_on_cpu/shim/runtime_state.hpp"
#include "cuda_on_cpu/shim/scheduler.hpp"
#include "cuda_on_cpu/shim/settings.hpp"

namespace simt {
namespace {

Scheduler& scheduler_of_kernel() {
  Scheduler* const scheduler = Scheduler::running();
  if (scheduler == nullptr) fail("a device function that needs a block was called outside a kernel");
  return *scheduler;
}

bool is_empty(const dim3& shape) { return shape.x == 0 || shape.y == 0 || shape.z == 0; }

void check_shape(const Launch& launch) {
  const dim3& block = launch.block;
  const auto row = std::uint64_t{block.x} * block.y;  // cannot wrap, unlike the product of all three
  if (row > kBlockThreads || block.z > kBlockDepth || row * block.z > kBlockThreads)
    fail("launch with more threads in a block than any device allows");
  if (launch.grid.x > kGridWidth || std::max(launch.grid.y, launch.grid.z) > kGridHeightAndDepth)
    fail("launch with a larger grid than any device allows");
  const std::size_t raised = raised_dynamic_shared(launch.kernel);
  if (launch.shared_bytes > std::max(kSharedBytes, raised))
    fail("launch with more dynamic shared memory than the kernel's attribute allows");
}

// In which the blocks run.
class BlockOrder {
 public:
  BlockOrder(const dim3& grid, const Schedule& schedule)
      : grid_(grid), count_(std::uint64_t{grid.x} * grid.y * grid.z), order_(schedule.order) {
    if (order_ != Order::random) return;
    shuffled_.resize(count_);
    std::iota(shuffled_.begin(), shuffled_.end(), std::uint64_t{0});
    for (std::uint64_t i = count_; i > 1; --i) std::swap(shuffled_[i - 1], shuffled_[mix(schedule.seed, i) % i]);
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }

  [[nodiscard]] uint3 operator[](std::uint64_t i) const {
    const std::uint64_t block =
        order_ == Order::random ? shuffled_[i] : (order_ == Order::descending ? count_ - 1 - i : i);
    const std::uint64_t row = block / grid_.x;
    return {static_cast<unsigned>(block % grid_.x), static_cast<unsigned>(row % grid_.y),
            static_cast<unsigned>(row / grid_.y)};
  }

 private:
  dim3 grid_;
  std::uint64_t count_;
  Order order_;
  std::vector<std::uint64_t> shuffled_;
};

}  // namespace

cudaError_t run_grid(const Launch& launch, void (*body)(void*), void* argument) {
  if (Scheduler::running() != nullptr) fail("launch from within a kernel");
  if (const cudaError_t error = device_error(); error != cudaSuccess) return record(error);
  if (!is_stream(launch.stream)) return record(cudaErrorInvalidResourceHandle);
  if (is_empty(launch.grid) || is_empty(launch.block)) return record(cudaErrorInvalidConfiguration);
  check_shape(launch);
  if (take_launch_failure()) return record(cudaErrorLaunchFailure);

  const Schedule in_force = schedule();
  const BlockOrder blocks(launch.grid, in_force);
  Scheduler& scheduler = Scheduler::of_this_thread();
  const DeviceScope open;
  scheduler.shared_memory().begin_grid(launch.shared_bytes, raised_dynamic_shared(launch.kernel));
  scheduler.begin_grid(launch.grid, launch.block, {body, argument}, in_force);
  for (std::uint64_t i = 0; i < blocks.count(); ++i) scheduler.run_block(blocks[i]);
  Stats ran = scheduler.end_grid();
  ran.launches = 1;
  add_stats(ran);
  return cudaSuccess;
}

void* static_shared(const void* key, std::size_t bytes, const Site& where) {
  return scheduler_of_kernel().shared_memory().array(key, bytes, where);
}

void* dynamic_shared_memory() { return scheduler_of_kernel().shared_memory().dynamic(); }

int block_barrier(bool predicate, const Site& where) { return scheduler_of_kernel().barrier(predicate, where); }

std::uint64_t warp_collective(Collective kind, unsigned mask, std::uint64_t value, int argument, int width,
                              const Site& where) {
  return scheduler_of_kernel().collective(kind, mask, value, argument, width, where);
}

void pause_thread() { scheduler_of_kernel().maybe_pause(); }

}  // namespace simt
