// A piece of stateless work that a client asked for, from its acceptance to its result.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "service/control/clock.hpp"
#include "service/http/notifier.hpp"
#include "service/http/problem.hpp"
#include "spineweave/document.hpp"
#include "spineweave/optimize.hpp"

namespace spineweave::service {

enum class TaskState : std::uint8_t { queued, running, done, failed, cancelled };
[[nodiscard]] std::string_view name_of(TaskState state);

struct TaskResult {
  Document report;      // spineweave.report/1
  std::string routing;  // spineweave.routing/1
};

// What the work sees of its task.
struct TaskProbe {
  const std::atomic<bool>& stop;
  std::function<void(const Progress&)> on_progress;
};
using TaskWork = std::function<TaskResult(const TaskProbe&)>;

// From any thread.
class Task {
 public:
  Task(std::string kind, std::string id, Nanoseconds created_at, TaskWork work);

  [[nodiscard]] const std::string& kind() const { return kind_; }  // "evaluations", "optimizations"
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] TaskState state() const;
  [[nodiscard]] bool has_ended() const;
  [[nodiscard]] Document document() const;
  [[nodiscard]] std::shared_ptr<const TaskResult> result() const;  // null: none
  // Tells of its end.
  [[nodiscard]] const std::shared_ptr<http::Notifier>& news() const { return news_; }

  // Nothing comes of it any more; a search that is under way ends soon.
  void cancel();
  // Does the work, unless it was cancelled. `explain` says what went wrong where something did.
  void run(const std::function<http::Problem(std::exception_ptr)>& explain);

 private:
  void end(TaskState state, std::shared_ptr<const TaskResult> result, std::string error);

  const std::string kind_, id_;
  const Nanoseconds created_at_;
  TaskWork work_;
  std::atomic<bool> stop_ = false;
  std::shared_ptr<http::Notifier> news_ = std::make_shared<http::Notifier>();
  mutable std::mutex mutex_;
  TaskState state_ = TaskState::queued;
  Progress progress_;
  std::shared_ptr<const TaskResult> result_;
  std::string error_;
};

}  // namespace spineweave::service
