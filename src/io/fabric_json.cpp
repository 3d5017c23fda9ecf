// spineweave.fabric/1
//
// An endpoint's port is a cable to its leaf; `links` holds both directions of every switch-to-switch
// cable. Where the two directions of a port differ, `down_link` describes the leaf's direction.
#include "io/formats.hpp"
#include "io/json_reader.hpp"
#include "spineweave/io.hpp"

namespace spineweave {
namespace io {
namespace {

constexpr std::uint64_t kMostTiers = 64;

struct LinkValues {
  std::uint64_t nominal_bps = 0, degraded_bps = 0, reserved_bps = 0;
  LinkState state = LinkState::up;
};

constexpr std::pair<LinkState, const char*> kStates[] = {
    {LinkState::up, "up"}, {LinkState::down, "down"}, {LinkState::degraded, "degraded"}};
constexpr std::pair<NodeRole, const char*> kRoles[] = {{NodeRole::aggregation, "aggregation"},
                                                       {NodeRole::unnamed, "unnamed"}};

LinkValues read_values(const JsonObject& object) {
  LinkValues values;
  values.nominal_bps = object.gbps("gbps");
  if (const auto text = object.optional_text("state")) {
    const auto* state =
        std::find_if(std::begin(kStates), std::end(kStates), [&](const auto& s) { return *text == s.second; });
    if (state == std::end(kStates)) object.fail(fmt::format("state is '{}'; expected up, down or degraded", *text));
    values.state = state->first;
  }
  if (object.has("degraded_gbps") != (values.state == LinkState::degraded))
    object.fail("degraded_gbps goes with the state degraded, and with no other");
  if (values.state == LinkState::degraded) values.degraded_bps = object.gbps("degraded_gbps");
  if (object.has("reserved_gbps")) values.reserved_bps = object.gbps("reserved_gbps", true);
  return values;
}

class FabricReader {
 public:
  FabricReader(const Json& json, const std::string& name)
      : root_(json, name, {"schema", "endpoints", "switches", "links"}) {}

  Fabric read() {
    const Json& switches = root_.array("switches");
    const Json& endpoints = root_.array("endpoints");
    const Json& links = root_.array("links");
    builder_.reserve(switches.size() + endpoints.size(), links.size() + 2 * endpoints.size());
    for (std::size_t i = 0; i < switches.size(); ++i) read_switch(switches[i], root_.item("switches", i));
    for (std::size_t i = 0; i < endpoints.size(); ++i) read_endpoint(endpoints[i], root_.item("endpoints", i));
    for (std::size_t i = 0; i < links.size(); ++i) read_link(links[i], root_.item("links", i));
    return naming_file(root_.place(), [&] { return builder_.finish(); });
  }

 private:
  void read_switch(const Json& json, std::string place) {
    const JsonObject object(json, std::move(place), {"id", "tier", "pod"});
    const std::string& id = object.text("id");
    const auto tier = static_cast<std::uint32_t>(object.number_or("tier", kUnknownTier, kMostTiers));
    const auto pod = static_cast<std::uint32_t>(object.number_or("pod", kNone, kNone - 1));
    naming_file(object.place(), [&] { return builder_.add_switch(id, tier, pod); });
  }

  void read_endpoint(const Json& json, std::string place) {
    const JsonObject object(json, std::move(place), {"id", "ports", "host", "rail", "role"});
    NodeRole role = NodeRole::endpoint;
    if (const auto text = object.optional_text("role")) {
      const auto* known =
          std::find_if(std::begin(kRoles), std::end(kRoles), [&](const auto& r) { return *text == r.second; });
      if (known == std::end(kRoles)) object.fail(fmt::format("role is '{}'; expected aggregation or unnamed", *text));
      role = known->first;
    }
    const std::string& id = object.text("id");
    const std::string host = object.optional_text("host").value_or("");
    const auto rail = static_cast<std::uint32_t>(object.number_or("rail", kNone, kNone - 1));
    const auto endpoint = naming_file(object.place(), [&] { return builder_.add_endpoint(id, host, rail, role); });
    const Json& ports = object.array("ports");
    for (std::size_t p = 0; p < ports.size(); ++p) {
      const JsonObject port(ports[p], object.item("ports", p),
                            {"leaf", "gbps", "state", "degraded_gbps", "reserved_gbps", "down_link"});
      const auto leaf = find(port, "leaf");
      const LinkValues up = read_values(port);
      add(port, endpoint, leaf, up);
      if (!port.has("down_link")) {
        add(port, leaf, endpoint, up);
        continue;
      }
      const JsonObject down(ports[p]["down_link"], port.place() + ": down_link",
                            {"gbps", "state", "degraded_gbps", "reserved_gbps"});
      add(down, leaf, endpoint, read_values(down));
    }
  }

