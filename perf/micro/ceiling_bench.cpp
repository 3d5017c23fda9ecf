// What this machine can do at most: reads from its caches, copies in its memory.
#include <chrono>
#include <cstring>

#include "perf/micro/micro.hpp"

namespace spineweave::perf {
namespace {

// The best vector loads that the machine has, many at a time.
#if defined(__x86_64__)
[[gnu::target_clones("avx512f", "avx2", "default")]]
#endif
std::uint64_t
read_all(const std::uint64_t* words, std::size_t count) {
  std::uint64_t sums[64] = {};
  for (std::size_t i = 0; i < count; i += 64)
    for (std::size_t j = 0; j < 64; ++j) sums[j] |= words[i + j];
  std::uint64_t all = 0;
  for (const std::uint64_t sum : sums) all |= sum;
  return all;
}

void read(benchmark::State& state) {
  const std::vector<std::uint64_t> words(static_cast<std::size_t>(state.range(0)) / sizeof(std::uint64_t), 1);
  for (auto _ : state) benchmark::DoNotOptimize(read_all(words.data(), words.size()));
  count(state, words.size(), words.size() * sizeof(std::uint64_t));
}
BENCHMARK(read)->Arg(kL1Bytes)->Arg(kL2Bytes)->Arg(std::int64_t{256} << 20U);

// STREAM's copy (McCalpin): bytes read and bytes written both count.
void copy(benchmark::State& state) {
  const std::vector<char> from(static_cast<std::size_t>(state.range(0)), 1);
  std::vector<char> to(from.size());
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::ClobberMemory();
  }
  count(state, from.size(), 2 * from.size());
}
BENCHMARK(copy)->Arg(std::int64_t{256} << 20U);

double measure_read_rate(std::size_t bytes) {
  using Clock = std::chrono::steady_clock;
  const std::vector<std::uint64_t> words(bytes / sizeof(std::uint64_t), 1);
  double best = 0;
  for (int repetition = 0; repetition < 50; ++repetition) {
    const auto begin = Clock::now();
    constexpr int kPasses = 20;
    for (int pass = 0; pass < kPasses; ++pass) benchmark::DoNotOptimize(read_all(words.data(), words.size()));
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    best = std::max(best, static_cast<double>(bytes) * kPasses / seconds);
  }
  return best;
}

}  // namespace

double read_rate(std::size_t bytes) {
  static const double from_l1 = measure_read_rate(kL1Bytes), from_l2 = measure_read_rate(kL2Bytes);
  return bytes <= kL1Bytes ? from_l1 : from_l2;
}

}  // namespace spineweave::perf
