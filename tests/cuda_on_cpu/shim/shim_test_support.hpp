// What the tests of the shim share.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <initializer_list>
#include <ostream>
#include <utility>
#include <vector>

#include "cuda_on_cpu/shim/config.hpp"
#include "cuda_on_cpu/shim/cuda_runtime.hpp"

namespace simt {

inline void PrintTo(const Schedule& schedule, std::ostream* out) {
  *out << "order " << static_cast<int>(schedule.order) << ", seed " << schedule.seed << ", pauses "
       << schedule.preempt_permille << " per mille";
}

}  // namespace simt

namespace spineweave::test {

// Leaves the settings of the shim as they are by default.
class ShimTest : public testing::Test {
 protected:
  void SetUp() override { reset(); }
  void TearDown() override { reset(); }

 private:
  static void reset() {
    simt::set_schedule({});
    simt::set_memory_limit(simt::kDefaultMemoryLimit);
    simt::set_device_count(1);
    simt::fail_launch(0);
    (void)cudaGetLastError();
  }
};

// An array in device memory.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    EXPECT_EQ(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
  }
  explicit DeviceArray(std::initializer_list<T> values) : DeviceArray(std::vector<T>(values)) {}
  // Holds garbage.
  explicit DeviceArray(std::size_t size) : size_(size) { EXPECT_EQ(cudaMalloc(&data_, size * sizeof(T)), cudaSuccess); }
  ~DeviceArray() { EXPECT_EQ(cudaFree(data_), cudaSuccess); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::vector<T> values() const {
    std::vector<T> host(size_);
    EXPECT_EQ(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class... Parameters, class... Arguments>
void run(dim3 grid, dim3 block, void (*kernel)(Parameters...), Arguments... arguments) {
  EXPECT_EQ(simt::launch(grid, block, 0, nullptr, kernel, arguments...), cudaSuccess);
}

inline std::vector<simt::Schedule> all_schedules() {
  constexpr unsigned often = 300;
  std::vector<simt::Schedule> schedules;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    schedules.push_back({simt::Order::ascending, seed, 0});
    schedules.push_back({simt::Order::descending, seed, 0});
    schedules.push_back({simt::Order::random, seed, 0});
    schedules.push_back({simt::Order::random, seed, often});
  }
  return schedules;
}

}  // namespace spineweave::test
