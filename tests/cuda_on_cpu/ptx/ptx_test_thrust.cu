// Thrust on the stand-in runtime: radix sort, merge sort, look-back scans and reductions.
#include "ptx_test_thrust.hpp"

#include <cuda_runtime_api.h>
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#include <cstddef>
#include <stdexcept>

namespace ptx_test {
namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size) {
    if (size != 0) check(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    if (size_ != 0) check(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }
  std::vector<T> values(std::size_t count) const {
    std::vector<T> result(count);
    if (count != 0) check(cudaMemcpy(result.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost));
    return result;
  }
  std::vector<T> values() const { return values(size_); }

 private:
  std::size_t size_;
  T* data_ = nullptr;
};

struct MallocAllocator {
  using value_type = char;
  char* allocate(std::ptrdiff_t bytes) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, static_cast<std::size_t>(bytes)));
    return static_cast<char*>(memory);
  }
  void deallocate(char* memory, std::size_t) { cudaFree(memory); }
};

template <typename Work>
void with_policy(Policy policy, Work work) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  MallocAllocator allocator;
  if (policy == Policy::on_stream) {
    work(thrust::cuda::par.on(stream));
  } else {
    work(thrust::cuda::par_nosync(allocator).on(stream));
  }
  check(cudaStreamSynchronize(stream));
  check(cudaStreamDestroy(stream));
}

struct ByGroup {
  __host__ __device__ bool operator()(const Record16& a, const Record16& b) const {
    if (a.group != b.group) return a.group < b.group;
    if (a.value != b.value) return a.value < b.value;
    return a.id < b.id;
  }
};

struct ByKey {
  __host__ __device__ bool operator()(const Record24& a, const Record24& b) const {
    if (a.key != b.key) return a.key < b.key;
    if (a.value != b.value) return a.value > b.value;
    return a.id < b.id;
  }
};

// A record of one value: its sum so far in `key`, the largest value and the position that it has.
struct ToRecord {
  __host__ __device__ Record24 operator()(const thrust::tuple<std::int64_t, std::uint32_t>& item) const {
    const std::int64_t value = thrust::get<0>(item);
    return Record24{static_cast<std::uint64_t>(value), value, thrust::get<1>(item), 1};
  }
};

struct Combine {
  __host__ __device__ Record24 operator()(const Record24& a, const Record24& b) const {
    const bool second = b.value > a.value || (b.value == a.value && b.id < a.id);
    return Record24{a.key + b.key, second ? b.value : a.value, second ? b.id : a.id, a.flags + b.flags};
  }
};

struct IsPositive {
  const std::int64_t* values;
  __host__ __device__ bool operator()(std::uint32_t position) const { return values[position] > 0; }
};

struct AddPosition {
  __host__ __device__ std::int64_t operator()(std::int64_t value, std::uint32_t position) const {
    return value + static_cast<std::int64_t>(position) * 3;
  }
};

struct Square {
  __host__ __device__ std::uint64_t operator()(std::uint32_t value) const {
    return static_cast<std::uint64_t>(value) * value;
  }
};

struct Plus {
  __host__ __device__ std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
};

struct CountInto {
  std::uint32_t* counts;
  std::uint32_t bins;
  __device__ void operator()(std::uint32_t value) const { atomicAdd(&counts[value % bins], 1U); }
};

template <typename Key, typename Value, typename Sort>
void sort_pairs(Policy policy, std::vector<Key>& keys, std::vector<Value>& values, Sort sort) {
  const DeviceArray<Key> device_keys(keys);
  const DeviceArray<Value> device_values(values);
  with_policy(policy, [&](auto on) { sort(on, device_keys, device_values); });
  keys = device_keys.values();
  values = device_values.values();
}

template <typename Record, typename Before>
void sort_with(Policy policy, std::vector<Record>& records, Before before) {
  const DeviceArray<Record> device(records);
  with_policy(policy, [&](auto on) { thrust::sort(on, device.begin(), device.end(), before); });
  records = device.values();
}

}  // namespace

void sort_by_key_unsigned(Policy policy, std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values) {
  sort_pairs(policy, keys, values, [](auto on, const auto& device_keys, const auto& device_values) {
    thrust::sort_by_key(on, device_keys.begin(), device_keys.end(), device_values.begin());
  });
}

void stable_sort_by_key_signed(Policy policy, std::vector<std::int64_t>& keys, std::vector<std::uint32_t>& values) {
  sort_pairs(policy, keys, values, [](auto on, const auto& device_keys, const auto& device_values) {
    thrust::stable_sort_by_key(on, device_keys.begin(), device_keys.end(), device_values.begin());
  });
}

