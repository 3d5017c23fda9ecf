// spineweave.fabric/1
//
// An endpoint's port is a cable to its leaf; `links` holds both directions of every switch-to-switch
// cable. Where the two directions of a port differ, `down_link` describes the leaf's direction.
#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "io/formats.hpp"
#include "io/json_reader.hpp"
#include "io/text_stream.hpp"
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

// Names as numbers, in the order in which they are first met.
class NameNumbers {
 public:
  std::uint32_t number(const std::string& name) {
    const auto [at, is_new] = numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(&at->first);
    return at->second;
  }
  [[nodiscard]] const std::string& name(std::uint32_t number) const { return *names_[number]; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> names_;  // its keys stay where they are
};

// Keeps of each item what there is to it, since a file may name switches before it declares them.
class FabricReader {
 public:
  Fabric read(std::string_view content, const std::string& name) {
    const JsonPlace file(name);
    const Json json = parse_json(
        content, name,
        {{{"endpoints"},
          [this](const Json& item, const JsonPlace& place) {
            read_endpoint(JsonObject(item, place, {"id", "ports", "host", "rail", "role"}));
          }},
         {{"switches"},
          [this](const Json& item, const JsonPlace& place) {
            read_switch(JsonObject(item, place, {"id", "tier", "pod"}));
          }},
         {{"links"}, [this](const Json& item, const JsonPlace& place) {
            read_link(JsonObject(item, place, {"from", "to", "gbps", "state", "degraded_gbps", "reserved_gbps"}));
          }}});
    const JsonObject root(json, file, {"schema", "endpoints", "switches", "links"});
    for (const char* key : {"switches", "endpoints", "links"}) (void)root.array(key);
    return build(file);
  }

 private:
  struct Switch {
    std::uint32_t name, tier, pod;
  };
  struct Endpoint {
    std::uint32_t name, rail;
    NodeRole role;
    std::string host;
    std::size_t ports_end;  // into ports_
  };
  struct Port {
    std::uint32_t leaf;
    bool has_down = false;
    LinkValues up, down;
  };
  struct Cable {
    std::uint32_t from, to;
    LinkValues values;
  };

  void read_switch(const JsonObject& object) {
    switches_.push_back({names_.number(object.text("id")),
                         static_cast<std::uint32_t>(object.number_or("tier", kUnknownTier, kMostTiers)),
                         static_cast<std::uint32_t>(object.number_or("pod", kNone, kNone - 1))});
  }

  void read_endpoint(const JsonObject& object) {
    NodeRole role = NodeRole::endpoint;
    if (const auto text = object.optional_text("role")) {
      const auto* known =
          std::find_if(std::begin(kRoles), std::end(kRoles), [&](const auto& r) { return *text == r.second; });
      if (known == std::end(kRoles)) object.fail(fmt::format("role is '{}'; expected aggregation or unnamed", *text));
      role = known->first;
    }
    const std::uint32_t name = names_.number(object.text("id"));
    const auto rail = static_cast<std::uint32_t>(object.number_or("rail", kNone, kNone - 1));
    const Json& ports = object.array("ports");
    for (std::size_t p = 0; p < ports.size(); ++p)
      read_port(JsonObject(ports[p], object.item("ports", p),
                           {"leaf", "gbps", "state", "degraded_gbps", "reserved_gbps", "down_link"}));
    endpoints_.push_back({name, rail, role, object.optional_text("host").value_or(""), ports_.size()});
  }

  void read_port(const JsonObject& object) {
    Port port{names_.number(object.text("leaf")), object.has("down_link"), read_values(object), {}};
    if (port.has_down)
      port.down = read_values(object.object("down_link", {"gbps", "state", "degraded_gbps", "reserved_gbps"}));
    ports_.push_back(port);
  }

  void read_link(const JsonObject& object) {
    links_.push_back({names_.number(object.text("from")), names_.number(object.text("to")), read_values(object)});
  }

  Fabric build(const JsonPlace& file) {
    handles_.assign(names_.size(), kNone);
    builder_.reserve(switches_.size() + endpoints_.size(), links_.size() + 2 * ports_.size());
    for (std::size_t i = 0; i < switches_.size(); ++i) {
      const auto& [name, tier, pod] = switches_[i];
      handles_[name] = naming_place(JsonPlace(file, "switches", i),
                                    [&] { return builder_.add_switch(names_.name(name), tier, pod); });
    }
    std::size_t port = 0;
    for (std::size_t i = 0; i < endpoints_.size(); ++i) {
      Endpoint& endpoint = endpoints_[i];
      const JsonPlace place(file, "endpoints", i);
      handles_[endpoint.name] = naming_place(place, [&] {
        return builder_.add_endpoint(names_.name(endpoint.name), std::move(endpoint.host), endpoint.rail,
                                     endpoint.role);
      });
      for (std::size_t p = 0; port < endpoint.ports_end; ++p, ++port)
        add_port(JsonPlace(place, "ports", p), endpoint.name, ports_[port]);
    }
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const JsonPlace place(file, "links", i);
      require(links_[i].from, "from", place);
      require(links_[i].to, "to", place);
      add(place, links_[i].from, links_[i].to, links_[i].values);
    }
    return naming_place(file, [&] { return builder_.finish(); });
  }

