// The Thrust calls that the tests compare with the standard algorithms; plain host types only.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace ptx_test {

struct Record16 {
  std::uint32_t group;
  std::uint32_t id;
  std::int64_t value;
  bool operator==(const Record16&) const = default;
};

struct Record24 {
  std::uint64_t key;
  std::int64_t value;
  std::uint32_t id;
  std::uint32_t flags;
  bool operator==(const Record24&) const = default;
};

// Which execution policy runs the calls: par.on(stream), or par_nosync with an allocator of our own.
enum class Policy { on_stream, nosync_with_allocator };

void sort_by_key_unsigned(Policy policy, std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values);
void stable_sort_by_key_signed(Policy policy, std::vector<std::int64_t>& keys, std::vector<std::uint32_t>& values);
void stable_sort_by_key_narrow(Policy policy, std::vector<std::uint32_t>& keys, std::vector<Record16>& values);
void sort_records(Policy policy, std::vector<Record16>& records);  // by group, then value, then id
void sort_records(Policy policy, std::vector<Record24>& records);  // by key, then value descending, then id

// Per run of equal keys: the group's key, and the sum and the maximum (with the lowest position) of the values.
std::pair<std::vector<std::uint32_t>, std::vector<Record24>> reduce_runs(Policy policy,
                                                                         const std::vector<std::uint32_t>& keys,
                                                                         const std::vector<std::int64_t>& values);
std::vector<std::uint32_t> copy_positive_positions(Policy policy, const std::vector<std::int64_t>& values);
std::vector<std::int64_t> add_positions(Policy policy, const std::vector<std::int64_t>& values);
std::vector<std::int64_t> inclusive_sums(Policy policy, const std::vector<std::int64_t>& values);
std::vector<std::uint32_t> exclusive_sums(Policy policy, const std::vector<std::uint32_t>& values);
std::uint64_t sum_of_squares(Policy policy, const std::vector<std::uint32_t>& values);
std::vector<std::uint32_t> count_values(Policy policy, const std::vector<std::uint32_t>& values, std::uint32_t bins);

}  // namespace ptx_test
