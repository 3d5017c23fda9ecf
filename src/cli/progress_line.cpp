#include "cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace spineweave::cli {
namespace {

constexpr std::chrono::milliseconds kBeforeFirst{1000};
constexpr std::chrono::milliseconds kBetween{200};
constexpr const char* kClearLine = "\r\033[K";

}  // namespace

ProgressLine::ProgressLine(bool quiet) {
  if (!quiet && isatty(STDERR_FILENO) == 1) thread_ = std::thread([this] { show_until_stopped(); });
}

void ProgressLine::set(std::string doing) {
  const std::lock_guard lock(mutex_);
  doing_ = std::move(doing);
}

void ProgressLine::finish() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_one();
  thread_.join();
}

// A thread of its own, so that the seconds go on counting through stages that report nothing.
void ProgressLine::show_until_stopped() {
  std::unique_lock lock(mutex_);
  const auto stopped = [this] { return stop_; };
  if (stopped_.wait_for(lock, kBeforeFirst, stopped)) return;
  do {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    fmt::print(stderr, "{}{:.1f} s: {}", kClearLine, elapsed.count(), doing_);
    std::fflush(stderr);
  } while (!stopped_.wait_for(lock, kBetween, stopped));
  fmt::print(stderr, "{}", kClearLine);
  std::fflush(stderr);
}

}  // namespace spineweave::cli
