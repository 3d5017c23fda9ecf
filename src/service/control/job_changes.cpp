#include <fmt/format.h>

#include <algorithm>

#include "service/control/changes.hpp"
#include "service/control/publication.hpp"

namespace spineweave::service {
namespace {

bool same_flows(const JobEntry& a, const JobEntry& b) {
  return std::ranges::equal(a.flows, b.flows, [](const FlowSpec& x, const FlowSpec& y) {
    return x.src == y.src && x.dst == y.dst && x.collective == y.collective && x.index == y.index;
  });
}

// Routes of a job that has the same flows as before are its own now.
void hand_over_routes(Draft& draft, const std::shared_ptr<const JobEntry>& job) {
  auto& jobs = Draft::own(draft.next.routing).jobs;
  const auto at = std::ranges::lower_bound(jobs, id_of(job), {}, id_of);
  if (at != jobs.end() && id_of(*at) == id_of(job)) *at = make_routes(job, (*at)->paths);
}

}  // namespace

void check_expected(std::string_view what, Revision present, std::optional<Revision> expected) {
  if (!expected || *expected == present) return;
  if (present == 0) throw RevisionError(fmt::format("{} is not there; revision {} was expected", what, *expected));
  throw RevisionError(fmt::format("{} has revision {}; {} was expected", what, present, *expected));
}

Change change_job(Draft& draft, const std::shared_ptr<const JobEntry>& checked, const std::string& document,
                  std::optional<Revision> expected, const ControllerOptions& options) {
  const std::string& id = checked->job.id;
  const JobEntry* before = draft.next.find_job(id);
  check_expected(fmt::format("job '{}'", id), before == nullptr ? 0 : before->revision, expected);
  const Revision revision = draft.raise(ChangeKind::job, id);
  const auto job = std::make_shared<JobEntry>(*checked);
  job->revision = revision;
  draft.rows().put_job(id, {revision, document});
  const bool keeps_routes = before != nullptr && same_flows(*before, *job);
  if (before != nullptr && !keeps_routes) {
    draft.rows().remove_routes(id);
    withdraw_routes(draft, id, ChangeKind::job, options);
  }
  if (keeps_routes) hand_over_routes(draft, job);
  Jobs& jobs = Draft::own(draft.next.jobs);
  const auto at = std::ranges::lower_bound(jobs, std::string_view(id), {}, id_of);
  const bool created = at == jobs.end() || id_of(*at) != id;
  if (created)
    jobs.insert(at, job);
  else
    *at = job;
  draft.opens_window = true;
  return {revision, created};
}

Change remove_job(Draft& draft, std::string_view id, std::optional<Revision> expected,
                  const ControllerOptions& options) {
  const JobEntry* job = draft.next.find_job(id);
  if (job == nullptr) throw NotFoundError(fmt::format("there is no job '{}'", id));
  check_expected(fmt::format("job '{}'", id), job->revision, expected);
  const Revision revision = draft.raise(ChangeKind::job_removed, std::string(id));
  draft.rows().remove_job(id);
  draft.rows().remove_routes(id);
  withdraw_routes(draft, id, ChangeKind::job_removed, options);
  std::erase_if(Draft::own(draft.next.jobs), [&](const auto& entry) { return entry.get() == job; });
  draft.opens_window = true;
  return {revision, false};
}

}  // namespace spineweave::service