  void add_port(const JsonPlace& place, std::uint32_t endpoint, const Port& port) {
    require(port.leaf, "leaf", place);
    add(place, endpoint, port.leaf, port.up);
    if (port.has_down) {
      add(JsonPlace(place, "down_link"), port.leaf, endpoint, port.down);
    } else {
      add(place, port.leaf, endpoint, port.up);
    }
  }

  void require(std::uint32_t name, const char* key, const JsonPlace& place) const {
    if (handles_[name] == kNone)
      throw Error(ErrorCode::bad_input,
                  fmt::format("{}: {} is '{}', which is not declared", place.text(), key, names_.name(name)));
  }

  void add(const JsonPlace& place, std::uint32_t from, std::uint32_t to, const LinkValues& values) {
    naming_place(place, [&] {
      builder_.add_link(handles_[from], handles_[to], values.nominal_bps, values.state, values.degraded_bps,
                        values.reserved_bps);
    });
  }

  NameNumbers names_;
  std::vector<Switch> switches_;
  std::vector<Endpoint> endpoints_;
  std::vector<Port> ports_;
  std::vector<Cable> links_;
  std::vector<FabricBuilder::Handle> handles_;  // [names], kNone: not declared, or not yet
  FabricBuilder builder_;
};

// Appends the part of a link that both kinds of entries share, without braces.
void append_values(TextStream& out, const Link& link) {
  out.format("\"gbps\": {}", static_cast<double>(link.nominal_bps) / 1e9);
  if (link.state == LinkState::down) out += ", \"state\": \"down\"";
  if (link.state == LinkState::degraded)
    out.format(", \"state\": \"degraded\", \"degraded_gbps\": {}",
               static_cast<double>(link.capacity_bps + link.reserved_bps) / 1e9);
  if (link.reserved_bps > 0) out.format(", \"reserved_gbps\": {}", static_cast<double>(link.reserved_bps) / 1e9);
}

bool same_values(const Link& a, const Link& b) {
  return a.nominal_bps == b.nominal_bps && a.capacity_bps == b.capacity_bps && a.reserved_bps == b.reserved_bps &&
         a.state == b.state;
}

void append_endpoint(TextStream& out, const Fabric& fabric, EndpointId endpoint) {
  const Node& node = fabric.node(endpoint);
  out.format("{}\n{{\"id\": {}", endpoint == 0 ? "" : ",", quoted(node.name));
  if (!node.host.empty()) out.format(", \"host\": {}", quoted(node.host));
  if (node.rail != kNone) out.format(", \"rail\": {}", node.rail);
  for (const auto& [role, name] : kRoles)
    if (node.role == role) out.format(", \"role\": \"{}\"", name);
  out += ", \"ports\": [";
  for (LinkId up = fabric.first_link(endpoint); up < fabric.first_link(endpoint + 1); ++up) {
    const Link& down = fabric.link(fabric.reverse(up));
    out.format("{}{{\"leaf\": {}, ", up == fabric.first_link(endpoint) ? "" : ", ",
               quoted(fabric.node(down.from).name));
    append_values(out, fabric.link(up));
    if (!same_values(fabric.link(up), down)) {
      out += ", \"down_link\": {";
      append_values(out, down);
      out += "}";
    }
    out += "}";
  }
  out += "]}";
}

void append_switch(TextStream& out, const Fabric& fabric, NodeId id) {
  const Node& node = fabric.node(id);
  out.format("{}\n{{\"id\": {}", id == fabric.num_endpoints() ? "" : ",", quoted(node.name));
  if (node.tier != kUnknownTier) out.format(", \"tier\": {}", node.tier);
  if (node.pod != kNone) out.format(", \"pod\": {}", node.pod);
  out += "}";
}

void write_fabric_json_to(const Sink& sink, const Fabric& fabric) {
  TextStream out(sink);
  out += "{\"schema\": \"spineweave.fabric/1\",\n\"endpoints\": [";
  for (EndpointId e = 0; e < fabric.num_endpoints(); ++e) append_endpoint(out, fabric, e), out.pause();
  out += "],\n\"switches\": [";
  for (NodeId s = fabric.num_endpoints(); s < fabric.num_nodes(); ++s) append_switch(out, fabric, s), out.pause();
  out += "],\n\"links\": [";
  const char* separator = "";
  for (const Link& link : fabric.links()) {
    if (link.from < fabric.num_endpoints() || link.to < fabric.num_endpoints()) continue;
    out.format("{}\n{{\"from\": {}, \"to\": {}, ", separator, quoted(fabric.node(link.from).name),
               quoted(fabric.node(link.to).name));
    append_values(out, link);
    out += "}";
    separator = ",";
    out.pause();
  }
  out += "]}\n";
  out.finish();
}

}  // namespace

Fabric parse_fabric_json(std::string_view content, const std::string& name) {
  return FabricReader().read(content, name);
}

}  // namespace io

std::string write_fabric_json(const Fabric& fabric) {
  return io::whole_text([&](const io::Sink& sink) { io::write_fabric_json_to(sink, fabric); });
}

void save_fabric(const std::string& path, const Fabric& fabric) {
  io::save_pieces(path, [&](const io::Sink& sink) { io::write_fabric_json_to(sink, fabric); });
}

}  // namespace spineweave
