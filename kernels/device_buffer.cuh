// Memory on the device and the streams that work on it, each with one owner.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "check.hpp"
#include "platform.cuh"
#include "spineweave/error.hpp"

namespace spineweave::gpu {

// Throws Error{out_of_memory} with what was asked for and what is free.
[[nodiscard]] void* allocate_on_device(std::size_t bytes);
void release_on_device(void* memory) noexcept;

// An array of plain values on the device.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t count)
      : data_(static_cast<T*>(allocate_on_device(count * sizeof(T)))), size_(count) {}
  DeviceBuffer(std::span<const T> values, cudaStream_t stream) : DeviceBuffer(values.size()) { write(values, stream); }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~DeviceBuffer() { release_on_device(data_); }

  [[nodiscard]] T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  // Room for at least `count` values; what was there is lost where it grows.
  void reserve(std::size_t count) {
    if (count > size_) *this = DeviceBuffer(), *this = DeviceBuffer(count);
  }

  // Copies are in the order of the stream; the host's side must live until then.
  void write(std::span<const T> values, cudaStream_t stream) {
    if (values.empty()) return;
    SPINEWEAVE_CUDA_CHECK(cudaMemcpyAsync(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice, stream));
  }
  void read(std::span<T> values, cudaStream_t stream) const {
    if (values.empty()) return;
    SPINEWEAVE_CUDA_CHECK(cudaMemcpyAsync(values.data(), data_, values.size_bytes(), cudaMemcpyDeviceToHost, stream));
  }
  void copy_from(const DeviceBuffer& other, cudaStream_t stream) {
    if (other.size_ == 0) return;
    SPINEWEAVE_CUDA_CHECK(
        cudaMemcpyAsync(data_, other.data_, other.size_ * sizeof(T), cudaMemcpyDeviceToDevice, stream));
  }
  void fill_bytes(int value, cudaStream_t stream) {
    if (size_ > 0) SPINEWEAVE_CUDA_CHECK(cudaMemsetAsync(data_, value, size_ * sizeof(T), stream));
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// Makes a device the calling thread's while it lives: every thread starts out on device 0.
class DeviceScope {
 public:
  explicit DeviceScope(int device) {
    SPINEWEAVE_CUDA_CHECK(cudaGetDevice(&before_));
    if (device != before_) SPINEWEAVE_CUDA_CHECK(cudaSetDevice(device));
  }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;
  ~DeviceScope() {
    if (cudaSetDevice(before_) != cudaSuccess) (void)cudaGetLastError();
  }

 private:
  int before_ = 0;
};

// A queue of work on the device.
class Stream {
 public:
  Stream() { SPINEWEAVE_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (cudaStreamDestroy(stream_) != cudaSuccess) (void)cudaGetLastError();
  }
  [[nodiscard]] cudaStream_t get() const noexcept { return stream_; }
  void wait() const { SPINEWEAVE_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace spineweave::gpu
