// From the controller's events to the streams and the long polls of clients.
#pragma once

#include <list>
#include <memory>
#include <mutex>

#include "service/control/controller.hpp"
#include "service/http/event_queue.hpp"

namespace spineweave::service::api {

class EventHub {
 public:
  explicit EventHub(Controller& controller);

  // A stream that begins with the present state; nothing after it is missed.
  [[nodiscard]] std::shared_ptr<http::EventQueue> open_stream();
  // Tells of every new revision.
  [[nodiscard]] const std::shared_ptr<http::Notifier>& revisions() const { return revisions_; }
  [[nodiscard]] std::size_t num_streams() const;

 private:
  void hand_on(const Event& event);
  [[nodiscard]] bool is_due(const Event& event);

  const Controller& controller_;
  std::shared_ptr<http::Notifier> revisions_ = std::make_shared<http::Notifier>();
  mutable std::mutex mutex_;
  std::list<std::weak_ptr<http::EventQueue>> streams_;
  Nanoseconds last_progress_{0};
  Subscription subscription_;  // ends first
};

}  // namespace spineweave::service::api
