#include "service/control/loop_thread.hpp"

#include "service/priority.hpp"

namespace spineweave::service {

LoopThread::LoopThread(Controller& controller, const Clock& clock) : controller_(controller), clock_(clock) {
  controller_.set_waker([this] { wake(); });
  thread_ = std::thread([this] { run(); });
}

LoopThread::~LoopThread() {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
  }
  controller_.interrupt();
  woken_.notify_one();
  thread_.join();
  controller_.set_waker(nullptr);
}

void LoopThread::run() {
  step_back(kLoopSteps);
  std::unique_lock lock(mutex_);
  while (!ends_) {
    awake_ = false;
    lock.unlock();
    controller_.advance();
    const auto deadline = controller_.next_deadline();
    lock.lock();
    const auto is_woken = [&] { return awake_ || ends_; };
    if (deadline)
      woken_.wait_for(lock, *deadline - clock_.now(), is_woken);
    else
      woken_.wait(lock, is_woken);
  }
}

void LoopThread::wake() {
  const std::scoped_lock lock(mutex_);
  awake_ = true;
  woken_.notify_one();
}

}  // namespace spineweave::service
