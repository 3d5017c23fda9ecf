#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "io/formats.hpp"
#include "io/lines.hpp"
#include "spineweave/io.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

// The value of the first key, where that is "schema"; empty elsewhere.
std::string_view json_schema(std::string_view content) {
  const auto expect = [&](std::string_view token) {
    content.remove_prefix(std::min(content.find_first_not_of(" \t\r\n"), content.size()));
    if (!content.starts_with(token)) return false;
    content.remove_prefix(token.size());
    return true;
  };
  if (!expect("{") || !expect("\"schema\"") || !expect(":") || !expect("\"")) return {};
  return content.substr(0, content.find('"'));
}

bool is_job_line(std::string_view line) {
  constexpr std::size_t kColumns = 8;
  std::size_t columns = 0;
  for (const std::string_view word : util::split(line, ' ')) {
    if (word.empty()) continue;
    if (!util::parse_unsigned(word)) return false;
    ++columns;
  }
  return columns == kColumns;
}

// What this line alone says of the format, if anything.
std::optional<FileFormat> format_of_line(std::string_view line) {
  const auto starts_with_any = [&](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return line.starts_with(word); });
  };
  if (line.starts_with("#src dst") || is_job_line(line)) return FileFormat::floodns_jobs;
  if (line.starts_with("# Topology file")) return FileFormat::ibnetdiscover;
  if (line.empty() || line.starts_with('#')) return std::nullopt;
  if (starts_with_any({"num_nodes=", "num_undirected_edges=", "undirected_edges=", "switches=", "servers="}))
    return FileFormat::floodns_topology;
  if (starts_with_any({"vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "Ca\t", "Ca ", "Rt\t", "Rt "}))
    return FileFormat::ibnetdiscover;
  if (starts_with_any({"Switch\t", "Switch ", "Hca\t", "Hca "})) return FileFormat::ibsim;
  return FileFormat::unknown;
}

}  // namespace

std::string_view name_of(FileFormat format) {
  switch (format) {
    case FileFormat::fabric_json:
      return "spineweave.fabric/1";
    case FileFormat::jobs_json:
      return "spineweave.jobs/1";
    case FileFormat::routing_json:
      return "spineweave.routing/1";
    case FileFormat::routings_json:
      return "spineweave.routings/1";
    case FileFormat::floodns_topology:
      return "floodns topology";
    case FileFormat::floodns_jobs:
      return "floodns jobs";
    case FileFormat::ibnetdiscover:
      return "ibnetdiscover";
    case FileFormat::ibsim:
      return "ibsim";
    case FileFormat::unknown:
      return "unknown";
  }
  return "unknown";
}

FileFormat detect_format(std::string_view content) {
  const std::string_view schema = json_schema(content);
  for (const FileFormat format :
       {FileFormat::fabric_json, FileFormat::jobs_json, FileFormat::routing_json, FileFormat::routings_json})
    if (!schema.empty() && schema == name_of(format)) return format;
  for (io::Lines lines(content); lines.next();)
    if (const auto format = format_of_line(util::trim(lines.text()))) return *format;
  return FileFormat::unknown;
}

void io::refuse_format(std::string_view content, const std::string& name, std::string_view expected) {
  const FileFormat format = detect_format(content);
  std::string found = "is of no known format";
  if (format != FileFormat::unknown) {
    found = fmt::format("is a {} file", name_of(format));
  } else if (const std::string_view schema = json_schema(content); !schema.empty()) {
    found = fmt::format("is JSON of the schema '{}'", schema);
  } else if (util::trim(content).starts_with('{')) {
    found = "is JSON whose first key is not 'schema'";
  }
  throw Error(ErrorCode::bad_input, fmt::format("{}: {}; expected {}", name, found, expected));
}

}  // namespace spineweave
