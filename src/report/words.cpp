#include "report/words.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "report/numbers.hpp"
#include "report/summary.hpp"
#include "util/text.hpp"

namespace spineweave::report {
namespace {

std::string compare_with_baseline(const Report& report, const Summary& now) {
  const Summary before = summarise(*report.problem, report.baseline);
  const std::string name = display_name(report.baseline_name);
  const double worst = before.worst_slowdown;
  if (!above_one(worst)) return fmt::format("so it does under {}", name);
  if (std::abs(worst - now.worst_slowdown) <= kRounding) return fmt::format("{} does as well for the worst job", name);
  return fmt::format("{} would slow the worst job {}", name, times(worst));
}

}  // namespace

std::string display_name(std::string_view solver) { return solver == "ecmp" ? "ECMP" : std::string(solver); }

std::string verdict(const Report& report) {
  const Summary now = summarise(*report.problem, report.result);
  const std::uint32_t jobs = report.problem->num_jobs();
  const bool unharmed = now.jobs_at_full_speed == jobs;
  const std::string standing =
      unharmed ? (jobs == 1 ? "the job runs at full speed" : "every job runs at full speed")
               : fmt::format("the {} is slowed {}", jobs == 1 ? "job" : "worst job", times(now.worst_slowdown));
  std::string text = fmt::format("{}: {} ({})", display_name(report.run.solver), standing,
                                 certificate_words(report.result.solution.certificate));
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

std::string explain_certificate(const Report& report) {
  const Solution& solution = report.result.solution;
  const Certificate& certificate = solution.certificate;
  const std::string words = certificate_words(certificate);
  const std::string worst = times(from_units(solution.score.normalised.front()));
  const std::string bound = times(from_units(solution.bounds.vector.front()));
  std::string text;
  if (certificate.vector_proved) {
    text =
        fmt::format("{}. No routing can do better, neither for the worst job (bottleneck {}) nor for any job after it.",
                    words, worst);
  } else if (certificate.max_proved) {
    text = fmt::format(
        "{}. No routing brings the worst job's bottleneck below {}. Jobs after it might still gain: {} of {} are at "
        "the "
        "lower bound.",
        words, worst, count(certificate.jobs_at_bound), count(report.problem->num_jobs(), "job"));
  } else {
    text =
        fmt::format("{}. The worst job's bottleneck is {}; no routing can go below {}. What lies between is not known.",
                    words, worst, bound);
  }
  if (solution.truncated) text += " The run was stopped early: more time might improve it.";
  return text;
}

std::string describe(const Finding& finding, std::size_t most_names) {
  if (finding.names.empty()) return finding.what;
  return fmt::format("{} {}: {}", count(finding.names.size()), finding.what,
                     util::join_names(finding.names, most_names));
}

std::vector<std::string> notes(const Problem& problem) {
  std::vector<std::string> notes;
  for (const auto& findings : {problem.fabric().findings(), std::span<const Finding>(problem.workload().findings)})
    for (const Finding& finding : findings) notes.push_back(describe(finding, 3));
  if (problem.capped_pairs() > 0)
    notes.push_back(fmt::format("{} of switches have more than {} shortest paths; only the first {} are candidates",
                                count(problem.capped_pairs(), "pair"), count(problem.options().max_paths),
                                count(problem.options().max_paths)));
  if (problem.weights_rounded()) notes.push_back("the flows' weights did not fit 16 bits and were rounded up");
  return notes;
}

}  // namespace spineweave::report
