// spineweave.routings/1
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
  RoutingSetFile file;
  const io::JsonItems entries = {{"routings"}, [&](const io::Json& item, const io::JsonPlace& place) {
                                   file.routings.push_back(read_entry(io::JsonObject(item, place, {"name", "routes"})));
                                 }};
  const io::Json json = io::parse_json(content, name, {io::stream_routes(file.routes), entries});
  const io::JsonObject root(json, io::JsonPlace(name),
                            {"schema", "fabric_digest", "jobs_digest", "routes", "routings"});
  file.fabric_digest = root.digest("fabric_digest");
  file.jobs_digest = root.digest("jobs_digest");
  (void)root.array("routes");
  (void)root.array("routings");
  if (file.routings.empty()) root.fail("holds no routing");
  refuse_equal_names(file.routings, name);
  return file;
}

std::string write_routings_json(const RoutingSetFile& file) {
  return io::whole_text([&](const io::Sink& sink) {
    io::TextStream out(sink);
    out.format(
        "{{\"schema\": \"spineweave.routings/1\",\n\"fabric_digest\": \"{:016x}\",\n\"jobs_digest\": \"{:016x}\",\n",
        file.fabric_digest, file.jobs_digest);
    io::RouteWriter writer(out);
    for (const NamedRoute& route : file.routes) writer.add(route);
    writer.finish();
    out += ",\n\"routings\": [";
    const char* separator = "";
    for (const RoutingSetFile::Entry& entry : file.routings) {
      out.format("{}\n{{\"name\": {}, \"routes\": [{}]}}", separator, io::quoted(entry.name),
                 fmt::join(entry.routes, ","));
      separator = ",";
      out.pause();
    }
    out += "]}\n";
    out.finish();
  });
}

}  // namespace spineweave
