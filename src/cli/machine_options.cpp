#include "cli/machine_options.hpp"

#include "spineweave/evaluator.hpp"
#include "spineweave/threads.hpp"

namespace spineweave::cli {
namespace {

const std::string kGroup = "Machine";
constexpr std::uint64_t kMostThreads = 1024;

}  // namespace

void add_machine_options(CommandLine& line) {
  line.add_option(kGroup, "threads", "Threads to use; changes no result (default: one per core)", "N");
  line.add_option(kGroup, "backend", "Where to compute; changes no result (default: auto, see 'spineweave backends')",
                  "NAME");
}

std::uint32_t threads_of(const CommandLine& line) {
  return static_cast<std::uint32_t>(line.number_or("threads", hardware_threads(), 1, kMostThreads));
}

std::string checked_backend(const CommandLine& line) {
  std::string backend = line.text("backend").value_or("auto");
  check_backend(backend);
  return backend;
}

}  // namespace spineweave::cli
