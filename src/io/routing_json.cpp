// spineweave.routing/1
#include "io/formats.hpp"
#include "io/routes_json.hpp"
#include "problem/route_names.hpp"
#include "spineweave/io.hpp"

namespace spineweave {

RoutingFile parse_routing(std::string_view content, const std::string& name) {
  if (detect_format(content) != FileFormat::routing_json)
    io::refuse_format(content, name, "a routing: spineweave.routing/1");
  RoutingFile file;
  const io::Json json = io::parse_json(content, name, {io::stream_routes(file.routes)});
  const io::JsonObject root(json, io::JsonPlace(name), {"schema", "fabric_digest", "jobs_digest", "digest", "routes"});
  file.fabric_digest = root.digest("fabric_digest");
  file.jobs_digest = root.digest("jobs_digest");
  file.digest = root.optional_text("digest").value_or("");
  (void)root.array("routes");
  return file;
}

namespace {

// `add_routes` adds them to a RouteWriter.
template <class AddRoutes>
void write_routing_to(const io::Sink& sink, std::uint64_t fabric_digest, std::uint64_t jobs_digest,
                      const std::string& digest, const AddRoutes& add_routes) {
  io::TextStream out(sink);
  out.format(
      "{{\"schema\": \"spineweave.routing/1\",\n\"fabric_digest\": \"{:016x}\",\n\"jobs_digest\": \"{:016x}\",\n",
      fabric_digest, jobs_digest);
  if (!digest.empty()) out.format("\"digest\": {},\n", io::quoted(digest));
  io::RouteWriter writer(out);
  add_routes(writer);
  writer.finish();
  out += "}\n";
  out.finish();
}

}  // namespace

std::string write_routing_json(const RoutingFile& routing) {
  return io::whole_text([&](const io::Sink& sink) {
    write_routing_to(sink, routing.fabric_digest, routing.jobs_digest, routing.digest, [&](io::RouteWriter& writer) {
      for (const NamedRoute& route : routing.routes) writer.add(route);
    });
  });
}

void save_routing(const std::string& path, const Problem& problem, const Routing& routing, const std::string& digest) {
  io::save_pieces(path, [&](const io::Sink& sink) {
    write_routing_to(sink, problem.fabric().digest(), digest_of(problem.workload(), problem.fabric()), digest,
                     [&](io::RouteWriter& writer) {
                       for (FlowId f = 0; f < problem.num_flows(); ++f) writer.add(name_route(problem, f, routing[f]));
                     });
  });
}

}  // namespace spineweave
