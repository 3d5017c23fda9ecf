// The routes of one scheme: what the controller chose, and what the fabric does where it did not.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "simulate/move_prices.hpp"
#include "simulate/outlook.hpp"
#include "simulate/routed_set.hpp"
#include "simulate/scenario.hpp"

namespace spineweave {

class Controller {
 public:
  // The scenario and the options must outlive it.
  Controller(const Scenario& scenario, Solver solver, const SimulationOptions& options);

  [[nodiscard]] const Route& route(FlowId flow) const { return routes_[flow]; }

  // Each of these returns the flows whose route is another one now, ascending; valid until the next call.
  //
  // What the fabric does by itself when it becomes this stage: flows whose route died take that of ECMP until it
  // recovers, and where ECMP is the scheme, its hash over the live paths sends all flows anew.
  [[nodiscard]] std::span<const FlowId> follow(const Stage& stage);
  // Chooses anew for these collectives (ascending, none cut off). Fills all of the record but time and moves.
  [[nodiscard]] std::span<const FlowId> recompute(const Stage& stage, std::span<const CollectiveId> collectives,
                                                  const Outlook& outlook, RecomputationRecord& record);

 private:
  void return_to_recovered(const Fabric& fabric);
  [[nodiscard]] std::vector<std::uint32_t> weigh_what_is_left(std::span<const CollectiveId> collectives,
                                                              const Outlook& outlook) const;
  [[nodiscard]] bool counts_moves() const { return options_.max_moves || options_.move_cost_ns > 0; }
  [[nodiscard]] Routing present_routing(const RoutedSet& set, const Outlook& outlook) const;
  [[nodiscard]] Solution choose(const RoutedSet& set, const Outlook& outlook) const;
  [[nodiscard]] Solution weave(Evaluator& evaluator, const SolveOptions& options, const Routing& present,
                               const MovePrices& prices) const;

  const Scenario& scenario_;
  const Solver solver_;
  const SimulationOptions& options_;
  std::vector<Route> routes_;     // [flows]
  std::vector<bool> placed_;      // [flows] by the controller, and not on a detour
  std::map<FlowId, Route> lost_;  // what the controller chose for those that are
  std::vector<FlowId> rerouted_;
};

}  // namespace spineweave
