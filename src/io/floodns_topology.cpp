// topology.properties of floodns: nodes are numbers, edges are ranges of them.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "io/formats.hpp"
#include "io/lines.hpp"
#include "util/text.hpp"

namespace spineweave::io {
namespace {

constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 24U;
constexpr std::uint64_t kMostEdges = std::uint64_t{1} << 28U;
constexpr std::uint64_t kMostGbps = 1'000'000;

constexpr std::array<std::string_view, 8> kKeys = {
    "num_nodes",        "num_undirected_edges",     "switches", "switches_which_are_tors", "cores", "servers",
    "undirected_edges", "link_data_rate_bit_per_ns"};

struct Property {
  std::string_view key;
  std::string_view value;
  std::size_t line = 0;
};

// Whole numbers from first to last, both included.
struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  [[nodiscard]] std::uint64_t size() const { return last - first + 1; }
};

// Every node of one range joined with every node of the other.
struct EdgeRange {
  Range from, to;
};

// "5" or "3:7"
std::optional<Range> parse_range(std::string_view text, std::string_view separator = ":") {
  const auto at = text.find(separator);
  const auto first = util::parse_unsigned(text.substr(0, at));
  const auto last = at == std::string_view::npos ? first : util::parse_unsigned(text.substr(at + 1));
  if (!first || !last || *first > *last || *last >= kMostNodes) return std::nullopt;
  return Range{*first, *last};
}

class Topology {
 public:
  Topology(std::string_view content, const std::string& name) : name_(name) {
    for (Lines lines(content); lines.next();) {
      const std::string_view text = util::trim(lines.text());
      if (!text.empty() && !text.starts_with('#')) add(text, lines.number());
    }
  }

  Fabric build() {
    declare_nodes();
    const std::vector<EdgeRange> edges = parse_edges();
    const std::uint64_t bps = number("link_data_rate_bit_per_ns", kMostGbps) * 1'000'000'000;
    for (const EdgeRange& range : edges) add_cables(range, bps);
    return naming_file(name_, [&] { return builder_.finish(); });
  }

