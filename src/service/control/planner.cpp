#include "service/control/planner.hpp"

#include <algorithm>
#include <utility>

#include "report/link_loads.hpp"
#include "report/numbers.hpp"
#include "spineweave/error.hpp"

namespace spineweave::service {
namespace {

std::uint64_t microseconds(Nanoseconds time) { return static_cast<std::uint64_t>(time.count() / 1000); }

std::span<const LinkId> wanted_path(const JobRoutes* routes, std::size_t flow) {
  return routes == nullptr ? std::span<const LinkId>() : routes->paths[flow];
}

}  // namespace

Planner::Planner(const ControllerOptions& options) : options_(options), backend_(options.backend) {
  check_backend(backend_);
}

Plan Planner::choose(std::shared_ptr<const Snapshot> inputs, Effort effort,
                     std::function<void(const Progress&)> on_progress) {
  Plan plan;
  plan.inputs = std::move(inputs);
  plan.instance = build_instance(*plan.inputs, fabric_of(*plan.inputs), options_.problem);
  Solution solution;
  Capabilities device;
  if (plan.instance.problem) {
    const Present present = find_present(*plan.inputs, plan.instance);
    ChoiceOptions options;
    options.effort = effort;
    options.margin = options_.margin;
    options.max_moved = options_.max_moved.of(plan.instance.problem->num_flows());
    options.time_limit_us = microseconds(effort == Effort::search ? options_.search_budget : options_.time_budget);
    options.seed = options_.seed;
    options.goal = has_goal(*plan.inputs) ? &goal_ : nullptr;
    options.stop = effort == Effort::search ? &hurry_ : &stop_;
    options.on_progress = std::move(on_progress);
    Choice choice;
    on_backend(plan.instance.problem, [&](Evaluator& evaluator) {
      device = evaluator.capabilities();
      choice = choose_routes(evaluator, present, options);
    });
    solution = std::move(choice.solution);
    plan.improved = choice.improved;
    goal_ = std::move(choice.goal);
    goal_of_ = plan.inputs;
    plan.routing = solution.routing;
  }
  lay_out(plan);
  plan.summary = summarise(plan, solution, device);
  return plan;
}

std::shared_ptr<const Fabric> Planner::fabric_of(const Snapshot& inputs) {
  if (inputs.fabric != base_ || inputs.reports != reports_) {
    present_ = std::make_shared<const Fabric>(present_fabric(inputs));
    base_ = inputs.fabric;
    reports_ = inputs.reports;
  }
  return present_;
}

bool Planner::has_goal(const Snapshot& inputs) const { return !goal_.empty() && same_problem(*goal_of_, inputs); }

// A host that is pinned is wanted to stay on what it uses, unless nobody is to be moved.
Present Planner::find_present(const Snapshot& inputs, const Instance& instance) const {
  const Problem& problem = *instance.problem;
  Present present{Routing(problem.num_flows(), kNone), Routing(problem.num_flows(), kNone), {}};
  for (std::size_t j = 0; j < inputs.jobs->size(); ++j) {
    const JobEntry& job = *(*inputs.jobs)[j];
    const JobRoutes* routes = inputs.find_routes(job.job.id);
    for (std::uint32_t i = instance.first_flow[j]; i < instance.first_flow[j + 1]; ++i) {
      const FlowId flow = instance.in_problem[i];
      if (flow == kNone) continue;
      const std::size_t own = i - instance.first_flow[j];
      present.wanted[flow] = find_live_path(problem, flow, wanted_path(routes, own));
      if ((*inputs.host_states)[job.host_of_flow[own]].pinned) present.pinned.push_back(flow);
    }
  }
  present.used = present.wanted;
  for (const HostState& host : *inputs.host_states) {
    if (!host.detours) continue;
    for (const Detour& detour : *host.detours) {
      const auto job = std::ranges::lower_bound(*inputs.jobs, std::string_view(detour.job), {}, id_of);
      const auto j = static_cast<std::size_t>(job - inputs.jobs->begin());
      const FlowId flow = instance.in_problem[instance.first_flow[j] + detour.flow];
      const PathIndex path = flow == kNone ? kNone : find_live_path(problem, flow, detour.path);
      if (path == kNone) continue;
      present.used[flow] = path;
      if (host.pinned && !inputs.frozen) present.wanted[flow] = path;
    }
  }
  return present;
}

// A device that fails is not asked again; the CPU gives the same result.
void Planner::on_backend(const std::shared_ptr<const Problem>& problem, const std::function<void(Evaluator&)>& work) {
  try {
    work(*make_evaluator(problem, backend_));
    return;
  } catch (const Error& error) {
    const bool of_device = error.code() == ErrorCode::backend_unavailable || error.code() == ErrorCode::internal ||
                           error.code() == ErrorCode::out_of_memory;
    if (backend_ == "cpu" || !of_device) throw;
  }
  backend_ = "cpu";
  backend_lost_ = true;
  work(*make_evaluator(problem, backend_));
}

void Planner::lay_out(Plan& plan) const {
  const Instance& instance = plan.instance;
  std::vector<LinkId> links;
  for (std::size_t j = 0; j < plan.inputs->jobs->size(); ++j) {
    const JobRoutes* routes = plan.inputs->find_routes((*plan.inputs->jobs)[j]->job.id);
    const std::uint32_t first = instance.first_flow[j];
    PathTable paths;
    for (std::uint32_t i = first; i < instance.first_flow[j + 1]; ++i) {
      const FlowId flow = instance.in_problem[i];
      const auto wanted = wanted_path(routes, i - first);
      links.clear();
      if (flow != kNone)
        instance.problem->append_links(flow, plan.routing[flow], links);
      else if (is_alive(*plan.inputs, wanted))
        links.assign(wanted.begin(), wanted.end());
      paths.push_back(links);
    }
    plan.paths.push_back(std::move(paths));
  }
}

std::shared_ptr<const Summary> Planner::summarise(const Plan& plan, const Solution& solution,
                                                  const Capabilities& device) const {
  auto summary = std::make_shared<Summary>();
  summary->inputs = plan.inputs->revision;
  summary->routing = plan.inputs->routing->revision;
  const Instance& instance = plan.instance;
  for (std::size_t j = 0; j < instance.unreachable.size(); ++j) {
    summary->unreachable_flows += instance.unreachable[j];
    if (instance.unreachable[j] > 0) summary->unreachable_jobs.push_back((*plan.inputs->jobs)[j]->job.id);
  }
  if (!instance.problem) return summary;
  const Problem& problem = *instance.problem;
  for (JobId j = 0; j < problem.num_jobs(); ++j)
    summary->jobs.push_back({problem.workload().jobs[j].id, 0,
                             report::from_units(problem.normalise(j, solution.job_bottlenecks[j])),
                             report::from_units(solution.bounds.per_job[j])});
  for (const FlowSpec& flow : problem.flows()) ++summary->jobs[flow.job].flows;
  summary->score = solution.score;
  summary->worst_job = report::from_units(solution.score.normalised.front());
  summary->lower_bound = report::from_units(solution.bounds.vector.front());
  summary->max_utilisation = problem.utilisation(solution.score.max_congestion);
  summary->certificate = solution.certificate;
  summary->digest = solution.digest;
  const auto loads = report::load_links(problem, plan.routing).utilisation;
  summary->link_loads.assign(loads.begin(), loads.end());
  summary->backend = device.name;
  summary->device = device.device;
  summary->solve_us = solution.solve_us;
  summary->truncated = solution.truncated;
  return summary;
}

}  // namespace spineweave::service
