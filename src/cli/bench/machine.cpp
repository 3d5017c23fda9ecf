#include "cli/bench/machine.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "spineweave/evaluator.hpp"
#include "spineweave/threads.hpp"
#include "util/text.hpp"

namespace spineweave::bench {
namespace {

// A line like "MemAvailable:   24068320 kB" of a file in /proc.
std::optional<std::uint64_t> read_kilobytes(const char* path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const std::string_view value = util::trim(std::string_view(line).substr(key.size()));
    if (const auto number = util::parse_unsigned(value.substr(0, value.find(' ')))) return *number * 1024;
  }
  return std::nullopt;
}

// A file of a control group: one number, or "max".
std::optional<std::uint64_t> read_limit(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return util::parse_unsigned(line);
}

std::string cpu_name() {
  for (const Capabilities& backend : list_backends())
    if (backend.name == "cpu") return backend.device;
  return "unknown";
}

}  // namespace

Machine describe_machine() {
  Machine machine;
  machine.cpu = cpu_name();
#if defined(__clang__)
  machine.compiler = __VERSION__;
#else
  machine.compiler = "g++ " __VERSION__;
#endif
  machine.threads = hardware_threads();
  machine.memory_bytes = read_kilobytes("/proc/meminfo", "MemTotal:").value_or(0);
  if (getloadavg(&machine.load_average, 1) != 1) machine.load_average = 0;
  return machine;
}

std::optional<std::uint64_t> free_memory_bytes() {
  auto free = read_kilobytes("/proc/meminfo", "MemAvailable:");
  const auto limit = read_limit("/sys/fs/cgroup/memory.max");
  const auto used = read_limit("/sys/fs/cgroup/memory.current");
  if (free && limit && used) free = std::min(*free, *limit - std::min(*limit, *used));
  return free;
}

PeakMemory::PeakMemory() {
  // What earlier cases left in the heap would count as this one's.
  malloc_trim(0);
  std::ofstream file("/proc/self/clear_refs");
  is_reset_ = static_cast<bool>(file << "5" << std::flush);
}

std::optional<std::uint64_t> PeakMemory::bytes() const {
  return is_reset_ ? read_kilobytes("/proc/self/status", "VmHWM:") : std::nullopt;
}

}  // namespace spineweave::bench
