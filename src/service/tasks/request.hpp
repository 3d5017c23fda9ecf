// The bodies of POST /v1/evaluations and /v1/optimizations.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "service/tasks/task.hpp"
#include "spineweave/problem.hpp"
#include "spineweave/routing.hpp"

namespace spineweave::service {

// Checked, and with its problem built: what is wrong with it is said at once.
struct TaskRequest {
  std::shared_ptr<const Problem> problem;
  std::string backend;
  SolveOptions options;  // but for warm_start
  std::optional<Routing> warm_start;
  std::optional<Routing> routing;  // to be rated as it is
};

// Throws Error.
[[nodiscard]] TaskRequest parse_optimization(std::string_view body);
[[nodiscard]] TaskRequest parse_evaluation(std::string_view body);

// Solves, or rates; and assesses.
[[nodiscard]] TaskResult perform(const TaskRequest& request, std::uint32_t threads, const TaskProbe& probe);

}  // namespace spineweave::service
