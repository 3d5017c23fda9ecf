#include "spineweave/assess.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

#include "assess/incidence.hpp"
#include "util/parallel.hpp"

namespace spineweave {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Two times that differ by rounding alone are one time: an unharmed job has a slowdown of exactly 1.
constexpr double kRounding = 1e-9;

// What becomes of the flows and jobs in one network, the worst over the phases that were asked for.
struct Outcome {
  std::vector<double> flow_rate_bps;  // [flows] least
  std::vector<double> job_time;       // [jobs] longest
  std::vector<double> link_bps;       // [links of the network] most
};

// How long a collective takes whose flows take so long in a step: each step ends with the slowest that sends in it.
double time_of_steps(const Collective& collective, std::span<const double> flow_times) {
  const auto steps = static_cast<std::uint32_t>(count_steps(collective));
  std::priority_queue<std::pair<double, std::uint32_t>> sending;  // the slowest on top, with the end of its steps
  double total = 0;
  std::uint32_t flow = 0;
  for (std::uint32_t step = 0; step < steps;) {
    std::uint32_t next = steps;  // when another one begins
    for (; flow < flow_times.size(); ++flow) {
      const StepRange range = steps_of_flow(collective, flow);
      if (range.begin > step) {
        next = range.begin;
        break;
      }
      sending.emplace(flow_times[flow], range.end);
    }
    while (sending.top().second <= step) sending.pop();
    next = std::min(next, sending.top().second);
    total += (next - step) * sending.top().first;
    step = next;
  }
  return total;
}

// The collectives of a turn run side by side, and the next turn waits for the last of them. In units of
// bytes / (bit/s). `flows` are those of some jobs, complete and in order.
void lengthen_job_times(const Problem& problem, std::span<const FlowId> flows, std::span<const double> rates,
                        std::span<double> job_time) {
  std::vector<double> flow_times;
  for (std::size_t i = 0; i < flows.size();) {
    const JobId job = problem.flows()[flows[i]].job;
    double before = 0, turn_time = 0;
    std::uint32_t turn = 0;
    for (const Collective& collective : problem.workload().jobs[job].collectives) {
      flow_times.clear();
      for (std::uint64_t left = count_flows(collective); left > 0; --left, ++i)
        flow_times.push_back(static_cast<double>(problem.flows()[flows[i]].bytes) / rates[i]);
      if (std::exchange(turn, collective.turn) != collective.turn) before += std::exchange(turn_time, 0.0);
      turn_time = std::max(turn_time, time_of_steps(collective, flow_times));
    }
    job_time[job] = std::max(job_time[job], before + turn_time);
  }
}

// The paths of some of the flows.
Incidence restrict_to(const Incidence& network, std::span<const FlowId> flows) {
  Incidence part;
  part.flow_begin.push_back(0);
  for (const FlowId flow : flows) {
    part.links.insert(part.links.end(), network.links.begin() + network.flow_begin[flow],
                      network.links.begin() + network.flow_begin[flow + 1]);
    part.flow_begin.push_back(static_cast<std::uint32_t>(part.links.size()));
  }
  return part;
}

// `phase_sets`: for each round of filling, the phases in any of which a flow must be active.
Outcome play(const Problem& problem, const Incidence& network, std::span<const std::uint64_t> phase_sets) {
  Outcome outcome;
  outcome.flow_rate_bps.assign(problem.num_flows(), kInfinity);
  outcome.job_time.assign(problem.num_jobs(), 0.0);
  outcome.link_bps.assign(network.capacity_bps.size(), 0.0);
  std::vector<FlowId> active, played;
  for (const std::uint64_t phases : phase_sets) {
    active.clear();
    for (FlowId flow = 0; flow < problem.num_flows(); ++flow)
      if ((problem.phase_mask(flow) & phases) != 0) active.push_back(flow);
    if (active == played) continue;  // neighbouring phases are often alike
    played = active;

    const Incidence part = active.size() < problem.num_flows() ? restrict_to(network, active) : Incidence();
    const std::span<const std::uint32_t> flow_begin = part.flow_begin.empty() ? network.flow_begin : part.flow_begin;
    const std::span<const std::uint32_t> links = part.flow_begin.empty() ? network.links : part.links;
    const std::vector<double> rates = max_min_rates(flow_begin, links, network.capacity_bps);
    std::vector<double> used(network.capacity_bps.size(), 0.0);
    for (std::size_t i = 0; i < active.size(); ++i) {
      outcome.flow_rate_bps[active[i]] = std::min(outcome.flow_rate_bps[active[i]], rates[i]);
      for (std::uint32_t at = flow_begin[i]; at < flow_begin[i + 1]; ++at) used[links[at]] += rates[i];
    }
    for (std::size_t link = 0; link < used.size(); ++link)
      outcome.link_bps[link] = std::max(outcome.link_bps[link], used[link]);
    lengthen_job_times(problem, active, rates, outcome.job_time);
  }
  return outcome;
}

double slowdown_of(double time, double time_alone) {
  if (time_alone <= 0) return 1.0;  // a job without flows
  const double slowdown = time / time_alone;
  return std::abs(slowdown - 1.0) < kRounding ? 1.0 : slowdown;
}

// Distinct endpoints of each job: what its efficiency weighs in the network's.
std::vector<double> count_endpoints(const Problem& problem) {
  std::vector<double> counts;
  for (const Job& job : problem.workload().jobs) {
    std::vector<EndpointId> endpoints;
    for (const Collective& collective : job.collectives)
      endpoints.insert(endpoints.end(), collective.ranks.begin(), collective.ranks.end());
    std::ranges::sort(endpoints);
    counts.push_back(static_cast<double>(std::ranges::unique(endpoints).begin() - endpoints.begin()));
  }
  return counts;
}

double network_efficiency(std::span<const double> efficiencies, std::span<const double> endpoints) {
  const double total = std::accumulate(endpoints.begin(), endpoints.end(), 0.0);
  return total > 0 ? std::inner_product(efficiencies.begin(), efficiencies.end(), endpoints.begin(), 0.0) / total : 1.0;
}

// sum(x)^2 / (n sum(x^2)) (Jain, Chiu, Hawe, "A quantitative measure of fairness", 1984).
double jain_index(std::span<const double> values) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const double squares = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
  return squares > 0 ? sum * sum / (static_cast<double>(values.size()) * squares) : 1.0;
}

