// Time as the controller sees it, so that tests can play hours in milliseconds.
#pragma once

#include <chrono>

namespace spineweave::service {

using Nanoseconds = std::chrono::nanoseconds;

class Clock {
 public:
  virtual ~Clock() = default;
  // Never goes back; from any beginning. Deadlines are kept in it.
  [[nodiscard]] virtual Nanoseconds now() const = 0;
  // Since 1970, UTC. Stamps are made of it; it may jump.
  [[nodiscard]] virtual Nanoseconds wall_now() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] Nanoseconds now() const override { return std::chrono::steady_clock::now().time_since_epoch(); }
  [[nodiscard]] Nanoseconds wall_now() const override { return std::chrono::system_clock::now().time_since_epoch(); }
};

}  // namespace spineweave::service
