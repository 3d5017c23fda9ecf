// The problem of a snapshot: its fabric as believed, its jobs without the collectives that cannot run now.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "service/control/snapshot.hpp"
#include "spineweave/problem.hpp"
#include "spineweave/routing.hpp"

namespace spineweave::service {

struct Instance {
  std::shared_ptr<const Fabric> fabric;
  std::shared_ptr<const Problem> problem;  // null: no flow can be routed

  // A flow of a job: its place among all flows is first_flow[its job] + its number.
  std::vector<std::uint32_t> first_flow;   // [jobs + 1], jobs as in the snapshot
  std::vector<FlowId> in_problem;          // [all flows]; kNone: its collective has a flow without any live path
  std::vector<std::uint32_t> unreachable;  // [jobs] flows without any live path
};

// `fabric`: present_fabric(snapshot), or one that was made before of the same parts.
// Throws what Problem throws.
[[nodiscard]] Instance build_instance(const Snapshot& snapshot, std::shared_ptr<const Fabric> fabric,
                                      const ProblemOptions& options);

// The path of a flow of the problem, or kNone where these links are none of its live candidates.
[[nodiscard]] PathIndex find_live_path(const Problem& problem, FlowId flow, std::span<const LinkId> links);

}  // namespace spineweave::service
