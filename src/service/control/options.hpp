// What an operator can tell the controller before it starts.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "service/control/clock.hpp"
#include "spineweave/problem.hpp"

namespace spineweave::service {

// Flows that may leave a live path in one revision, so that routes get better: a number, or a share of all flows, and
// then a few where there are not many.
struct MoveBound {
  std::optional<std::uint32_t> flows;  // kNone: all
  double share = 0.01;                 // where no number is given
  std::uint32_t least = 32;            // likewise
  [[nodiscard]] std::uint32_t of(std::uint32_t num_flows) const {
    return flows.value_or(std::max(least, static_cast<std::uint32_t>(share * num_flows)));
  }
};

struct ControllerOptions {
  // How long changes are collected before routes are chosen anew: from the first of them on, not longer for later ones.
  Nanoseconds window = std::chrono::milliseconds(50);
  // Look for a better routing that long after the last time, without any change; 0: never.
  Nanoseconds interval = std::chrono::seconds(10);

  // A link that comes back is used after `hold_up`; doubled for each time that it failed again within `hold_up_most` of
  // the time before, but never longer than that.
  Nanoseconds hold_up = std::chrono::seconds(30);
  Nanoseconds hold_up_most = std::chrono::minutes(15);
  // Without a report on any link or switch for that long routes are not improved; 0: reports are not expected.
  Nanoseconds stale_after{0};

  // A host that has not acknowledged its moves for that long stays on what it last acknowledged; 0: hosts are taken to
  // apply at once, and acknowledgements are only recorded.
  Nanoseconds ack_timeout = std::chrono::seconds(30);

  // A routing replaces another only if some job's bottleneck gets better by more than this share, and none that is
  // worse off gets worse.
  double margin = 0.01;
  MoveBound max_moved;
  // Of what a window does to get better, once all flows have a live path; 0: none, and the same results on any machine.
  Nanoseconds time_budget = std::chrono::milliseconds(20);
  // The same for the search at each interval. A change ends it sooner.
  Nanoseconds search_budget = std::chrono::seconds(1);

  std::uint64_t seed = 1;
  std::string backend = "auto";
  ProblemOptions problem;  // `factors` stays empty
  // Compute and show, publish nothing.
  bool dry_run = false;
  // Revisions of the routing that are kept with their moves, and the moves that they may have in all.
  std::size_t history = 1000;
  std::size_t history_moves = 4'000'000;
};

}  // namespace spineweave::service
