// A job as the controller keeps it: with its flows, and as text for the store.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "service/control/snapshot.hpp"

namespace spineweave::service {

// Throws Error{bad_input}: what expand_flows throws.
[[nodiscard]] std::shared_ptr<const JobEntry> make_job_entry(const Fabric& fabric, const Hosts& hosts, Job job,
                                                             Revision revision);

// What Problem says of the job alone on the fabric with all links up: pairs that no path could join, weights that do
// not fit, no phase. Throws Error{bad_input}. O(fabric).
void check_job(std::shared_ptr<const Fabric> intact, const std::vector<Phase>& phases, const Job& job);
[[nodiscard]] std::shared_ptr<const Fabric> intact_fabric(std::shared_ptr<const Fabric> fabric);

// A spineweave.jobs/1 document with the phases and this job alone, and back.
[[nodiscard]] std::string write_job(const Fabric& fabric, const std::vector<Phase>& phases, const Job& job);
[[nodiscard]] Job read_job(const Fabric& fabric, std::string_view document);

// The same job where phases have other places. Throws ConflictError where it names one that is not among them.
[[nodiscard]] Job with_phases(Job job, const std::vector<Phase>& before, const std::vector<Phase>& after);

// The same job on another fabric, its ranks found by name. Throws Error{bad_input} that counts and names those that are
// not there.
[[nodiscard]] Job on_fabric(Job job, const Fabric& before, const Fabric& after);

}  // namespace spineweave::service
