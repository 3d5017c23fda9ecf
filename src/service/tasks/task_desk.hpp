// Takes tasks, does them one after the other on a thread of its own, and keeps their results a while.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "service/tasks/task.hpp"

namespace spineweave::service {

struct TaskLimits {
  std::size_t queued = 16;  // that have not begun
  std::size_t kept = 64;    // that have ended; the oldest are forgotten first
};

class TaskDesk {
 public:
  TaskDesk(const TaskLimits& limits, const Clock& clock, std::function<http::Problem(std::exception_ptr)> explain);
  // Cancels what is left.
  ~TaskDesk();
  TaskDesk(const TaskDesk&) = delete;
  TaskDesk& operator=(const TaskDesk&) = delete;

  // Throws http::ProblemError where the queue is full.
  std::shared_ptr<Task> submit(const std::string& kind, TaskWork work);
  [[nodiscard]] std::shared_ptr<Task> find(std::string_view kind, std::string_view id) const;  // null: none
  [[nodiscard]] std::size_t num_waiting() const;

 private:
  void work();
  void forget_old();

  const TaskLimits limits_;
  const Clock& clock_;
  const std::function<http::Problem(std::exception_ptr)> explain_;
  mutable std::mutex mutex_;
  std::condition_variable news_;
  std::deque<std::shared_ptr<Task>> tasks_;    // all that are known, oldest first
  std::deque<std::shared_ptr<Task>> waiting_;  // those of them that have not begun
  std::shared_ptr<Task> current_;
  std::uint64_t last_id_ = 0;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace spineweave::service