 private:
  void add(std::string_view text, std::size_t line) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) fail_at(name_, line, fmt::format("'{}'; expected key=value", text));
    const Property property{util::trim(text.substr(0, equals)), util::trim(text.substr(equals + 1)), line};
    for (const Property& other : properties_)
      if (other.key == property.key)
        fail_at(name_, line, fmt::format("{} is given twice; line {} has it already", other.key, other.line));
    if (std::find(kKeys.begin(), kKeys.end(), property.key) == kKeys.end()) {
      const std::string hint = util::suggest(property.key, kKeys);
      fail_at(name_, line,
              fmt::format("unknown key '{}'; {}", property.key,
                          hint.empty() ? fmt::format("the keys are {}", fmt::join(kKeys, ", ")) : hint));
    }
    properties_.push_back(property);
  }

  [[nodiscard]] const Property* find(std::string_view key) const {
    for (const Property& property : properties_)
      if (property.key == key) return &property;
    return nullptr;
  }

  [[nodiscard]] const Property& required(std::string_view key) const {
    if (const Property* property = find(key)) return *property;
    throw Error(ErrorCode::bad_input, fmt::format("{}: {} is missing", name_, key));
  }

  [[nodiscard]] std::uint64_t number(std::string_view key, std::uint64_t most) const {
    const Property& property = required(key);
    const auto value = util::parse_unsigned(property.value);
    if (!value || *value == 0 || *value > most)
      fail_at(name_, property.line,
              fmt::format("{} is {}; expected a whole number from 1 to {}", key, property.value, most));
    return *value;
  }

  // "incl_range(0,63)" or "set(0,1,7)"; an absent key is an empty set.
  [[nodiscard]] std::vector<Range> numbers(std::string_view key) const {
    const Property* property = find(key);
    if (property == nullptr) return {};
    const auto refuse = [&] {
      fail_at(name_, property->line,
              fmt::format("{} is {}; expected incl_range(first,last) or set(number,...), all below {}", key,
                          property->value, kMostNodes));
    };
    std::vector<Range> ranges;
    if (const auto inner = inside(property->value, "incl_range(")) {
      const auto range = parse_range(*inner, ",");
      if (!range) refuse();
      ranges.push_back(*range);
    } else if (const auto members = inside(property->value, "set(")) {
      if (members->empty()) return ranges;
      for (const std::string_view member : util::split(*members, ',')) {
        const auto value = util::parse_unsigned(util::trim(member));
        if (!value || *value >= kMostNodes) refuse();
        ranges.push_back({*value, *value});
      }
    } else {
      refuse();
    }
    return ranges;
  }

  // The text between `opening` and the final ")".
  static std::optional<std::string_view> inside(std::string_view text, std::string_view opening) {
    if (!text.starts_with(opening) || !text.ends_with(')')) return std::nullopt;
    return text.substr(opening.size(), text.size() - opening.size() - 1);
  }

  enum class Kind : std::uint8_t { none, other_switch, tor, core, server };

  void mark(std::string_view key, Kind kind) {
    for (const Range& range : numbers(key)) {
      if (range.last >= kinds_.size()) kinds_.resize(range.last + 1, Kind::none);
      for (std::uint64_t n = range.first; n <= range.last; ++n) {
        const bool refines = kinds_[n] == Kind::other_switch && kind != Kind::server;
        if (key != "switches" && kind != Kind::server && kinds_[n] == Kind::none)
          fail_at(name_, required(key).line, fmt::format("{} holds {}, which is not in switches", key, n));
        if (kinds_[n] != Kind::none && !refines)
          fail_at(name_, required(key).line, fmt::format("{} holds {}, which has another role already", key, n));
        kinds_[n] = kind;
      }
    }
  }

  void declare_nodes() {
    mark("switches", Kind::other_switch);
    mark("switches_which_are_tors", Kind::tor);
    mark("cores", Kind::core);
    mark("servers", Kind::server);
    const auto none = std::count(kinds_.begin(), kinds_.end(), Kind::none);
    check_count("num_nodes", kinds_.size() - static_cast<std::size_t>(none), "switches and servers");
    handles_.assign(kinds_.size(), kNone);
    for (std::size_t n = 0; n < kinds_.size(); ++n) {
      const std::string id = fmt::to_string(n);
      if (kinds_[n] == Kind::server) handles_[n] = builder_.add_endpoint(id);
      if (kinds_[n] == Kind::tor) handles_[n] = builder_.add_switch(id, 1);
      if (kinds_[n] == Kind::core) handles_[n] = builder_.add_switch(id, 2);
      if (kinds_[n] == Kind::other_switch) handles_[n] = builder_.add_switch(id);
    }
  }

  [[nodiscard]] FabricBuilder::Handle handle(std::uint64_t node, const Property& edges) const {
    if (node >= handles_.size() || handles_[node] == kNone)
      fail_at(name_, edges.line, fmt::format("{} leads to {}, which is no switch and no server", edges.key, node));
    return handles_[node];
  }

  // "a:b-c:d" joins each of a..b with each of c..d. The header is checked before anything is
  // expanded, so that a mistyped range fails at once.
  [[nodiscard]] std::vector<EdgeRange> parse_edges() const {
    const Property& edges = required("undirected_edges");
    auto inner = inside(edges.value, "incl_range(");
    if (!inner) inner = inside(edges.value, "set(");
    if (!inner)
      fail_at(name_, edges.line, "undirected_edges has another form; expected incl_range(a:b-c:d,...) or set(a-b,...)");
    std::vector<EdgeRange> ranges;
    std::uint64_t count = 0;
    for (const std::string_view part : util::split(*inner, ',')) {
      const auto dash = part.find('-');
      const auto from = parse_range(util::trim(part.substr(0, dash)));
      const auto to = parse_range(dash == std::string_view::npos ? "" : util::trim(part.substr(dash + 1)));
      if (!from || !to)
        fail_at(name_, edges.line, fmt::format("undirected_edges holds '{}'; expected a-b or a:b-c:d", part));
      // Both sizes are below 2^24, and the count stops growing at the limit: no overflow.
      count += from->size() * to->size();
      if (count > kMostEdges)
        fail_at(name_, edges.line, fmt::format("undirected_edges holds more than {} edges at '{}'", kMostEdges, part));
      ranges.push_back({*from, *to});
    }
    check_count("num_undirected_edges", count, "undirected_edges");
    return ranges;
  }

  void add_cables(const EdgeRange& range, std::uint64_t bps) {
    const Property& edges = required("undirected_edges");
    for (std::uint64_t a = range.from.first; a <= range.from.last; ++a) {
      for (std::uint64_t b = range.to.first; b <= range.to.last; ++b) {
        const auto from = handle(a, edges);
        const auto to = handle(b, edges);
        naming_file(name_, [&] { builder_.add_cable(from, to, bps); });
      }
    }
  }

  void check_count(std::string_view key, std::uint64_t found, std::string_view where) const {
    const Property& property = required(key);
    if (util::parse_unsigned(property.value) != found)
      fail_at(name_, property.line, fmt::format("{} is {}, but {} hold {}", key, property.value, where, found));
  }

  const std::string& name_;
  std::vector<Property> properties_;
  std::vector<Kind> kinds_;                     // by number
  std::vector<FabricBuilder::Handle> handles_;  // by number
  FabricBuilder builder_;
};

}  // namespace

Fabric parse_floodns_topology(std::string_view content, const std::string& name) {
  return Topology(content, name).build();
}

}  // namespace spineweave::io
