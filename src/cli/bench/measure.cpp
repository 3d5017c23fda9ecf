#include "cli/bench/measure.hpp"

#include <fmt/format.h>

#include "cli/bench/operations.hpp"
#include "report/numbers.hpp"
#include "spineweave/threads.hpp"

namespace spineweave::bench {

std::optional<CaseResult> measure(const Case& subject, const MeasureOptions& options) {
  Recorder recorder(subject, options);
  if (const auto free = free_memory_bytes(); free && *free < subject.memory_bytes) {
    recorder.result().skipped =
        fmt::format("needs {} of memory, and {} is free", report::bytes(subject.memory_bytes), report::bytes(*free));
    return recorder.result();
  }
  const ThreadScope threads(recorder.result().threads);
  switch (subject.operation) {
    case Operation::score:
      score(recorder);
      break;
    case Operation::optimize:
      optimize(recorder);
      break;
    case Operation::repair:
      repair(recorder);
      break;
  }
  if (recorder.stopped()) return std::nullopt;
  return recorder.result();
}

}  // namespace spineweave::bench
