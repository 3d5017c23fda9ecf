// How long something took.
#pragma once

#include <chrono>

namespace spineweave::util {

using Clock = std::chrono::steady_clock;

inline double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

}  // namespace spineweave::util
