#include "io/routes_json.hpp"

#include <iterator>

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

std::vector<NamedRoute> read_routes(const JsonObject& root) {
  const Json& array = root.array("routes");
  std::vector<NamedRoute> routes;
  routes.reserve(array.size());
  for (std::size_t i = 0; i < array.size(); ++i)
    routes.push_back(read_route(
        JsonObject(array[i], root.item("routes", i), {"job", "collective", "index", "src", "dst", "links"})));
  return routes;
}

void write_routes(const std::vector<NamedRoute>& routes, std::string& out) {
  const auto sink = std::back_inserter(out);
  out += "\"routes\": [";
  for (const NamedRoute& route : routes) {
    fmt::format_to(sink, "{}\n{{\"job\": {}, \"collective\": {}, \"index\": {}, \"src\": {}, \"dst\": {}, \"links\": [",
                   &route == routes.data() ? "" : ",", quoted(route.job), route.collective, route.index,
                   quoted(route.src), quoted(route.dst));
    const char* separator = "";
    for (const std::string& link : route.links) {
      out.append(separator).append(quoted(link));
      separator = ", ";
    }
    out += "]}";
  }
  out += "]";
}

}  // namespace spineweave::io
