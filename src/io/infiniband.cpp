// InfiniBand fabrics as ibnetdiscover dumps them, and as ibsim's net files describe them.
#include <algorithm>
#include <map>
#include <optional>

#include "io/formats.hpp"
#include "io/infiniband_speed.hpp"
#include "io/lines.hpp"
#include "util/text.hpp"

namespace spineweave::io {
namespace {

struct Port {
  std::uint32_t local = 0;
  std::string remote;  // id of the other node
  std::uint32_t remote_port = 0;
  std::uint64_t bps = 0;
  std::size_t line = 0;
};

struct Record {
  std::string id;           // "S-2c5eab0300b87b40"
  std::string description;  // empty: none
  bool is_switch = false;
  std::size_t line = 0;
  std::vector<Port> ports;
};

// Reads a line from left to right.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}
  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }
  [[nodiscard]] std::string_view rest() const { return rest_; }

  std::string_view word() {
    skip_space();
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t\""));
    rest_.remove_prefix(word.size());
    return word;
  }
  // "text" in quotes.
  std::optional<std::string> quoted() {
    skip_space();
    if (!rest_.starts_with('"')) return std::nullopt;
    const auto end = rest_.find('"', 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string text(util::trim(rest_.substr(1, end - 1)));
    rest_.remove_prefix(end + 1);
    return text;
  }
  // [number]
  std::optional<std::uint32_t> bracketed() {
    skip_space();
    const auto end = rest_.find(']');
    if (!rest_.starts_with('[') || end == std::string_view::npos) return std::nullopt;
    const auto number = util::parse_unsigned(util::trim(rest_.substr(1, end - 1)));
    rest_.remove_prefix(end + 1);
    if (!number || *number > 65535) return std::nullopt;
    return static_cast<std::uint32_t>(*number);
  }
  // (port GUID), which says nothing that we need.
  void skip_parenthesis() {
    if (rest_.starts_with('(')) rest_.remove_prefix(std::min(rest_.find(')'), rest_.size() - 1) + 1);
  }

 private:
  std::string_view rest_;
};

class Dump {
 public:
  Dump(std::string_view content, const std::string& name, bool is_ibsim) : name_(name), is_ibsim_(is_ibsim) {
    for (Lines lines(content); lines.next();) {
      const std::string_view line = util::trim(lines.text());
      if (line.empty() || line.starts_with('#')) continue;
      if (line.starts_with('[')) {
        add_port(line, lines.number());
      } else if (line.find('=') == std::string_view::npos || line.find('"') != std::string_view::npos) {
        add_record(line, lines.number());
      }
    }
    if (records_.empty()) fail_at(name_, 1, "declares no node");
  }

  Fabric build() {
    complete_cables();
    name_nodes();
    std::vector<std::string> uncabled;
    for (const Record& record : records_) {
      handles_.push_back(naming_file(name_, [&] { return add_node(record); }));
      if (record.ports.empty()) uncabled.push_back(node_names_[handles_.back()]);
    }
    add_cables();
    note("adapters and switches without a cable", std::move(uncabled));
    note("SHARP aggregation nodes", std::move(aggregation_));
    note("unnamed adapters", std::move(unnamed_));
    note("adapters of one host on one rail", crowded_rails());
    note("nodes that share a name, told apart by their GUID", std::move(shared_names_));
    return naming_file(name_, [&] { return builder_.finish(); });
  }

