// Opens files and hands their content to the parser of its format.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "io/formats.hpp"
#include "spineweave/io.hpp"

namespace spineweave {
namespace {

// Adds the jobs of one file to those of the files before it.
void append(Workload& all, Workload one, const std::string& name) {
  if (!one.phases.empty() && !all.jobs.empty())
    throw Error(ErrorCode::bad_input, name + ": has phases; a folder of several job files cannot have them");
  if (!one.phases.empty()) all.phases = std::move(one.phases);
  for (Job& job : one.jobs) {
    if (std::any_of(all.jobs.begin(), all.jobs.end(), [&](const Job& other) { return other.id == job.id; }))
      throw Error(ErrorCode::bad_input,
                  fmt::format("{}: job '{}' is in another file of the folder already", name, job.id));
    all.jobs.push_back(std::move(job));
  }
  std::move(one.findings.begin(), one.findings.end(), std::back_inserter(all.findings));
}

Workload read_folder(const Fabric& fabric, const std::string& path) {
  Workload all;
  Finding others{"files in the folder that are no jobs", {}};
  for (const std::string& file : io::files_in(path)) {
    const std::string content = read_file(file);
    const FileFormat format = detect_format(content);
    if (format == FileFormat::floodns_jobs || format == FileFormat::jobs_json) {
      append(all, parse_workload(fabric, content, file), file);
    } else {
      others.names.push_back(std::filesystem::path(file).filename().string());
    }
  }
  if (all.jobs.empty()) throw Error(ErrorCode::bad_input, fmt::format("{}: the folder holds no job file", path));
  if (!others.names.empty()) all.findings.push_back(std::move(others));
  return all;
}

}  // namespace

Fabric parse_fabric(std::string_view content, const std::string& name) {
  const FileFormat format = detect_format(content);
  switch (format) {
    case FileFormat::fabric_json:
      return io::parse_fabric_json(content, name);
    case FileFormat::floodns_topology:
      return io::parse_floodns_topology(content, name);
    case FileFormat::ibnetdiscover:
      return io::parse_ibnetdiscover(content, name);
    case FileFormat::ibsim:
      return io::parse_ibsim(content, name);
    case FileFormat::jobs_json:
    case FileFormat::routing_json:
    case FileFormat::routings_json:
    case FileFormat::floodns_jobs:
    case FileFormat::unknown:
      break;
  }
  io::refuse_format(content, name, "a fabric: spineweave.fabric/1, floodns topology, ibnetdiscover or ibsim");
}

Workload parse_workload(const Fabric& fabric, std::string_view content, const std::string& name) {
  const FileFormat format = detect_format(content);
  if (format == FileFormat::jobs_json) return io::parse_jobs_json(fabric, content, name);
  if (format == FileFormat::floodns_jobs) return io::parse_floodns_jobs(fabric, content, name);
  io::refuse_format(content, name, "jobs: spineweave.jobs/1 or a floodns job file");
}

Fabric read_fabric(const std::string& path) { return parse_fabric(read_file(path), path); }

Workload read_workload(const Fabric& fabric, const std::string& path) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) return read_folder(fabric, path);
  return parse_workload(fabric, read_file(path), path);
}

RoutingSetFile read_routings(const std::string& path) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) return io::read_routing_folder(path);
  return parse_routings(read_file(path), path);
}

RoutingFile read_routing(const std::string& path) { return parse_routing(read_file(path), path); }

}  // namespace spineweave
