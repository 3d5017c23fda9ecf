// spineweave.routing/1
#include "io/formats.hpp"
#include "io/json_reader.hpp"
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
  const io::Json& routes = root.array("routes");
  file.routes.reserve(routes.size());
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const io::JsonObject object(routes[i], root.item("routes", i),
                                {"job", "collective", "index", "src", "dst", "links"});
    NamedRoute& route = file.routes.emplace_back();
    route.job = object.text("job");
    route.collective = static_cast<std::uint32_t>(object.number("collective", kNone));
    route.index = static_cast<std::uint32_t>(object.number("index", kNone));
    route.src = object.text("src");
    route.dst = object.text("dst");
    for (const io::Json& link : object.array("links")) {
      if (!link.is_string()) object.fail(fmt::format("link {} is no text", link.dump()));
      route.links.push_back(link.get<std::string>());
    }
  }
  return file;
}

std::string write_routing_json(const RoutingFile& routing) {
  using io::quoted;
  std::string out;
  out.reserve(256 * routing.routes.size() + 256);
  const auto sink = std::back_inserter(out);
  fmt::format_to(
      sink, "{{\"schema\": \"spineweave.routing/1\",\n\"fabric_digest\": \"{:016x}\",\n\"jobs_digest\": \"{:016x}\",\n",
      routing.fabric_digest, routing.jobs_digest);
  if (!routing.digest.empty()) fmt::format_to(sink, "\"digest\": {},\n", quoted(routing.digest));
  out += "\"routes\": [";
  for (std::size_t i = 0; i < routing.routes.size(); ++i) {
    const NamedRoute& route = routing.routes[i];
    fmt::format_to(sink, "{}\n{{\"job\": {}, \"collective\": {}, \"index\": {}, \"src\": {}, \"dst\": {}, \"links\": [",
                   i == 0 ? "" : ",", quoted(route.job), route.collective, route.index, quoted(route.src),
                   quoted(route.dst));
    for (std::size_t l = 0; l < route.links.size(); ++l) {
      if (l > 0) out += ", ";
      out += quoted(route.links[l]);
    }
    out += "]}";
  }
  out += "]}\n";
  return out;
}

}  // namespace spineweave
