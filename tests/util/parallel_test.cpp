#include "util/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "spineweave/error.hpp"
#include "spineweave/threads.hpp"

namespace spineweave {
namespace {

// Waits in every chunk until `threads` distinct threads have come, so that the count is no accident.
std::size_t distinct_threads(std::uint32_t threads) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  std::atomic<std::size_t> count{0};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  util::parallel_chunks(4 * std::size_t{threads}, 1, [&](std::size_t, std::size_t) {
    {
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
      count = seen.size();
    }
    while (count < threads && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  });
  return seen.size();
}

TEST(Threads, AreExactlyAsManyAsAskedForEvenAboveTheCores) {
  for (const std::uint32_t threads : {1U, 2U, 3U, 8U}) {
    const ThreadScope scope(threads);
    EXPECT_EQ(distinct_threads(threads), threads);
  }
}

TEST(Threads, RefuseZero) { EXPECT_THROW(ThreadScope(0), Error); }

TEST(ParallelChunks, CoverEveryIndexOnceInFixedChunks) {
  for (const std::size_t count : {0UL, 1UL, 31UL, 32UL, 33UL, 1023UL}) {
    std::vector<std::atomic<int>> visits(count);
    util::parallel_chunks(count, 32, [&](std::size_t begin, std::size_t end) {
      EXPECT_EQ(begin % 32, 0U);
      EXPECT_EQ(end, std::min(count, begin + 32));
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    for (const auto& n : visits) EXPECT_EQ(n, 1);
  }
}

}  // namespace
}  // namespace spineweave
