// The thread that runs the controller's loop in real time.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "service/control/controller.hpp"

namespace spineweave::service {

// Runs from its construction until it is destroyed; a solve that is under way then ends with what it has.
class LoopThread {
 public:
  LoopThread(Controller& controller, const Clock& clock);
  ~LoopThread();
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

 private:
  void run();
  void wake();

  Controller& controller_;
  const Clock& clock_;
  std::mutex mutex_;
  std::condition_variable woken_;
  bool awake_ = false, ends_ = false;
  std::thread thread_;
};

}  // namespace spineweave::service
