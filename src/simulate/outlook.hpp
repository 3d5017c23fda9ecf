// What a controller knows of the flows that it routes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "simulate/forecast.hpp"
#include "simulate/traffic.hpp"
#include "simulate/units.hpp"

namespace spineweave {

struct Outlook {
  std::function<bool(FlowId)> under_way;        // that it changes its route is a move
  std::function<Volume(CollectiveId)> left;     // that its slowest flow has to send, until the horizon
  std::function<std::uint64_t(JobId)> left_ns;  // of the job's communication, where nothing but access links binds
  std::vector<Forecast::Phase> phases;          // empty: all at once
};

}  // namespace spineweave