  void read_link(const Json& json, std::string place) {
    const JsonObject link(json, std::move(place), {"from", "to", "gbps", "state", "degraded_gbps", "reserved_gbps"});
    add(link, find(link, "from"), find(link, "to"), read_values(link));
  }

  FabricBuilder::Handle find(const JsonObject& object, const char* key) {
    const auto handle = builder_.find(object.text(key));
    if (!handle) object.fail(fmt::format("{} is '{}', which is not declared", key, object.text(key)));
    return *handle;
  }

  void add(const JsonObject& object, FabricBuilder::Handle from, FabricBuilder::Handle to, const LinkValues& values) {
    naming_file(object.place(), [&] {
      builder_.add_link(from, to, values.nominal_bps, values.state, values.degraded_bps, values.reserved_bps);
    });
  }

  JsonObject root_;
  FabricBuilder builder_;
};

// Appends the part of a link that both kinds of entries share, without braces.
void append_values(std::string& out, const Link& link) {
  fmt::format_to(std::back_inserter(out), "\"gbps\": {}", static_cast<double>(link.nominal_bps) / 1e9);
  if (link.state == LinkState::down) out += ", \"state\": \"down\"";
  if (link.state == LinkState::degraded)
    fmt::format_to(std::back_inserter(out), ", \"state\": \"degraded\", \"degraded_gbps\": {}",
                   static_cast<double>(link.capacity_bps + link.reserved_bps) / 1e9);
  if (link.reserved_bps > 0)
    fmt::format_to(std::back_inserter(out), ", \"reserved_gbps\": {}", static_cast<double>(link.reserved_bps) / 1e9);
}

bool same_values(const Link& a, const Link& b) {
  return a.nominal_bps == b.nominal_bps && a.capacity_bps == b.capacity_bps && a.reserved_bps == b.reserved_bps &&
         a.state == b.state;
}

}  // namespace

Fabric parse_fabric_json(std::string_view content, const std::string& name) {
  const Json json = parse_json(content, name);
  return FabricReader(json, name).read();
}

}  // namespace io

std::string write_fabric_json(const Fabric& fabric) {
  using io::quoted;
  std::string out = "{\"schema\": \"spineweave.fabric/1\",\n\"endpoints\": [";
  const auto sink = std::back_inserter(out);
  for (EndpointId e = 0; e < fabric.num_endpoints(); ++e) {
    const Node& node = fabric.node(e);
    fmt::format_to(sink, "{}\n{{\"id\": {}", e == 0 ? "" : ",", quoted(node.name));
    if (!node.host.empty()) fmt::format_to(sink, ", \"host\": {}", quoted(node.host));
    if (node.rail != kNone) fmt::format_to(sink, ", \"rail\": {}", node.rail);
    for (const auto& [role, name] : io::kRoles)
      if (node.role == role) fmt::format_to(sink, ", \"role\": \"{}\"", name);
    out += ", \"ports\": [";
    for (LinkId up = fabric.first_link(e); up < fabric.first_link(e + 1); ++up) {
      const Link& down = fabric.link(fabric.reverse(up));
      fmt::format_to(sink, "{}{{\"leaf\": {}, ", up == fabric.first_link(e) ? "" : ", ",
                     quoted(fabric.node(down.from).name));
      io::append_values(out, fabric.link(up));
      if (!io::same_values(fabric.link(up), down)) {
        out += ", \"down_link\": {";
        io::append_values(out, down);
        out += "}";
      }
      out += "}";
    }
    out += "]}";
  }
  out += "],\n\"switches\": [";
  for (NodeId s = fabric.num_endpoints(); s < fabric.num_nodes(); ++s) {
    const Node& node = fabric.node(s);
    fmt::format_to(sink, "{}\n{{\"id\": {}", s == fabric.num_endpoints() ? "" : ",", quoted(node.name));
    if (node.tier != kUnknownTier) fmt::format_to(sink, ", \"tier\": {}", node.tier);
    if (node.pod != kNone) fmt::format_to(sink, ", \"pod\": {}", node.pod);
    out += "}";
  }
  out += "],\n\"links\": [";
  bool first = true;
  for (const Link& link : fabric.links()) {
    if (link.from < fabric.num_endpoints() || link.to < fabric.num_endpoints()) continue;
    fmt::format_to(sink, "{}\n{{\"from\": {}, \"to\": {}, ", first ? "" : ",", quoted(fabric.node(link.from).name),
                   quoted(fabric.node(link.to).name));
    io::append_values(out, link);
    out += "}";
    first = false;
  }
  out += "]}\n";
  return out;
}

}  // namespace spineweave
