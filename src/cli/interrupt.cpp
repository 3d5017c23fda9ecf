#include "cli/interrupt.hpp"

#include <unistd.h>

#include <string_view>

namespace spineweave::cli {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

void on_interrupt(int) {
  interrupted = true;
  constexpr std::string_view note = "\nspineweave: interrupted, ending with the best routing so far\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, note.data(), note.size());
}

}  // namespace

Interrupt::Interrupt() {
  interrupted = false;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  // SA_RESETHAND: the second one finds the default action, which kills.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, &before_);
}

Interrupt::~Interrupt() { sigaction(SIGINT, &before_, nullptr); }

const std::atomic<bool>& Interrupt::seen() const { return interrupted; }

}  // namespace spineweave::cli
