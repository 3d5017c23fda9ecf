// Runs one case as often as its time allows, and checks that every repetition gives the same result.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cli/bench/result.hpp"

namespace spineweave::bench {

struct MeasureOptions {
  std::string backend = "auto";
  std::uint32_t threads = 1;
  std::uint32_t repetitions = 0;            // 0: eleven, or as many as fit into a few seconds
  const std::atomic<bool>* stop = nullptr;  // set from outside (Ctrl-C): end soon
  std::function<void(const std::string& doing)> on_progress;
};

inline constexpr std::uint64_t kSeed = 1;

// Nothing where it was stopped. Throws Error{internal} where two repetitions give different results.
[[nodiscard]] std::optional<CaseResult> measure(const Case& subject, const MeasureOptions& options);

}  // namespace spineweave::bench