 private:
  void add_record(std::string_view line, std::size_t number) {
    Scanner scan(line);
    const std::string_view kind = scan.word();
    constexpr std::string_view kinds[] = {"Switch", "Ca", "Hca", "Rt"};
    if (std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds))
      fail_at(name_, number, fmt::format("'{}' begins no record; expected Switch, Ca, Hca, Rt or a [port]", kind));
    if (!util::parse_unsigned(scan.word())) fail_at(name_, number, "the number of ports is missing");
    const auto id = scan.quoted();
    if (!id || id->empty()) fail_at(name_, number, "the node's id in quotes is missing");
    if (!place_.emplace(*id, records_.size()).second)
      fail_at(name_, number, fmt::format("'{}' is declared twice", *id));
    Record& record = records_.emplace_back();
    record.id = *id;
    record.is_switch = kind == "Switch";
    record.line = number;
    const auto comment = scan.rest().find('#');
    if (comment == std::string_view::npos) return;
    Scanner rest(scan.rest().substr(comment + 1));
    record.description = rest.quoted().value_or("");
  }

  void add_port(std::string_view line, std::size_t number) {
    if (records_.empty()) fail_at(name_, number, "a port before the first node");
    Scanner scan(line);
    Port port;
    port.line = number;
    const auto local = scan.bracketed();
    scan.skip_parenthesis();
    const auto remote = scan.quoted();
    const auto remote_port = scan.bracketed();
    if (!local || !remote || !remote_port)
      fail_at(name_, number, fmt::format("'{}' is not of the form [port] \"node\"[port]", line));
    port.local = *local;
    port.remote = *remote;
    port.remote_port = *remote_port;
    port.bps = speed_of(scan.rest(), number);
    for (const Port& other : records_.back().ports)
      if (other.local == port.local)
        fail_at(name_, number, fmt::format("port {} of '{}' stands twice", port.local, records_.back().id));
    records_.back().ports.push_back(std::move(port));
  }

  [[nodiscard]] std::uint64_t speed_of(std::string_view tail, std::size_t number) const {
    // ibsim reads dumps too, and then takes their speeds.
    const auto dumped = dumped_speed(tail);
    const auto speed = dumped || !is_ibsim_ ? dumped : ibsim_speed(tail);
    if (!speed)
      fail_at(name_, number,
              is_ibsim_ ? fmt::format("'{}'; expected w= of 1, 2, 4, 8 or 12, and s= from 1 to 7", util::trim(tail))
                        : "the link's speed (as 4xNDR) is missing");
    return *speed;
  }

  [[nodiscard]] const Port* find_port(const Record& record, std::uint32_t local) const {
    const auto at =
        std::find_if(record.ports.begin(), record.ports.end(), [&](const Port& port) { return port.local == local; });
    return at == record.ports.end() ? nullptr : &*at;
  }

  // Both ends of a cable must say the same. ibsim's files may name it at one end only.
  void complete_cables() {
    for (std::size_t r = 0; r < records_.size(); ++r) {
      for (std::size_t p = 0; p < records_[r].ports.size(); ++p) {
        const Port port = records_[r].ports[p];
        const auto at = place_.find(port.remote);
        if (at == place_.end())
          fail_at(name_, port.line, fmt::format("the cable leads to '{}', which is not declared", port.remote));
        const Port* back = find_port(records_[at->second], port.remote_port);
        if (back == nullptr && is_ibsim_) {
          records_[at->second].ports.push_back({port.remote_port, records_[r].id, port.local, port.bps, port.line});
        } else if (back == nullptr || back->remote != records_[r].id || back->remote_port != port.local) {
          fail_at(name_, port.line,
                  fmt::format("'{}' port {} leads to '{}' port {}, but the reverse direction is missing there",
                              records_[r].id, port.local, port.remote, port.remote_port));
        }
      }
    }
  }

  // "MF0;A09-P1-IBLEAF-04-04:MQM9701/U1" -> "A09-P1-IBLEAF-04-04"
  [[nodiscard]] static std::string short_name(const Record& record) {
    std::string_view name = record.description;
    if (!record.is_switch) return std::string(name);
    if (const auto semicolon = name.find(';'); semicolon != std::string_view::npos) name.remove_prefix(semicolon + 1);
    return std::string(name.substr(0, name.find(':')));
  }

  [[nodiscard]] static bool is_aggregation(const Record& record) {
    return !record.is_switch && record.description.find("Aggregation Node") != std::string::npos;
  }

  void name_nodes() {
    std::map<std::string, std::uint32_t> uses;
    for (const Record& record : records_) ++uses[short_name(record)];
    for (const Record& record : records_) {
      std::string name = short_name(record);
      const bool adapter = !record.is_switch && parse_adapter_name(name).has_value();
      if (name.empty() || is_aggregation(record) || (!record.is_switch && !is_ibsim_ && !adapter)) {
        name = record.id;
      } else if (uses[name] > 1) {
        name += " (" + record.id + ")";
        shared_names_.push_back(name);
      }
      node_names_.push_back(std::move(name));
    }
  }

  FabricBuilder::Handle add_node(const Record& record) {
    const std::string& name = node_names_[handles_.size()];
    if (record.is_switch) return builder_.add_switch(name);
    if (is_aggregation(record)) {
      aggregation_.push_back(name);
      return builder_.add_endpoint(name, "", kNone, NodeRole::aggregation);
    }
    if (const auto adapter = parse_adapter_name(record.description)) {
      on_rail_[{adapter->host, adapter->rail}].push_back(name);
      return builder_.add_endpoint(name, adapter->host, adapter->rail);
    }
    if (is_ibsim_) return builder_.add_endpoint(name);
    unnamed_.push_back(record.description.empty() ? name : fmt::format("{} ({})", name, record.description));
    return builder_.add_endpoint(name, "", kNone, NodeRole::unnamed);
  }

  // "HCA-3" and "mlx5_2" of one host are two adapters on one rail, and so are those of two hosts that
  // were never given a name of their own.
  [[nodiscard]] std::vector<std::string> crowded_rails() const {
    std::vector<std::string> names;
    for (const auto& [place, adapters] : on_rail_)
      if (adapters.size() > 1) names.insert(names.end(), adapters.begin(), adapters.end());
    return names;
  }

  // Each cable once, from the end whose id is less, by port: parallel cables get the same numbers
  // whatever the order of the file.
  void add_cables() {
    for (std::size_t r = 0; r < records_.size(); ++r) {
      std::sort(records_[r].ports.begin(), records_[r].ports.end(),
                [](const Port& a, const Port& b) { return a.local < b.local; });
      for (const Port& port : records_[r].ports) {
        if (port.remote < records_[r].id) continue;
        const std::size_t other = place_.find(port.remote)->second;
        if (other == r) fail_at(name_, port.line, fmt::format("'{}' is cabled to itself", records_[r].id));
        const Port& back = *find_port(records_[other], port.remote_port);
        naming_file(name_, [&] {
          builder_.add_link(handles_[r], handles_[other], port.bps);
          builder_.add_link(handles_[other], handles_[r], back.bps);
        });
      }
    }
  }

  void note(const char* what, std::vector<std::string> names) {
    std::sort(names.begin(), names.end(), util::natural_less);
    if (!names.empty()) builder_.add_finding({what, std::move(names)});
  }

  const std::string& name_;
  bool is_ibsim_;
  std::vector<Record> records_;
  std::map<std::string, std::size_t> place_;  // id -> index in records_
  std::vector<std::string> node_names_;       // [records]
  std::vector<FabricBuilder::Handle> handles_;
  FabricBuilder builder_;
  std::map<std::pair<std::string, std::uint32_t>, std::vector<std::string>> on_rail_;  // by host and rail
  std::vector<std::string> aggregation_, unnamed_, shared_names_;
};

}  // namespace

Fabric parse_ibnetdiscover(std::string_view content, const std::string& name) {
  return Dump(content, name, false).build();
}
Fabric parse_ibsim(std::string_view content, const std::string& name) { return Dump(content, name, true).build(); }

}  // namespace spineweave::io
