// What the machine is, what memory it has left, and what a case takes of it.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/bench/result.hpp"

namespace spineweave::bench {

[[nodiscard]] Machine describe_machine();

// Bytes that can still be taken before the machine swaps, or a container's limit kills. Nothing where the
// system does not say.
[[nodiscard]] std::optional<std::uint64_t> free_memory_bytes();

// The most memory that the program holds at once from here on.
class PeakMemory {
 public:
  PeakMemory();
  // Nothing where the system cannot start the count anew.
  [[nodiscard]] std::optional<std::uint64_t> bytes() const;

 private:
  bool is_reset_ = false;
};

}  // namespace spineweave::bench
