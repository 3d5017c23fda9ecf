#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "report/numbers.hpp"
#include "report/summary.hpp"
#include "spineweave/error.hpp"
#include "util/text.hpp"

namespace spineweave::report {
namespace {

std::string compare_with_baseline(const Report& report, const Summary& now) {
  const Summary before = summarise(*report.problem, report.baseline);
  const std::string name = display_name(report.baseline_name);
  const double worst = before.worst_slowdown;
  const std::uint32_t jobs = report.problem->num_jobs();
  if (!above_one(worst))
    return above_one(now.worst_slowdown) ? fmt::format("{} would slow none", name) : fmt::format("under {} too", name);
  if (std::abs(worst - now.worst_slowdown) <= kRounding)
    return fmt::format("{} does as well{}", name, jobs == 1 ? "" : " for the worst job");
  return fmt::format("{} would slow {} {}", name, jobs == 1 ? "it" : "the worst job", times(worst));
}

std::uint32_t jobs_above_own_bound(const Problem& problem, const Solution& solution) {
  std::uint32_t above = 0;
  for (JobId job = 0; job < problem.num_jobs(); ++job)
    if (!standing_of(problem, solution, job).at_bound) ++above;
  return above;
}

}  // namespace

std::string display_name(std::string_view solver) { return solver == "ecmp" ? "ECMP" : std::string(solver); }

std::string verdict(const Report& report) {
  const Summary now = summarise(*report.problem, report.result);
  const std::uint32_t jobs = report.problem->num_jobs();
  const bool unharmed = now.jobs_at_full_speed == jobs;
  const bool made_up = report.problem->options().weights != WeightMode::demand;
  const std::string standing =
      unharmed ? (jobs == 1 ? "the job runs at full speed" : "every job runs at full speed")
               : fmt::format("the {} is slowed {}", jobs == 1 ? "job" : "worst job", times(now.worst_slowdown));
  std::string text = fmt::format("{}: {} ({})", display_name(report.run.solver), standing,
                                 certificate_words(report.result.solution.certificate) +
                                     (made_up ? " for weights " + weights_name(report.problem->options()) : ""));
  if (!unharmed && jobs > 1)
    text += fmt::format(", {} of {} at full speed", count(now.jobs_at_full_speed), count(jobs, "job"));
  if (report.has_baseline) text += "; " + compare_with_baseline(report, now);
  return text + ".";
}

std::string certificate_words(const Certificate& certificate) {
  if (certificate.vector_proved) return "certified optimal";
  if (certificate.max_proved) return "worst job proved optimal";
  return fmt::format("open, gap {}", percent(certificate.gap));
}

std::string explain_certificate(const Problem& problem, const Solution& solution) {
  const Certificate& certificate = solution.certificate;
  const std::string worst = times(from_units(solution.score.normalised.front()));
  const std::string bound = times(from_units(solution.bounds.vector.front()));
  const std::uint32_t jobs = problem.num_jobs();
  std::string text;
  if (certificate.vector_proved && jobs == 1) {
    text = fmt::format("No routing makes the job faster (bottleneck {}).", worst);
  } else if (certificate.vector_proved) {
    text = fmt::format("No routing can do better, neither for the worst job (bottleneck {}) nor for any job after it.",
                       worst);
  } else if (certificate.max_proved) {
    text = fmt::format(
        "No routing brings the worst job's bottleneck below {}. Jobs after it might still gain: {} of {} are at the "
        "bound.",
        worst, count(certificate.jobs_at_bound), count(jobs, "job"));
    text += fmt::format(" {} suffer no more than an even split of the traffic at every leaf and pod would make them.",
                        certificate.jobs_in_even_share == jobs ? "All" : count(certificate.jobs_in_even_share));
  } else {
    text = fmt::format("The worst job's bottleneck is {}; no routing can go below {}. What lies between is not known.",
                       worst, bound);
  }
  if (const std::uint32_t above = jobs_above_own_bound(problem, solution); certificate.vector_proved && above > 0)
    text += fmt::format(
        " {} above {} own bound: some part of the fabric is too small for all of its jobs, and one must yield.",
        above == 1 ? "1 job is" : count(above) + " jobs are", above == 1 ? "its" : "their");
  if (solution.truncated)
    text += certificate.vector_proved ? " The run was stopped early."
                                      : " The run was stopped early: more time might improve it.";
  return text;
}

std::string warm_start_words(const Problem& problem, const Solution& solution) {
  std::string words = fmt::format("{} of {} flows moved", count(solution.moved), count(problem.num_flows()));
  if (solution.placed > 0) words += fmt::format(", {} of them because they had no live path", count(solution.placed));
  return words;
}

std::string describe(const RunInfo& run) {
  return fmt::format("{} on {}{}, {}, seed {}", run.solver, run.backend,
                     run.device.empty() ? "" : fmt::format(" ({})", run.device), count(run.threads, "thread"),
                     run.seed);
}

std::string describe(const Finding& finding, std::size_t most_names) {
  if (finding.names.empty()) return finding.what;
  return fmt::format("{} {}: {}", count(finding.names.size()), finding.what,
                     util::join_names(finding.names, most_names));
}

std::string weights_name(const ProblemOptions& options) {
  switch (options.weights) {
    case WeightMode::demand:
      return "demand";
    case WeightMode::equal:
      return "equal";
    case WeightMode::hash:
      return fmt::format("hash:{}-{}", options.hash_lowest, options.hash_highest);
  }
  throw Error(ErrorCode::internal, "a mode of weights without a name");
}

std::vector<std::string> limits(const Problem& problem) {
  std::vector<std::string> limits;
  if (problem.capped_pairs() > 0)
    limits.push_back(fmt::format("{} of switches have more than {} shortest paths; only the first {} are candidates",
                                 count(problem.capped_pairs(), "pair"), count(problem.options().max_paths),
                                 count(problem.options().max_paths)));
  if (problem.weights_rounded()) limits.push_back("the flows' weights did not fit 16 bits and were rounded up");
  return limits;
}

std::vector<std::string> notes(const Problem& problem) {
  std::vector<std::string> notes;
  const Fabric& fabric = problem.fabric();
  std::uint64_t down = 0;
  std::uint64_t degraded = 0;
  for (LinkId id = 0; id < fabric.num_links(); ++id) {
    if (fabric.link(id).from > fabric.link(id).to) continue;  // a cable is counted once
    const LinkState states[] = {fabric.link(id).state, fabric.link(fabric.reverse(id)).state};
    if (std::ranges::count(states, LinkState::down) > 0) {
      ++down;
    } else if (std::ranges::count(states, LinkState::degraded) > 0) {
      ++degraded;
    }
  }
  if (down > 0) notes.push_back(fmt::format("{} down", count(down, "cable")));
  if (degraded > 0) notes.push_back(fmt::format("{} degraded to a lower capacity", count(degraded, "cable")));
  for (const auto& findings : {fabric.findings(), std::span<const Finding>(problem.workload().findings)})
    for (const Finding& finding : findings) notes.push_back(describe(finding, 3));
  for (std::string& limit : limits(problem)) notes.push_back(std::move(limit));
  return notes;
}

}  // namespace spineweave::report
