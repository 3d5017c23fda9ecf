// What `inspect` prints: the fabric, the jobs, and what is odd about them.
#include <fmt/format.h>

#include <algorithm>

#include "report/inspection.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"
#include "report/words.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

using namespace report;

constexpr std::size_t kNamesShown = 5;

// "name  value" lines, the values below each other.
class Facts {
 public:
  void add(std::string name, std::string value) { lines_.push_back({std::move(name), std::move(value)}); }
  [[nodiscard]] std::string render(std::size_t width) const {
    std::size_t longest = 0;
    for (const auto& [name, value] : lines_) longest = std::max(longest, display_width(name));
    std::string text;
    for (const auto& [name, value] : lines_) {
      const std::string line = "  " + name + std::string(longest - display_width(name) + 2, '\x01') + value;
      // The padding must not be taken for spaces at which a line may break.
      std::string wrapped = wrap(line, width, longest + 4);
      std::ranges::replace(wrapped, '\x01', ' ');
      text += wrapped + "\n";
    }
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

std::string describe_cables(const CableFacts& group) {
  std::string text;
  for (const auto& [bps, cables] : group.nominal_bps)
    text += fmt::format("{}{} of {} Gbit/s", text.empty() ? "" : ", ", count(cables), gbps(static_cast<double>(bps)));
  if (group.down > 0) text += fmt::format("; {} down", count(group.down));
  if (group.degraded > 0) text += fmt::format("; {} degraded", count(group.degraded));
  return text;
}

std::string describe_oversubscription(const TierFacts& tier) {
  std::string text = fmt::format("{:.2f} : 1", tier.oversubscription);
  if (tier.worst_oversubscription > tier.oversubscription * (1 + kRounding))
    text += fmt::format("; worst {:.2f} : 1 at {}", tier.worst_oversubscription, printable(tier.worst_switch));
  return text;
}

std::string fabric_text(const Inspection& inspection, std::size_t width) {
  const Fabric& fabric = *inspection.fabric;
  const FabricFacts counted = count_fabric(fabric);
  Facts facts;
  facts.add("shape", describe_shape(fabric));
  facts.add("endpoints", count(counted.endpoints));
  if (counted.unnamed_adapters > 0) facts.add("unnamed adapters", count(counted.unnamed_adapters));
  if (counted.reduction_nodes > 0) facts.add("reduction nodes", count(counted.reduction_nodes));
  if (counted.hosts > 0) facts.add("hosts", count(counted.hosts));
  if (counted.rails > 0) facts.add("rails", count(counted.rails));
  for (const TierFacts& tier : counted.tiers) facts.add(fmt::format("{} switches", tier.name), count(tier.switches));
  if (counted.pods > 0) facts.add("pods, planes", fmt::format("{}, {}", count(counted.pods), count(counted.planes)));
  facts.add("cables", fmt::format("{} ({} directed links)", count(counted.cables), count(fabric.num_links())));
  for (const CableFacts& group : counted.cable_groups) facts.add("  " + group.between, describe_cables(group));
  for (const TierFacts& tier : counted.tiers)
    if (tier.oversubscription > 0) facts.add(tier.name + " oversubscription", describe_oversubscription(tier));
  return facts.render(width);
}

std::string jobs_text(const Inspection& inspection, std::size_t width) {
  const WorkloadFacts counted = count_workload(*inspection.fabric, *inspection.workload);
  Facts facts;
  facts.add("jobs", count(inspection.workload->jobs.size()));
  for (const auto& [kind, number] : counted.collectives) facts.add("  " + kind, count(number));
  facts.add("flows", count(counted.flows));
  facts.add("endpoints used",
            fmt::format("{} of {}", count(counted.endpoints_used), count(inspection.fabric->num_endpoints())));
  facts.add("bytes per step", bytes(counted.bytes_per_step));
  if (!inspection.workload->phases.empty()) facts.add("phases", count(inspection.workload->phases.size()));
  if (inspection.problem != nullptr) facts.add("candidate paths", count(inspection.problem->num_candidates()));
  return facts.render(width);
}

std::string findings_text(const Inspection& inspection, const TextStyle& style) {
  const std::vector<Finding> findings = all_findings(inspection);
  const std::vector<std::string> limited =
      inspection.problem != nullptr ? limits(*inspection.problem) : std::vector<std::string>{};
  if (findings.empty() && limited.empty()) return paint("Nothing odd was found.", Tone::good, style.color) + "\n";
  std::string text = paint("Findings", Tone::strong, style.color) + "\n";
  for (const Finding& finding : findings)
    text += wrap("- " + printable(describe(finding, kNamesShown)), style.width, 2) + "\n";
  for (const std::string& limit : limited) text += wrap("- " + limit, style.width, 2) + "\n";
  return text;
}

}  // namespace

std::string inspection_text(const Inspection& inspection, const TextStyle& style) {
  std::string title = inspection.fabric_source;
  if (!inspection.format.empty()) title += fmt::format(" ({})", inspection.format);
  std::string text = paint(wrap("Fabric: " + printable(title), style.width, 2), Tone::strong, style.color) + "\n";
  text += fabric_text(inspection, style.width) + "\n";
  if (inspection.workload != nullptr)
    text += paint("Jobs", Tone::strong, style.color) + "\n" + jobs_text(inspection, style.width) + "\n";
  text += findings_text(inspection, style);
  if (!inspection.problem_error.empty())
    text += "\n" +
            paint(wrap("These jobs cannot run here: " + printable(inspection.problem_error), style.width, 2), Tone::bad,
                  style.color) +
            "\n";
  return text;
}

}  // namespace spineweave
