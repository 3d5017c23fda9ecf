// What the program is doing, on one line of a terminal, once that takes longer than a second.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace spineweave::cli {

class ProgressLine {
 public:
  // Shows nothing where standard error is no terminal.
  explicit ProgressLine(bool quiet);
  ~ProgressLine() { finish(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // From any thread.
  void set(std::string doing);
  // Clears the line, for good.
  void finish();

 private:
  void show_until_stopped();

  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable stopped_;
  std::string doing_;
  bool stop_ = false;
  std::thread thread_;  // not running where nothing is shown
};

}  // namespace spineweave::cli
