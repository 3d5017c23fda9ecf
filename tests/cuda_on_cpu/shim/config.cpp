#include "cuda_on_cpu/shim/config.hpp"

#include <atomic>
#include <cstring>
#include <mutex>

#include "cuda_on_cpu/shim/settings.hpp"

namespace simt {
namespace {

constinit std::mutex mutex;
constinit Schedule chosen_schedule;
constinit unsigned launches_to_failure = 0;

constinit std::atomic<std::size_t> chosen_memory_limit{kDefaultMemoryLimit};
constinit std::atomic<int> chosen_device_count{1};
constinit std::atomic<std::uint64_t> threads{0};
constinit std::atomic<std::uint64_t> launches{0};
constinit std::atomic<std::uint64_t> barriers{0};
constinit std::atomic<std::uint64_t> collectives{0};

}  // namespace

void set_schedule(const Schedule& schedule) {
  const std::lock_guard lock(mutex);
  chosen_schedule = schedule;
}

Schedule schedule() {
  const std::lock_guard lock(mutex);
  return chosen_schedule;
}

void set_memory_limit(std::size_t bytes) { chosen_memory_limit = bytes; }
std::size_t memory_limit() { return chosen_memory_limit; }

void set_device_count(int count) { chosen_device_count = count; }
int device_count() { return chosen_device_count; }

void fail_launch(unsigned n) {
  const std::lock_guard lock(mutex);
  launches_to_failure = n;
}

bool take_launch_failure() {
  const std::lock_guard lock(mutex);
  return launches_to_failure > 0 && --launches_to_failure == 0;
}

Stats stats() { return {threads, launches, barriers, collectives}; }

void add_stats(const Stats& more) {
  threads += more.threads;
  launches += more.launches;
  barriers += more.barriers;
  collectives += more.collectives;
}

void fill_with_garbage(void* memory, std::size_t bytes, std::uint64_t seed) {
  auto* const out = static_cast<unsigned char*>(memory);
  std::uint64_t word = mix(seed, bytes);
  std::size_t at = 0;
  for (; at + sizeof word <= bytes; at += sizeof word) {
    std::memcpy(out + at, &word, sizeof word);
    word += 0x9E3779B97F4A7C15U;
  }
  std::memcpy(out + at, &word, bytes - at);
}

}  // namespace simt
