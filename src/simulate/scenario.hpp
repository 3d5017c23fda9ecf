// What every scheme plays: the jobs' flows and times, and what the fabric by itself does with them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simulate/outages.hpp"
#include "simulate/playback.hpp"
#include "simulate/traffic.hpp"
#include "spineweave/simulate.hpp"

namespace spineweave {

using Route = std::vector<LinkId>;  // access links included

// The fabric from some time on, with the routes that it takes where no controller says otherwise.
struct Stage {
  FabricState state;
  std::vector<bool> cut_off;  // [collectives] with a flow that no live path serves
  std::vector<Route> ecmp;    // [flows]; empty for flows of collectives that are cut off
  double ecmp_us = 0;         // to work them out
};

struct Scenario {
  std::shared_ptr<const Workload> workload;
  ProblemOptions problem_options;
  Traffic traffic;
  std::vector<JobSchedule> schedules;   // [jobs]
  std::vector<Stage> stages;            // in the order of time, the first from 0 on
  std::vector<Route> intact_ecmp;       // [flows] on the fabric before any failure: every flow has one
  std::vector<std::uint64_t> ideal_ns;  // [turns] of a turn alone; empty where nothing asks for it
};

// Throws as simulate() does.
[[nodiscard]] Scenario make_scenario(const std::shared_ptr<const Fabric>& fabric,
                                     const std::shared_ptr<const Workload>& workload,
                                     const ProblemOptions& problem_options, const SimulationOptions& options);

}  // namespace spineweave
