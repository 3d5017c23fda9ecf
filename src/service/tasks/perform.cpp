#include <utility>

#include "service/api/status.hpp"
#include "service/tasks/request.hpp"
#include "spineweave/assess.hpp"
#include "spineweave/evaluator.hpp"
#include "spineweave/io.hpp"
#include "spineweave/report.hpp"

namespace spineweave::service {
namespace {

Solution solve_or_rate(const TaskRequest& request, Evaluator& evaluator, const TaskProbe& probe) {
  if (request.routing) return rate_routing(evaluator, *request.routing);
  SolveOptions options = request.options;
  if (request.warm_start) options.warm_start = &*request.warm_start;
  options.stop = &probe.stop;
  options.on_progress = probe.on_progress;
  return solve(evaluator, options);
}

}  // namespace

TaskResult perform(const TaskRequest& request, std::uint32_t threads, const TaskProbe& probe) {
  const auto evaluator = make_evaluator(request.problem, request.backend);
  Report report;
  report.problem = request.problem.get();
  report.run.solver = request.routing ? "as given" : std::string(name_of(request.options.solver));
  report.run.backend = evaluator->capabilities().name;
  report.run.device = evaluator->capabilities().device;
  report.run.threads = threads;
  report.run.seed = request.options.seed;
  report.result.solution = solve_or_rate(request, *evaluator, probe);
  report.run.solve_us = report.result.solution.solve_us;
  report.result.assessment = assess(*request.problem, report.result.solution.routing);

  RoutingFile routing = name_routes(*request.problem, report.result.solution.routing);
  routing.digest = api::digest_text(report.result.solution.digest);
  return {report_document(report), write_routing_json(routing)};
}

}  // namespace spineweave::service
