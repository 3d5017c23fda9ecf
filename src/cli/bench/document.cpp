// spineweave.bench/1
#include <fmt/format.h>

#include "cli/bench/output.hpp"

namespace spineweave::bench {
namespace {

std::string hex(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

Document::Object input_object(const Case& subject) {
  return {{"fabric", std::string(subject.fabric)},
          {"down", std::string(subject.down)},
          {"jobs", std::string(subject.jobs)}};
}

Document::Object problem_object(const Instance& instance) {
  return {{"endpoints", instance.endpoints},
          {"links", instance.links},
          {"jobs", instance.jobs},
          {"flows", instance.flows},
          {"candidates", instance.candidates},
          {"fabric_digest", hex(instance.fabric_digest)},
          {"jobs_digest", hex(instance.jobs_digest)}};
}

Document::Object step_object(const CaseResult& item, const Step& step) {
  const bool is_score = item.subject.operation == Operation::score;
  const auto amount = static_cast<double>(is_score ? item.instance.candidates : item.instance.flows);
  return {{"step", std::string(step.name)},
          {"repetitions", static_cast<std::uint64_t>(step.us.size())},
          {"median_us", step.median_us()},
          {"min_us", step.min_us()},
          {"max_us", step.max_us()},
          {is_score ? "candidates_per_s" : "flows_per_s", amount / step.median_us() * 1e6},
          {"us", Document::Array(step.us.begin(), step.us.end())}};
}

Document::Object quality_object(const Quality& quality) {
  const auto word = [](bool proved) { return proved ? "proved" : "open"; };
  return {{"worst_job", quality.worst_job},
          {"lower_bound", quality.lower_bound},
          {"gap", quality.certificate.gap},
          {"certificate", Document::Object{{"max", word(quality.certificate.max_proved)},
                                           {"vector", word(quality.certificate.vector_proved)},
                                           {"jobs_at_bound", quality.certificate.jobs_at_bound},
                                           {"jobs_in_even_share", quality.certificate.jobs_in_even_share}}},
          {"network_efficiency", quality.network_efficiency},
          {"fluid_bound", quality.fluid_bound},
          {"digest", hex(quality.digest)}};
}

Document::Object repair_object(const CaseResult& item) {
  const Repair& repair = *item.repair;
  return {{"cable", repair.cable},
          {"flows_displaced", repair.displaced},
          {"flows_moved", repair.moved},
          {"share_moved", static_cast<double>(repair.moved) / item.instance.flows},
          {"afresh", quality_object(repair.afresh)}};
}

Document::Object case_object(const CaseResult& item) {
  Document::Object object = {{"name", std::string(item.subject.name)},
                             {"group", std::string(item.subject.group)},
                             {"operation", std::string(name_of(item.subject.operation))},
                             {"input", input_object(item.subject)}};
  if (!item.skipped.empty()) {
    object.emplace_back("skipped", item.skipped);
    return object;
  }
  object.emplace_back("backend", item.backend);
  object.emplace_back("device", item.device);
  object.emplace_back("threads", item.threads);
  object.emplace_back("problem", problem_object(item.instance));
  Document::Array steps;
  for (const Step& step : item.steps) steps.emplace_back(step_object(item, step));
  object.emplace_back("steps", std::move(steps));
  if (item.peak_memory_bytes) object.emplace_back("peak_memory_bytes", *item.peak_memory_bytes);
  object.emplace_back("digest", hex(item.digest));
  if (item.quality) object.emplace_back("result", quality_object(*item.quality));
  if (item.repair) object.emplace_back("repair", repair_object(item));
  return object;
}

}  // namespace

Document run_document(const Run& run) {
  Document::Array cases;
  for (const CaseResult& item : run.cases) cases.emplace_back(case_object(item));
  return Document::Object{{"schema", "spineweave.bench/1"},
                          {"version", run.version},
                          {"commit", run.commit},
                          {"machine", Document::Object{{"cpu", run.machine.cpu},
                                                       {"threads", run.machine.threads},
                                                       {"memory_bytes", run.machine.memory_bytes},
                                                       {"load_average", run.machine.load_average},
                                                       {"compiler", run.machine.compiler}}},
                          {"run", Document::Object{{"threads", run.threads},
                                                   {"seed", run.seed},
                                                   {"interrupted", run.cases.size() < run.num_chosen}}},
                          {"cases", std::move(cases)}};
}

}  // namespace spineweave::bench
