// Thrust's algorithms on the stand-in runtime give what the standard library's give, in every order of blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "cuda_on_cpu/ptx/control.hpp"
#include "cuda_on_cpu/ptx/ptx_test_thrust.hpp"

namespace {

using ptx_test::Policy;
using ptx_test::Record16;
using ptx_test::Record24;

struct Case {
  std::size_t size;
  ptx::Order order;
  Policy policy;
};

std::uint64_t pick(std::mt19937_64& random, std::uint64_t bound) { return random() % bound; }

class PtxThrust : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override { ptx::set_schedule({.order = GetParam().order, .seed = 3}); }
  void TearDown() override { ptx::set_schedule({}); }

  std::size_t size() const { return GetParam().size; }
  Policy policy() const { return GetParam().policy; }
  std::vector<std::int64_t> signed_values(std::uint64_t bound) {
    std::vector<std::int64_t> values(size());
    for (auto& value : values) {
      value = static_cast<std::int64_t>(pick(random_, bound)) - static_cast<std::int64_t>(bound / 2);
    }
    return values;
  }
  std::vector<std::uint32_t> small_values(std::uint64_t bound) {
    std::vector<std::uint32_t> values(size());
    for (auto& value : values) value = static_cast<std::uint32_t>(pick(random_, bound));
    return values;
  }
  std::vector<std::uint32_t> positions() const {
    std::vector<std::uint32_t> values(size());
    std::iota(values.begin(), values.end(), 0U);
    return values;
  }

  std::mt19937_64 random_{17};
};

TEST_P(PtxThrust, SortsUnsignedKeysWithTheirValues) {
  std::vector<std::uint64_t> keys(size());
  for (std::size_t index = 0; index < size(); ++index) keys[index] = (random_() << 20) | index;  // all different
  std::vector<std::uint32_t> values = positions();
  const std::vector<std::uint64_t> before = keys;
  std::vector<std::uint64_t> expected = keys;
  std::sort(expected.begin(), expected.end());
  ptx_test::sort_by_key_unsigned(policy(), keys, values);
  ASSERT_EQ(keys, expected);
  for (std::size_t index = 0; index < size(); ++index) ASSERT_EQ(before[values[index]], keys[index]);
}

TEST_P(PtxThrust, SortsSignedKeysStably) {
  std::vector<std::int64_t> keys = signed_values(50);
  std::vector<std::uint32_t> values = positions();
  std::vector<std::uint32_t> expected = values;
  std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
  ptx_test::stable_sort_by_key_signed(policy(), keys, values);
  ASSERT_EQ(values, expected);
}

TEST_P(PtxThrust, SortsRecordsByNarrowKeysStably) {
  std::vector<std::uint32_t> keys = small_values(9);
  std::vector<Record16> records(size());
  for (std::size_t index = 0; index < size(); ++index) {
    records[index] = {keys[index], static_cast<std::uint32_t>(index), -static_cast<std::int64_t>(index)};
  }
  std::vector<Record16> expected = records;
  std::stable_sort(expected.begin(), expected.end(), [](auto& a, auto& b) { return a.group < b.group; });
  ptx_test::stable_sort_by_key_narrow(policy(), keys, records);
  ASSERT_EQ(records, expected);
}

TEST_P(PtxThrust, SortsRecordsOfSixteenBytesWithAComparator) {
  std::vector<Record16> records(size());
  for (std::size_t index = 0; index < size(); ++index) {
    records[index] = {static_cast<std::uint32_t>(pick(random_, 7)), static_cast<std::uint32_t>(index),
                      static_cast<std::int64_t>(pick(random_, 100)) - 50};
  }
  std::vector<Record16> expected = records;
  std::sort(expected.begin(), expected.end(),
            [](auto& a, auto& b) { return std::tie(a.group, a.value, a.id) < std::tie(b.group, b.value, b.id); });
  ptx_test::sort_records(policy(), records);
  ASSERT_EQ(records, expected);
}

TEST_P(PtxThrust, SortsRecordsOfTwentyFourBytesWithAComparator) {
  std::vector<Record24> records(size());
  for (std::size_t index = 0; index < size(); ++index) {
    records[index] = {pick(random_, 5) << 40, static_cast<std::int64_t>(pick(random_, 9)) - 4,
                      static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index % 3)};
  }
  std::vector<Record24> expected = records;
  std::sort(expected.begin(), expected.end(),
            [](auto& a, auto& b) { return std::tie(a.key, b.value, a.id) < std::tie(b.key, a.value, b.id); });
  ptx_test::sort_records(policy(), records);
  ASSERT_EQ(records, expected);
}

