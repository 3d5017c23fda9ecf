// Makes routes the wanted ones: the moves that lead there, in batches, as one revision.
#pragma once

#include <string_view>

#include "service/control/draft.hpp"
#include "service/control/options.hpp"
#include "service/control/planner.hpp"

namespace spineweave::service {

enum class Outcome : std::uint8_t {
  published,
  unchanged,  // the routes are those already: only the summary is a new one
  proposed,   // a dry run
  outdated    // the plan would put flows on links that died since, or undo what was decided since
};
// What changed since the plan's inputs counts: jobs that are gone or have become others are left out of it.
Outcome publish_plan(Draft& draft, const Plan& plan, ChangeKind kind, const ControllerOptions& options);

// The flows of a job lose their routes, and the job its place among those that are routed; part of a change that was
// raised already. Nothing happens where it has none.
void withdraw_routes(Draft& draft, std::string_view job, ChangeKind kind, const ControllerOptions& options);

}  // namespace spineweave::service
