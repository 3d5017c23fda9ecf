// Ctrl-C, while it lives: the first asks the work to end with what it has so far, the second kills.
#pragma once

#include <csignal>

#include <atomic>
#include <string>
#include <string_view>

namespace spineweave::cli {

inline constexpr int kInterruptedStatus = 128 + SIGINT;

class Interrupt {
 public:
  // `ending` is what the note on the first one says the program ends with.
  explicit Interrupt(std::string_view ending = "the best routing so far");
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] const std::atomic<bool>& seen() const;

 private:
  const std::string note_;
  struct sigaction before_ {};
};

}  // namespace spineweave::cli
