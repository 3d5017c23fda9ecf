#include "report/document_blocks.hpp"

#include "report/numbers.hpp"
#include "report/words.hpp"

namespace spineweave {

Document::Object report::problem_object(const Problem& problem) {
  const Fabric& fabric = problem.fabric();
  Document::Array remarks;
  for (const std::string& note : notes(problem)) remarks.emplace_back(note);
  return {{"endpoints", fabric.num_endpoints()},
          {"switches", fabric.num_switches()},
          {"links", fabric.num_links()},
          {"jobs", problem.num_jobs()},
          {"flows", problem.num_flows()},
          {"candidates", problem.num_candidates()},
          {"phases", problem.num_phases()},
          {"precision_bits", problem.precision_bits()},
          {"capped_pairs", problem.capped_pairs()},
          {"weights_rounded", problem.weights_rounded()},
          {"notes", std::move(remarks)}};
}

Document::Object report::run_object(const std::string& subject, const RunInfo& run, const Solution& solution) {
  return {{subject, run.solver},         {"backend", run.backend}, {"device", run.device},
          {"threads", run.threads},      {"seed", run.seed},       {"truncated", solution.truncated},
          {"fabric", run.fabric_source}, {"jobs", run.jobs_source}};
}

Document::Array report::units_array(std::span<const std::uint64_t> values) {
  Document::Array array;
  for (const std::uint64_t value : values) array.emplace_back(from_units(value));
  return array;
}

Document::Object report::score_object(const Problem& problem, const Solution& solution) {
  const Certificate& certificate = solution.certificate;
  const auto word = [](bool proved) { return proved ? "proved" : "open"; };
  using Object = Document::Object;
  return {{"max_congestion", problem.utilisation(solution.score.max_congestion)},
          {"worst_job", from_units(solution.score.normalised.front())},
          {"lower_bound", from_units(solution.bounds.vector.front())},
          {"gap", certificate.gap},
          {"certificate", Object{{"max", word(certificate.max_proved)},
                                 {"vector", word(certificate.vector_proved)},
                                 {"jobs_at_bound", certificate.jobs_at_bound},
                                 {"jobs_in_even_share", certificate.jobs_in_even_share}}},
          {"vector", units_array(solution.score.normalised)},
          {"vector_bound", units_array(solution.bounds.vector)}};
}

}  // namespace spineweave
