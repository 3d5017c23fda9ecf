#include "service/tasks/task_desk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "service/priority.hpp"

namespace spineweave::service {

TaskDesk::TaskDesk(const TaskLimits& limits, const Clock& clock,
                   std::function<http::Problem(std::exception_ptr)> explain)
    : limits_(limits), clock_(clock), explain_(std::move(explain)), thread_([this] { work(); }) {}

TaskDesk::~TaskDesk() {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
    if (current_) current_->cancel();
  }
  news_.notify_one();
  thread_.join();
}

std::shared_ptr<Task> TaskDesk::submit(const std::string& kind, TaskWork work) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(waiting_, [](const auto& task) { return task->has_ended(); });
  if (waiting_.size() >= limits_.queued)
    throw http::ProblemError({503,
                              "task-queue-full",
                              fmt::format("{} tasks wait already, which is the most", limits_.queued),
                              {{"Retry-After", "5"}}});
  auto task = std::make_shared<Task>(kind, fmt::format("{}", ++last_id_), clock_.wall_now(), std::move(work));
  forget_old();
  tasks_.push_back(task);
  waiting_.push_back(task);
  news_.notify_one();
  return task;
}

void TaskDesk::forget_old() {
  auto ended = static_cast<std::size_t>(std::ranges::count_if(tasks_, [](const auto& t) { return t->has_ended(); }));
  std::erase_if(tasks_, [&](const auto& task) {
    if (ended < limits_.kept || !task->has_ended()) return false;
    --ended;
    return true;
  });
}

std::shared_ptr<Task> TaskDesk::find(std::string_view kind, std::string_view id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find_if(tasks_, [&](const auto& t) { return t->kind() == kind && t->id() == id; });
  return found == tasks_.end() ? nullptr : *found;
}

std::size_t TaskDesk::num_waiting() const {
  const std::scoped_lock lock(mutex_);
  return waiting_.size();
}

void TaskDesk::work() {
  step_back(kTaskSteps);
  std::unique_lock lock(mutex_);
  for (;;) {
    news_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
    if (ends_) return;
    current_ = waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    current_->run(explain_);
    lock.lock();
    current_.reset();
  }
}

}  // namespace spineweave::service