void stable_sort_by_key_narrow(Policy policy, std::vector<std::uint32_t>& keys, std::vector<Record16>& values) {
  sort_pairs(policy, keys, values, [](auto on, const auto& device_keys, const auto& device_values) {
    thrust::stable_sort_by_key(on, device_keys.begin(), device_keys.end(), device_values.begin());
  });
}

void sort_records(Policy policy, std::vector<Record16>& records) { sort_with(policy, records, ByGroup{}); }
void sort_records(Policy policy, std::vector<Record24>& records) { sort_with(policy, records, ByKey{}); }

std::pair<std::vector<std::uint32_t>, std::vector<Record24>> reduce_runs(Policy policy,
                                                                         const std::vector<std::uint32_t>& keys,
                                                                         const std::vector<std::int64_t>& values) {
  const DeviceArray<std::uint32_t> device_keys(keys);
  const DeviceArray<std::int64_t> device_values(values);
  const DeviceArray<std::uint32_t> run_keys(keys.size());
  const DeviceArray<Record24> run_records(keys.size());
  std::size_t num_runs = 0;
  with_policy(policy, [&](auto on) {
    const auto numbered =
        thrust::make_zip_iterator(device_values.begin(), thrust::make_counting_iterator<std::uint32_t>(0));
    const auto records = thrust::make_transform_iterator(numbered, ToRecord{});
    const auto ends = thrust::reduce_by_key(on, device_keys.begin(), device_keys.end(), records, run_keys.begin(),
                                            run_records.begin(), thrust::equal_to<std::uint32_t>(), Combine{});
    num_runs = static_cast<std::size_t>(ends.first - run_keys.begin());
  });
  return {run_keys.values(num_runs), run_records.values(num_runs)};
}

std::vector<std::uint32_t> copy_positive_positions(Policy policy, const std::vector<std::int64_t>& values) {
  const DeviceArray<std::int64_t> device(values);
  const DeviceArray<std::uint32_t> positions(values.size());
  std::size_t count = 0;
  with_policy(policy, [&](auto on) {
    const auto first = thrust::make_counting_iterator<std::uint32_t>(0);
    const auto end = thrust::copy_if(on, first, first + static_cast<std::uint32_t>(values.size()), positions.begin(),
                                     IsPositive{device.begin()});
    count = static_cast<std::size_t>(end - positions.begin());
  });
  return positions.values(count);
}

std::vector<std::int64_t> add_positions(Policy policy, const std::vector<std::int64_t>& values) {
  const DeviceArray<std::int64_t> device(values);
  const DeviceArray<std::int64_t> result(values.size());
  with_policy(policy, [&](auto on) {
    thrust::transform(on, device.begin(), device.end(), thrust::make_counting_iterator<std::uint32_t>(0),
                      result.begin(), AddPosition{});
  });
  return result.values();
}

std::vector<std::int64_t> inclusive_sums(Policy policy, const std::vector<std::int64_t>& values) {
  const DeviceArray<std::int64_t> device(values);
  with_policy(policy, [&](auto on) { thrust::inclusive_scan(on, device.begin(), device.end(), device.begin()); });
  return device.values();
}

std::vector<std::uint32_t> exclusive_sums(Policy policy, const std::vector<std::uint32_t>& values) {
  const DeviceArray<std::uint32_t> device(values);
  with_policy(policy, [&](auto on) { thrust::exclusive_scan(on, device.begin(), device.end(), device.begin()); });
  return device.values();
}

std::uint64_t sum_of_squares(Policy policy, const std::vector<std::uint32_t>& values) {
  const DeviceArray<std::uint32_t> device(values);
  std::uint64_t result = 0;
  with_policy(policy, [&](auto on) {
    result = thrust::transform_reduce(on, device.begin(), device.end(), Square{}, std::uint64_t{0}, Plus{});
  });
  return result;
}

std::vector<std::uint32_t> count_values(Policy policy, const std::vector<std::uint32_t>& values, std::uint32_t bins) {
  const DeviceArray<std::uint32_t> device(values);
  const DeviceArray<std::uint32_t> counts(std::vector<std::uint32_t>(bins, 0));
  with_policy(policy, [&](auto on) {
    thrust::for_each(on, device.begin(), device.end(), CountInto{counts.begin(), bins});
  });
  return counts.values();
}

}  // namespace ptx_test
