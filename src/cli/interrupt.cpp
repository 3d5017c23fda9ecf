#include "cli/interrupt.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace spineweave::cli {
namespace {

std::atomic<bool> interrupted = false;
std::string_view note;  // set while no handler is installed
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

void on_interrupt(int) {
  interrupted = true;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, note.data(), note.size());
}

}  // namespace

Interrupt::Interrupt(std::string_view ending)
    : note_(fmt::format("\nspineweave: interrupted, ending with {}\n", ending)) {
  note = note_;
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
