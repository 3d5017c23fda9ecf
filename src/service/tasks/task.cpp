#include "service/tasks/task.hpp"

#include <utility>

#include "service/api/status.hpp"
#include "service/api/time_text.hpp"

namespace spineweave::service {

std::string_view name_of(TaskState state) {
  switch (state) {
    case TaskState::queued:
      return "queued";
    case TaskState::running:
      return "running";
    case TaskState::done:
      return "done";
    case TaskState::failed:
      return "failed";
    case TaskState::cancelled:
      break;
  }
  return "cancelled";
}

Task::Task(std::string kind, std::string id, Nanoseconds created_at, TaskWork work)
    : kind_(std::move(kind)), id_(std::move(id)), created_at_(created_at), work_(std::move(work)) {}

TaskState Task::state() const {
  const std::scoped_lock lock(mutex_);
  return state_;
}

bool Task::has_ended() const {
  const TaskState now = state();
  return now != TaskState::queued && now != TaskState::running;
}

std::shared_ptr<const TaskResult> Task::result() const {
  const std::scoped_lock lock(mutex_);
  return result_;
}

Document Task::document() const {
  const std::scoped_lock lock(mutex_);
  Document::Object object = {
      {"id", id_}, {"state", std::string(name_of(state_))}, {"created_at", api::time_text(created_at_)}};
  if (state_ == TaskState::running) object.emplace_back("progress", api::progress_object(progress_));
  if (!error_.empty()) object.emplace_back("error", error_);
  if (result_) object.emplace_back("report", result_->report);
  return object;
}

void Task::cancel() {
  stop_ = true;
  end(TaskState::cancelled, nullptr, "");
}

void Task::run(const std::function<http::Problem(std::exception_ptr)>& explain) {
  {
    const std::scoped_lock lock(mutex_);
    if (state_ != TaskState::queued) return;
    state_ = TaskState::running;
  }
  // What the work holds, a fabric and its candidates, is freed with it.
  const TaskWork work = std::exchange(work_, nullptr);
  const auto note_progress = [this](const Progress& progress) {
    const std::scoped_lock lock(mutex_);
    progress_ = progress;
  };
  try {
    auto result = std::make_shared<const TaskResult>(work({stop_, note_progress}));
    end(TaskState::done, std::move(result), "");
  } catch (...) {
    end(TaskState::failed, nullptr, explain(std::current_exception()).detail);
  }
}

void Task::end(TaskState state, std::shared_ptr<const TaskResult> result, std::string error) {
  {
    const std::scoped_lock lock(mutex_);
    if (state_ != TaskState::queued && state_ != TaskState::running) return;
    state_ = state;
    result_ = std::move(result);
    error_ = std::move(error);
  }
  news_->notify();
}

}  // namespace spineweave::service
