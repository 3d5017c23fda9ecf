// Ctrl-C, while it lives: the first asks the search to end with its best so far, the second kills.
#pragma once

#include <csignal>

#include <atomic>

namespace spineweave::cli {

inline constexpr int kInterruptedStatus = 128 + SIGINT;

class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] const std::atomic<bool>& seen() const;

 private:
  struct sigaction before_ {};
};

}  // namespace spineweave::cli
