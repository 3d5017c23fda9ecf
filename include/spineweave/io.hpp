// Files: every reader and writer. Formats are told from the content; gzip is inflated on the way.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spineweave/document.hpp"
#include "spineweave/fabric.hpp"
#include "spineweave/routing.hpp"
#include "spineweave/workload.hpp"

namespace spineweave {

enum class FileFormat {
  fabric_json,    // spineweave.fabric/1
  jobs_json,      // spineweave.jobs/1
  routing_json,   // spineweave.routing/1
  routings_json,  // spineweave.routings/1
  floodns_topology,
  floodns_jobs,
  ibnetdiscover,
  ibsim,
  unknown
};
[[nodiscard]] std::string_view name_of(FileFormat format);

// The whole file, inflated where it is gzip. Throws Error{bad_input}: cannot be opened, is empty, is a
// truncated or damaged gzip, inflates to more than 4 GiB.
[[nodiscard]] std::string read_file(const std::string& path);
[[nodiscard]] FileFormat detect_format(std::string_view content);

// Errors name the file and the line or key, the value found and what was expected.
[[nodiscard]] Fabric read_fabric(const std::string& path);
[[nodiscard]] Fabric parse_fabric(std::string_view content, const std::string& name);
// A file, or a folder: every floodns job file in it is a job (in natural order of file names).
[[nodiscard]] Workload read_workload(const Fabric& fabric, const std::string& path);
[[nodiscard]] Workload parse_workload(const Fabric& fabric, std::string_view content, const std::string& name);
[[nodiscard]] RoutingFile read_routing(const std::string& path);
[[nodiscard]] RoutingFile parse_routing(std::string_view content, const std::string& name);
// A spineweave.routings/1 file, or a folder: every spineweave.routing/1 file in it is a routing, named
// after the file without its endings (in natural order of file names); other files are a finding.
[[nodiscard]] RoutingSetFile read_routings(const std::string& path);
[[nodiscard]] RoutingSetFile parse_routings(std::string_view content, const std::string& name);

[[nodiscard]] std::string write_fabric_json(const Fabric& fabric);
[[nodiscard]] std::string write_workload_json(const Fabric& fabric, const Workload& workload);
[[nodiscard]] std::string write_routing_json(const RoutingFile& routing);
[[nodiscard]] std::string write_routings_json(const RoutingSetFile& file);
// The same straight into a file, as write_file does, and piece by piece: the text is never held whole.
void save_fabric(const std::string& path, const Fabric& fabric);
void save_workload(const std::string& path, const Fabric& fabric, const Workload& workload);
// The file of name_routes, with the digest of the result; `digest` may be empty.
void save_routing(const std::string& path, const Problem& problem, const Routing& routing, const std::string& digest);
// JSON text with two-space indentation and a final newline; doubles in their shortest exact form.
[[nodiscard]] std::string write_json(const Document& document);
// The same on one line, without spaces and newline.
[[nodiscard]] std::string write_json_line(const Document& document);
// Any JSON text. Objects come with their keys in alphabetical order, whole numbers as std::uint64_t, or
// std::int64_t where negative.
[[nodiscard]] Document parse_document(std::string_view content, const std::string& name);
// One job of spineweave.jobs/1 on its own: an object without its "id". `phases` are those it may name.
[[nodiscard]] Job parse_job(const Fabric& fabric, std::span<const Phase> phases, std::string id,
                            std::string_view content, const std::string& name);
// The "phases" of spineweave.jobs/1 on their own, in an object with nothing else.
[[nodiscard]] std::vector<Phase> parse_phases(std::string_view content, const std::string& name);
// An object with its "id", as in spineweave.jobs/1.
[[nodiscard]] std::string write_job_json(const Fabric& fabric, std::span<const Phase> phases, const Job& job);
// A file that is whole or not there: written beside, then renamed. "-" is standard output.
void write_file(const std::string& path, std::string_view content);

}  // namespace spineweave