TEST_P(PtxThrust, ReducesRunsOfEqualKeysWithAnOperatorOfItsOwn) {
  std::vector<std::uint32_t> keys = small_values(3);
  const std::vector<std::int64_t> values = signed_values(6);
  std::vector<std::uint32_t> run_keys;
  std::vector<Record24> runs;
  for (std::uint32_t index = 0; index < size(); ++index) {
    if (index == 0 || keys[index] != keys[index - 1]) {
      run_keys.push_back(keys[index]);
      runs.push_back({0, values[index], index, 0});
    }
    runs.back().key += static_cast<std::uint64_t>(values[index]);
    runs.back().flags += 1;
    if (values[index] > runs.back().value) {
      runs.back().value = values[index];
      runs.back().id = index;
    }
  }
  const auto [found_keys, found] = ptx_test::reduce_runs(policy(), keys, values);
  ASSERT_EQ(found_keys, run_keys);
  ASSERT_EQ(found, runs);
}

TEST_P(PtxThrust, CopiesThePositionsThatQualify) {
  const std::vector<std::int64_t> values = signed_values(10);
  std::vector<std::uint32_t> expected;
  for (std::uint32_t index = 0; index < size(); ++index) {
    if (values[index] > 0) expected.push_back(index);
  }
  ASSERT_EQ(ptx_test::copy_positive_positions(policy(), values), expected);
}

TEST_P(PtxThrust, TransformsWithACountingIterator) {
  const std::vector<std::int64_t> values = signed_values(1000);
  std::vector<std::int64_t> expected = values;
  for (std::size_t index = 0; index < size(); ++index) expected[index] += static_cast<std::int64_t>(index) * 3;
  ASSERT_EQ(ptx_test::add_positions(policy(), values), expected);
}

TEST_P(PtxThrust, ScansInclusivelyAndExclusively) {
  const std::vector<std::int64_t> values = signed_values(std::uint64_t{1} << 40);
  std::vector<std::int64_t> expected(size());
  std::inclusive_scan(values.begin(), values.end(), expected.begin());
  ASSERT_EQ(ptx_test::inclusive_sums(policy(), values), expected);
  const std::vector<std::uint32_t> counts = small_values(100);
  std::vector<std::uint32_t> begins(size());
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0U);
  ASSERT_EQ(ptx_test::exclusive_sums(policy(), counts), begins);
}

TEST_P(PtxThrust, TransformsAndReduces) {
  const std::vector<std::uint32_t> values = small_values(1'000'000);
  std::uint64_t expected = 0;
  for (const std::uint64_t value : values) expected += value * value;
  ASSERT_EQ(ptx_test::sum_of_squares(policy(), values), expected);
}

TEST_P(PtxThrust, CountsWithAtomicsInForEach) {
  const std::vector<std::uint32_t> values = small_values(1000);
  std::vector<std::uint32_t> expected(13);
  for (const std::uint32_t value : values) ++expected[value % 13];
  ASSERT_EQ(ptx_test::count_values(policy(), values, 13), expected);
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const std::size_t size : {0U, 1U, 2U, 31U, 32U, 33U, 1023U}) {
    for (const ptx::Order order : {ptx::Order::ascending, ptx::Order::descending, ptx::Order::random}) {
      for (const Policy policy : {Policy::on_stream, Policy::nosync_with_allocator}) {
        result.push_back({size, order, policy});
      }
    }
  }
  // Several blocks, so that those of a scan wait for one another.
  result.push_back({70'000, ptx::Order::ascending, Policy::on_stream});
  result.push_back({70'000, ptx::Order::descending, Policy::nosync_with_allocator});
  result.push_back({70'000, ptx::Order::random, Policy::on_stream});
  return result;
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  const char* const orders[] = {"Ascending", "Descending", "Random"};
  return std::to_string(info.param.size) + orders[static_cast<int>(info.param.order)] +
         (info.param.policy == Policy::on_stream ? "OnStream" : "NoSync");
}

INSTANTIATE_TEST_SUITE_P(Sizes, PtxThrust, testing::ValuesIn(cases()), name_of);

}  // namespace
