// Pictures of simulations (SVG): schemes side by side.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spineweave/simulate.hpp"

namespace spineweave::report {

// The colour that a scheme has in every picture.
[[nodiscard]] std::string_view color_of(Solver solver);

// The share of all jobs' epochs whose all-reduce took no longer than so much. `subtitle` says what was played.
[[nodiscard]] std::string allreduce_plot(std::string_view subtitle, std::span<const Simulation> simulations);

// The share of recomputations that took no longer than so much. Schemes that never recompute are left out.
[[nodiscard]] std::string run_time_plot(std::string_view subtitle, std::span<const Simulation> simulations);

// The share of flows that were through a step in so long, and of those that were no faster, over the whole step.
// For simulations that recorded flows.
[[nodiscard]] std::string flow_completion_plot(std::string_view subtitle, std::span<const Simulation> simulations);
[[nodiscard]] std::string throughput_plot(std::string_view subtitle, const Problem& problem,
                                          std::span<const Simulation> simulations);

// What the links of each spine (the highest tier) were asked for over time: a band for each scheme, a row for each
// spine or several, the fullest of their links. For simulations that recorded loads; other fabrics than a Clos show all
// links between switches, in their order.
[[nodiscard]] std::string link_load_plot(std::string_view subtitle, const Fabric& fabric,
                                         std::span<const Simulation> simulations);

// The jobs' mean slowdown in one scenario, scheme by scheme.
struct ScenarioSlowdowns {
  std::string name;
  std::vector<double> slowdowns;  // [schemes], not a number where no epoch ended
};
// One row a scenario with a mark for each scheme.
[[nodiscard]] std::string slowdown_plot(std::string_view subtitle, std::span<const Solver> schemes,
                                        std::span<const ScenarioSlowdowns> scenarios);

}  // namespace spineweave::report
