// What links really carry, as telemetry tells: shown beside the loads of the routing. It changes no route, and is not
// durable: the next report brings it again.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "service/control/clock.hpp"
#include "service/control/snapshot.hpp"

namespace spineweave::service {

struct MeasuredLoad {
  LinkId link = kNone;
  std::uint64_t bps = 0;
};

class MeasuredLoads {
 public:
  struct Entry {
    std::uint64_t bps = 0;
    Nanoseconds observed_at{0};  // wall time; 0: never
  };

  // All of them or none: throws ConflictError where one is older than what is known of its link, Error{bad_input} where
  // it comes from the future. `snapshot`: whose links these are.
  void take(const Snapshot& snapshot, std::span<const MeasuredLoad> loads, Nanoseconds observed_at,
            Nanoseconds wall_now);

  // Nothing where nothing was told of the link since the fabric was put. The snapshot has a fabric.
  [[nodiscard]] std::optional<Entry> of(const Snapshot& snapshot, LinkId link) const;

  struct Totals {
    std::uint32_t links = 0;
    double max_utilisation = 0.0;  // over the capacity that the link has as the fabric was put
  };
  // O(links).
  [[nodiscard]] Totals totals(const Snapshot& snapshot) const;

 private:
  mutable std::mutex mutex_;
  Revision fabric_ = 0;         // whose links they are of; 0: nothing was told yet
  std::vector<Entry> entries_;  // [num_links]
};

}  // namespace spineweave::service
