// Who goes first where there are fewer cores than threads with work.
#pragma once

#include <unistd.h>

namespace spineweave::service {

// Lets others go before the calling thread and before those that it starts from now on. Those who serve clients have
// little to do at a time, and a search has two cores' worth: with equal shares, clients would wait for whole time
// slices of it.
inline void step_back(int steps) {
  // Linux keeps it per thread; where it cannot be set, nothing is lost but a little latency.
  [[maybe_unused]] const int now = nice(steps);
}

inline constexpr int kLoopSteps = 5;
inline constexpr int kTaskSteps = 10;

}  // namespace spineweave::service
