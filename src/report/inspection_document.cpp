// spineweave.inspection/1.
#include <fmt/format.h>

#include "report/inspection.hpp"
#include "report/words.hpp"

namespace spineweave {
namespace {

using namespace report;
using Object = Document::Object;

constexpr std::size_t kNamesListed = 20;

Document::Array tiers_array(const FabricFacts& facts) {
  Document::Array tiers;
  for (const TierFacts& tier : facts.tiers) {
    Object object = {{"name", tier.name}, {"switches", tier.switches}};
    if (tier.oversubscription > 0) {
      object.emplace_back("oversubscription", tier.oversubscription);
      object.emplace_back("worst_oversubscription", tier.worst_oversubscription);
      object.emplace_back("worst_switch", tier.worst_switch);
    }
    tiers.emplace_back(std::move(object));
  }
  return tiers;
}

Document::Array cables_array(const FabricFacts& facts) {
  Document::Array groups;
  for (const CableFacts& group : facts.cable_groups) {
    Document::Array capacities;
    for (const auto& [bps, cables] : group.nominal_bps)
      capacities.emplace_back(Object{{"gbps", static_cast<double>(bps) / 1e9}, {"cables", cables}});
    groups.emplace_back(Object{{"between", group.between},
                               {"cables", group.cables},
                               {"down", group.down},
                               {"degraded", group.degraded},
                               {"capacities", std::move(capacities)}});
  }
  return groups;
}

Object fabric_object(const Inspection& inspection) {
  const Fabric& fabric = *inspection.fabric;
  const FabricFacts facts = count_fabric(fabric);
  const ClosShape* clos = fabric.clos();
  return {{"source", inspection.fabric_source},
          {"format", inspection.format},
          {"shape", describe_shape(fabric)},
          {"is_clos", clos != nullptr},
          {"symmetric", clos != nullptr && clos->symmetric},
          {"endpoints", facts.endpoints},
          {"unnamed_adapters", facts.unnamed_adapters},
          {"reduction_nodes", facts.reduction_nodes},
          {"hosts", facts.hosts},
          {"rails", facts.rails},
          {"switches", fabric.num_switches()},
          {"links", fabric.num_links()},
          {"cables", facts.cables},
          {"pods", facts.pods},
          {"planes", facts.planes},
          {"leaf_trunk", clos != nullptr ? clos->leaf_trunk : 0U},
          {"core_trunk", clos != nullptr ? clos->core_trunk : 0U},
          {"tiers", tiers_array(facts)},
          {"cable_groups", cables_array(facts)},
          {"digest", fmt::format("{:016x}", fabric.digest())}};
}

Object jobs_object(const Inspection& inspection) {
  const WorkloadFacts facts = count_workload(*inspection.fabric, *inspection.workload);
  Object collectives;
  for (const auto& [kind, number] : facts.collectives) collectives.emplace_back(kind, number);
  return {{"jobs", std::uint64_t{inspection.workload->jobs.size()}},
          {"collectives", std::move(collectives)},
          {"flows", facts.flows},
          {"endpoints_used", facts.endpoints_used},
          {"bytes_per_step", facts.bytes_per_step},
          {"phases", std::uint64_t{inspection.workload->phases.size()}}};
}

Object problem_object(const Problem& problem) {
  return {{"candidates", problem.num_candidates()},
          {"precision_bits", problem.precision_bits()},
          {"capped_pairs", problem.capped_pairs()},
          {"weights_rounded", problem.weights_rounded()}};
}

}  // namespace

Document inspection_document(const Inspection& inspection) {
  Document::Array findings;
  for (const Finding& finding : all_findings(inspection)) {
    Document::Array names;
    for (std::size_t i = 0; i < finding.names.size() && i < kNamesListed; ++i) names.emplace_back(finding.names[i]);
    findings.emplace_back(
        Object{{"what", finding.what}, {"count", std::uint64_t{finding.names.size()}}, {"first", std::move(names)}});
  }
  Object document = {{"schema", "spineweave.inspection/1"}, {"fabric", fabric_object(inspection)}};
  if (inspection.workload != nullptr) document.emplace_back("workload", jobs_object(inspection));
  if (inspection.problem != nullptr) document.emplace_back("problem", problem_object(*inspection.problem));
  if (!inspection.problem_error.empty()) document.emplace_back("problem_error", inspection.problem_error);
  document.emplace_back("findings", std::move(findings));
  return document;
}

}  // namespace spineweave
