// spineweave.routing/1
#include "io/formats.hpp"
#include "io/routes_json.hpp"
#include "spineweave/io.hpp"

namespace spineweave {

RoutingFile parse_routing(std::string_view content, const std::string& name) {
  if (detect_format(content) != FileFormat::routing_json)
    io::refuse_format(content, name, "a routing: spineweave.routing/1");
  const io::Json json = io::parse_json(content, name);
  const io::JsonObject root(json, name, {"schema", "fabric_digest", "jobs_digest", "digest", "routes"});
  RoutingFile file;
  file.fabric_digest = root.digest("fabric_digest");
  file.jobs_digest = root.digest("jobs_digest");
  file.digest = root.optional_text("digest").value_or("");
  file.routes = io::read_routes(root);
  return file;
}

std::string write_routing_json(const RoutingFile& routing) {
  std::string out;
  out.reserve(256 * routing.routes.size() + 256);
  const auto sink = std::back_inserter(out);
  fmt::format_to(
      sink, "{{\"schema\": \"spineweave.routing/1\",\n\"fabric_digest\": \"{:016x}\",\n\"jobs_digest\": \"{:016x}\",\n",
      routing.fabric_digest, routing.jobs_digest);
  if (!routing.digest.empty()) fmt::format_to(sink, "\"digest\": {},\n", io::quoted(routing.digest));
  io::write_routes(routing.routes, out);
  out += "}\n";
  return out;
}

}  // namespace spineweave