Assessment compare(const Problem& problem, Outcome routed, const Outcome& alone, const Outcome& fluid) {
  Assessment assessment;
  assessment.jobs.resize(problem.num_jobs());
  std::vector<double> efficiencies, fluid_efficiencies;
  for (JobId job = 0; job < problem.num_jobs(); ++job) {
    assessment.jobs[job].slowdown = slowdown_of(routed.job_time[job], alone.job_time[job]);
    assessment.jobs[job].rate_bps = kInfinity;
    efficiencies.push_back(1.0 / assessment.jobs[job].slowdown);
    fluid_efficiencies.push_back(1.0 / slowdown_of(fluid.job_time[job], alone.job_time[job]));
  }
  for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
    double& rate = assessment.jobs[problem.flows()[flow].job].rate_bps;
    rate = std::min(rate, routed.flow_rate_bps[flow]);
  }
  for (JobAssessment& job : assessment.jobs)
    if (job.rate_bps == kInfinity) job.rate_bps = 0;  // a job without flows

  const std::vector<double> endpoints = count_endpoints(problem);
  assessment.network_efficiency = network_efficiency(efficiencies, endpoints);
  assessment.fluid_bound = network_efficiency(fluid_efficiencies, endpoints);
  assessment.jain = jain_index(efficiencies);
  assessment.fairness = std::move(efficiencies);
  std::ranges::sort(assessment.fairness);
  if (!assessment.fairness.empty()) assessment.worst_job_efficiency = assessment.fairness.front();
  assessment.flow_rate_bps = std::move(routed.flow_rate_bps);
  assessment.link_bps = std::move(routed.link_bps);
  return assessment;
}

}  // namespace

std::vector<Assessment> assess(const Problem& problem, std::span<const Routing* const> routings) {
  std::vector<std::uint64_t> each_phase;
  for (std::uint32_t phase = 0; phase < problem.num_phases(); ++phase) each_phase.push_back(std::uint64_t{1} << phase);
  const std::uint64_t any_phase[] = {kAllPhases};

  Outcome alone, fluid;
  std::vector<Outcome> routed(routings.size());
  util::parallel_chunks(routings.size() + 2, 1, [&](std::size_t i, std::size_t) {
    if (i == 0) {
      fluid = play(problem, fluid_network(problem), each_phase);
    } else if (i == 1) {
      alone = play(problem, alone_network(problem), any_phase);
    } else {
      routed[i - 2] = play(problem, routed_network(problem, *routings[i - 2]), each_phase);
    }
  });
  std::vector<Assessment> assessments;
  for (Outcome& outcome : routed) assessments.push_back(compare(problem, std::move(outcome), alone, fluid));
  return assessments;
}

Assessment assess(const Problem& problem, const Routing& routing) {
  const Routing* const one[] = {&routing};
  return std::move(assess(problem, one).front());
}

}  // namespace spineweave
