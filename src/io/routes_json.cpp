#include "io/routes_json.hpp"

namespace spineweave::io {
namespace {

NamedRoute read_route(const JsonObject& object) {
  NamedRoute route;
  route.job = object.text("job");
  route.collective = static_cast<std::uint32_t>(object.number("collective", kNone));
  route.index = static_cast<std::uint32_t>(object.number("index", kNone));
  route.src = object.text("src");
  route.dst = object.text("dst");
  const Json& links = object.array("links");
  route.links.reserve(links.size());
  for (const Json& link : links) {
    if (!link.is_string()) object.fail(fmt::format("link {} is no text", link.dump()));
    route.links.push_back(link.get<std::string>());
  }
  return route;
}

}  // namespace

JsonItems stream_routes(std::vector<NamedRoute>& routes) {
  return {
      {"routes"}, [&routes](const Json& item, const JsonPlace& place) {
        routes.push_back(read_route(JsonObject(item, place, {"job", "collective", "index", "src", "dst", "links"})));
      }};
}

void RouteWriter::add(const NamedRoute& route) {
  out_.format("{}\n{{\"job\": {}, \"collective\": {}, \"index\": {}, \"src\": {}, \"dst\": {}, \"links\": [",
              first_ ? "" : ",", quoted(route.job), route.collective, route.index, quoted(route.src),
              quoted(route.dst));
  const char* separator = "";
  for (const std::string& link : route.links) {
    out_ += separator;
    out_ += quoted(link);
    separator = ", ";
  }
  out_ += "]}";
  out_.pause();
  first_ = false;
}

}  // namespace spineweave::io
