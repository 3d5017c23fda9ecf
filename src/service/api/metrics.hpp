// What /metrics tells Prometheus.
#pragma once

#include <memory>
#include <string>

#include "service/control/controller.hpp"
#include "service/control/measured_loads.hpp"
#include "service/http/server.hpp"

namespace spineweave::service::api {

class Metrics {
 public:
  explicit Metrics(Controller& controller);
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // Of the server's thread only.
  void count(const http::Exchange& exchange);
  struct Levels {
    http::Load server;
    std::size_t tasks_waiting = 0;
    std::size_t event_streams = 0;
    MeasuredLoads::Totals measured;
  };
  // The text format. From any thread.
  [[nodiscard]] std::string text(const Snapshot& snapshot, const Levels& levels);

 private:
  class Families;
  std::unique_ptr<Families> families_;
  Subscription subscription_;  // ends first
};

}  // namespace spineweave::service::api
