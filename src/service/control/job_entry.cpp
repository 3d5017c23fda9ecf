#include "service/control/job_entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "service/control/errors.hpp"
#include "spineweave/error.hpp"
#include "spineweave/io.hpp"
#include "spineweave/problem.hpp"
#include "util/text.hpp"

namespace spineweave::service {
namespace {

Workload alone(const std::vector<Phase>& phases, Job job) {
  Workload workload;
  workload.phases = phases;
  workload.jobs.push_back(std::move(job));
  return workload;
}

}  // namespace

std::shared_ptr<const JobEntry> make_job_entry(const Fabric& fabric, const Hosts& hosts, Job job, Revision revision) {
  JobEntry entry;
  Workload workload = alone({}, std::move(job));
  entry.flows = expand_flows(fabric, workload);
  entry.job = std::move(workload.jobs.front());
  entry.revision = revision;
  entry.host_of_flow.reserve(entry.flows.size());
  for (const FlowSpec& flow : entry.flows) entry.host_of_flow.push_back(hosts.host_of_endpoint[flow.src]);
  return std::make_shared<const JobEntry>(std::move(entry));
}

void check_job(std::shared_ptr<const Fabric> intact, const std::vector<Phase>& phases, const Job& job) {
  (void)Problem(std::move(intact), std::make_shared<const Workload>(alone(phases, job)));
}

std::shared_ptr<const Fabric> intact_fabric(std::shared_ptr<const Fabric> fabric) {
  std::vector<LinkSetting> settings;
  for (LinkId link = 0; link < fabric->num_links(); ++link)
    if (fabric->link(link).state != LinkState::up) settings.push_back({link, LinkState::up});
  return settings.empty() ? fabric : std::make_shared<const Fabric>(with_link_states(*fabric, settings));
}

std::string write_job(const Fabric& fabric, const std::vector<Phase>& phases, const Job& job) {
  return write_workload_json(fabric, alone(phases, job));
}

Job read_job(const Fabric& fabric, std::string_view document) {
  return parse_workload(fabric, document, "a job in the state").jobs.at(0);
}

Job with_phases(Job job, const std::vector<Phase>& before, const std::vector<Phase>& after) {
  if (job.phase_mask == kAllPhases) return job;
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if ((job.phase_mask >> i & 1U) == 0) continue;
    const auto at = std::ranges::find(after, before[i].id, &Phase::id);
    if (at == after.end())
      throw ConflictError(fmt::format("job '{}' is active in phase '{}', which would go", job.id, before[i].id));
    mask |= std::uint64_t{1} << (at - after.begin());
  }
  job.phase_mask = mask;
  return job;
}

Job on_fabric(Job job, const Fabric& before, const Fabric& after) {
  std::vector<std::string> missing;
  for (Collective& collective : job.collectives)
    for (EndpointId& rank : collective.ranks) {
      const std::string& name = before.node(rank).name;
      const auto node = after.find(name);
      if (node && *node < after.num_endpoints())
        rank = *node;
      else
        missing.push_back(name);
    }
  if (!missing.empty())
    throw Error(ErrorCode::bad_input, fmt::format("job '{}' uses {} endpoints that the fabric does not have: {}",
                                                  job.id, missing.size(), util::join_names(missing, 3)));
  return job;
}

}  // namespace spineweave::service
