// The foot of the page: what was solved, how, and what the reader should know about the input.
#include <fmt/format.h>

#include "report/html.hpp"
#include "report/numbers.hpp"
#include "report/sections.hpp"
#include "report/words.hpp"

namespace spineweave::report {
namespace {

class FactList {
 public:
  explicit FactList(const char* title) : html_(fmt::format("<div><h3>{}</h3><dl>\n", title)) {}
  void add(const char* term, const std::string& value) {
    html_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", term, escape_html(value));
  }
  [[nodiscard]] std::string html() const { return html_ + "</dl></div>\n"; }

 private:
  std::string html_;
};

}  // namespace

std::string details_section(const Report& report) {
  const Problem& problem = *report.problem;
  const Solution& solution = report.result.solution;
  const Assessment& assessment = report.result.assessment;
  const RunInfo& run = report.run;

  FactList size("Problem");
  size.add("Endpoints", count(problem.fabric().num_endpoints()));
  size.add("Switches", count(problem.fabric().num_switches()));
  size.add("Directed links", count(problem.fabric().num_links()));
  size.add("Jobs", count(problem.num_jobs()));
  size.add("Flows", count(problem.num_flows()));
  size.add("Candidate paths", count(problem.num_candidates()));
  size.add("Phases", count(problem.num_phases()));
  size.add("Precision", fmt::format("{} bits", problem.precision_bits()));

  FactList quality("Result");
  quality.add("Worst bottleneck", times(from_units(solution.score.normalised.front())));
  quality.add("Its lower bound", times(from_units(solution.bounds.vector.front())));
  quality.add("Jobs at the bound",
              fmt::format("{} of {}", count(solution.certificate.jobs_at_bound), count(problem.num_jobs())));
  quality.add("Jobs within an even share",
              fmt::format("{} of {}", count(solution.certificate.jobs_in_even_share), count(problem.num_jobs())));
  quality.add("Network efficiency", percent(assessment.network_efficiency));
  quality.add("With perfect splitting", percent(assessment.fluid_bound));
  quality.add("Worst job's efficiency", percent(assessment.worst_job_efficiency));
  quality.add("Jain's index", fmt::format("{:.3f}", assessment.jain));

  FactList how("Run");
  how.add("Solver", run.solver);
  how.add("Backend", run.device.empty() ? run.backend : fmt::format("{} ({})", run.backend, run.device));
  how.add("Threads", count(run.threads));
  how.add("Seed", fmt::to_string(run.seed));
  how.add("Load, build, solve",
          fmt::format("{}, {}, {}", duration(run.load_us), duration(run.build_us), duration(run.solve_us)));
  how.add("Stopped early", solution.truncated ? "yes" : "no");
  if (solution.warm) how.add("Warm start", warm_start_words(problem, solution));
  how.add("Digest", fmt::format("{:016x}", solution.digest));

  std::string remarks;
  for (const std::string& note : notes(problem)) remarks += fmt::format("<li>{}</li>\n", escape_html(note));
  if (!remarks.empty()) remarks = "<h3>Notes</h3><ul>\n" + remarks + "</ul>\n";
  return "<section><h2>Details</h2>\n" + remarks + "<div class=\"facts\">\n" + size.html() + quality.html() +
         how.html() + "</div></section>\n";
}

}  // namespace spineweave::report
