// The flows of all jobs, by collective.
#pragma once

#include <cstdint>
#include <vector>

#include "spineweave/workload.hpp"

namespace spineweave {

using CollectiveId = std::uint32_t;  // over all jobs, in their order
using TurnId = std::uint32_t;        // likewise

struct CollectiveTraffic {
  JobId job = kNone;
  std::uint32_t place = 0;               // within the job
  FlowId first_flow = 0, last_flow = 0;  // half open
  std::uint32_t steps = 0;
  TurnId turn = 0;
};

struct TurnTraffic {
  JobId job = kNone;
  CollectiveId first = 0, last = 0;  // half open
};

struct Traffic {
  std::vector<FlowSpec> flows;
  std::vector<StepRange> steps_of_flow;  // [flows] in which of its collective's steps each one sends
  std::vector<CollectiveTraffic> collectives;
  std::vector<CollectiveId> collective_of_flow;  // [flows]
  std::vector<TurnTraffic> turns;
  std::vector<TurnId> turn_begin;  // [jobs + 1]
};

// Checks the jobs as expand_flows does.
[[nodiscard]] Traffic lay_out_traffic(const Fabric& fabric, const Workload& workload);

}  // namespace spineweave
