// spineweave.routings/1
#include <iterator>
#include <unordered_set>

#include "io/formats.hpp"
#include "io/routes_json.hpp"
#include "spineweave/io.hpp"

namespace spineweave {
namespace {

RoutingSetFile::Entry read_entry(const io::JsonObject& object) {
  RoutingSetFile::Entry entry;
  entry.name = object.text("name");
  const io::Json& rows = object.array("routes");
  entry.routes.reserve(rows.size());
  for (const io::Json& row : rows) {
    if (!row.is_number_unsigned() || row.get<std::uint64_t>() >= kNone)
      object.fail(fmt::format("routing '{}' has the route {}; expected a row of the table, counted from 0", entry.name,
                              row.dump()));
    entry.routes.push_back(row.get<std::uint32_t>());
  }
  return entry;
}

// Reports tell routings apart by their names.
void refuse_equal_names(const std::vector<RoutingSetFile::Entry>& entries, const std::string& file) {
  std::unordered_set<std::string_view> seen;
  std::vector<std::string> again;
  for (const RoutingSetFile::Entry& entry : entries)
    if (!seen.insert(entry.name).second) again.push_back("'" + entry.name + "'");
  if (!again.empty())
    throw Error(ErrorCode::bad_input, fmt::format("{}: {} routings have the name of one before them: {}", file,
                                                  again.size(), util::join_names(again, 3)));
}

}  // namespace

RoutingSetFile parse_routings(std::string_view content, const std::string& name) {
  if (detect_format(content) != FileFormat::routings_json)
    io::refuse_format(content, name, "routings: spineweave.routings/1, or a folder of spineweave.routing/1 files");
  const io::Json json = io::parse_json(content, name);
  const io::JsonObject root(json, name, {"schema", "fabric_digest", "jobs_digest", "routes", "routings"});
  RoutingSetFile file;
  file.fabric_digest = root.digest("fabric_digest");
  file.jobs_digest = root.digest("jobs_digest");
  file.routes = io::read_routes(root);
  const io::Json& entries = root.array("routings");
  if (entries.empty()) root.fail("holds no routing");
  file.routings.reserve(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i)
    file.routings.push_back(read_entry(io::JsonObject(entries[i], root.item("routings", i), {"name", "routes"})));
  refuse_equal_names(file.routings, name);
  return file;
}

std::string write_routings_json(const RoutingSetFile& file) {
  std::string out;
  const auto sink = std::back_inserter(out);
  fmt::format_to(
      sink,
      "{{\"schema\": \"spineweave.routings/1\",\n\"fabric_digest\": \"{:016x}\",\n\"jobs_digest\": \"{:016x}\",\n",
      file.fabric_digest, file.jobs_digest);
  io::write_routes(file.routes, out);
  out += ",\n\"routings\": [";
  const char* separator = "";
  for (const RoutingSetFile::Entry& entry : file.routings) {
    fmt::format_to(sink, "{}\n{{\"name\": {}, \"routes\": [{}]}}", separator, io::quoted(entry.name),
                   fmt::join(entry.routes, ","));
    separator = ",";
  }
  out += "]}\n";
  return out;
}

}  // namespace spineweave
