#include "spineweave/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "fabric/name_table.hpp"
#include "fabric/structure.hpp"
#include "spineweave/error.hpp"
#include "util/text.hpp"

namespace spineweave {

std::uint32_t Fabric::num_nodes() const noexcept { return static_cast<std::uint32_t>(nodes_.size()); }
std::uint32_t Fabric::num_switches() const noexcept { return num_nodes() - num_endpoints_; }
std::uint32_t Fabric::num_links() const noexcept { return static_cast<std::uint32_t>(links_.size()); }

std::span<const Link> Fabric::links_from(NodeId id) const {
  return std::span(links_).subspan(link_begin_[id], link_begin_[id + 1] - link_begin_[id]);
}

std::string Fabric::link_name(LinkId id) const {
  const Link& link = links_[id];
  std::string name = nodes_[link.from].name + "->" + nodes_[link.to].name;
  if (link.parallel > 0) name += fmt::format("#{}", link.parallel);
  return name;
}

std::optional<NodeId> Fabric::find(std::string_view name) const {
  const NodeId id = names_ ? names_->find(name, nodes_) : kNone;
  return id == kNone ? std::nullopt : std::optional(id);
}

std::optional<LinkId> Fabric::find_link(NodeId from, NodeId to, std::uint32_t parallel) const {
  const auto links = links_from(from);
  const auto at = std::lower_bound(links.begin(), links.end(), std::pair{to, parallel}, [](const Link& link, auto key) {
    return std::pair{link.to, link.parallel} < key;
  });
  if (at == links.end() || at->to != to || at->parallel != parallel) return std::nullopt;
  return static_cast<LinkId>(at - links.begin()) + link_begin_[from];
}

void FabricBuilder::reserve(std::size_t nodes, std::size_t links) {
  if (!names_) names_ = std::make_shared<NameTable>();
  nodes_.reserve(nodes);
  links_.reserve(links);
  names_->reserve(nodes);
}

FabricBuilder::Handle FabricBuilder::add_endpoint(std::string name, std::string host, std::uint32_t rail,
                                                  NodeRole role) {
  const Handle handle = add_switch(std::move(name));
  Node& node = nodes_[handle];
  node.host = std::move(host);
  node.rail = rail;
  node.tier = 0;
  node.role = role;
  return handle;
}

FabricBuilder::Handle FabricBuilder::add_switch(std::string name, std::uint32_t tier, std::uint32_t pod) {
  if (!names_) names_ = std::make_shared<NameTable>();
  if (name.empty()) throw Error(ErrorCode::bad_input, "a node has an empty name");
  if (tier == 0) throw Error(ErrorCode::bad_input, fmt::format("switch {} has tier 0; expected 1 or more", name));
  const auto handle = static_cast<Handle>(nodes_.size());
  if (!names_->insert(name, handle, nodes_))
    throw Error(ErrorCode::bad_input, fmt::format("'{}' is declared twice", name));
  Node node;
  node.name = std::move(name);
  node.tier = tier;
  node.pod = pod;
  node.role = NodeRole::network;
  nodes_.push_back(std::move(node));
  return handle;
}

std::optional<FabricBuilder::Handle> FabricBuilder::find(std::string_view name) const {
  const Handle handle = names_ ? names_->find(name, nodes_) : kNone;
  return handle == kNone ? std::nullopt : std::optional(handle);
}

void FabricBuilder::add_link(Handle from, Handle to, std::uint64_t nominal_bps, LinkState state,
                             std::uint64_t degraded_bps, std::uint64_t reserved_bps) {
  const auto refuse = [&](std::string_view why) {
    throw Error(ErrorCode::bad_input, fmt::format("link {}->{}: {}", nodes_[from].name, nodes_[to].name, why));
  };
  if (from == to) refuse("joins a node to itself");
  if (nodes_[from].role != NodeRole::network && nodes_[to].role != NodeRole::network)
    refuse("joins two endpoints; expected a switch at one end");
  if (nominal_bps == 0) refuse("capacity is 0; expected a number above 0");
  if (state == LinkState::degraded && (degraded_bps == 0 || degraded_bps >= nominal_bps))
    refuse(fmt::format("is degraded to {} bit/s; expected above 0 and below its {} bit/s", degraded_bps, nominal_bps));
  const std::uint64_t present = state == LinkState::degraded ? degraded_bps : nominal_bps;
  if (reserved_bps >= present)
    refuse(fmt::format("{} of {} bit/s are reserved; nothing is left for flows", reserved_bps, present));
  Link link;
  link.from = from;
  link.to = to;
  link.nominal_bps = nominal_bps;
  link.capacity_bps = state == LinkState::down ? 0 : present - reserved_bps;
  link.reserved_bps = reserved_bps;
  link.state = state;
  links_.push_back(link);
}

void FabricBuilder::add_cable(Handle a, Handle b, std::uint64_t nominal_bps) {
  add_link(a, b, nominal_bps);
  add_link(b, a, nominal_bps);
}

void FabricBuilder::add_finding(Finding finding) { findings_.push_back(std::move(finding)); }

namespace {

// Old id -> new id, by (tier, pod, natural name); the names are unique, so no two compare equal.
std::vector<NodeId> number_nodes(std::vector<Node>& nodes) {
  std::vector<NodeId> order(nodes.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto group = [&](NodeId id) { return std::uint64_t{nodes[id].tier} << 32U | nodes[id].pod; };
  const auto by_name = [&](NodeId a, NodeId b) { return util::natural_less(nodes[a].name, nodes[b].name); };
  // Names are slow to compare, and files mostly list each tier in order already.
  const auto by_group = [&](NodeId a, NodeId b) { return group(a) < group(b); };
  if (!std::is_sorted(order.begin(), order.end(), by_group)) std::stable_sort(order.begin(), order.end(), by_group);
  for (auto first = order.begin(); first != order.end();) {
    const auto last = std::find_if(first, order.end(), [&](NodeId id) { return group(id) != group(*first); });
    if (!std::is_sorted(first, last, by_name)) std::sort(first, last, by_name);
    first = last;
  }
  std::vector<NodeId> new_id(nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) new_id[order[i]] = static_cast<NodeId>(i);
  if (std::is_sorted(order.begin(), order.end())) return new_id;
  std::vector<Node> sorted;
  sorted.reserve(nodes.size());
  for (const NodeId id : order) sorted.push_back(std::move(nodes[id]));
  nodes = std::move(sorted);
  return new_id;
}

// Links by (from, to), parallel ones in the order in which they were added, so that the k-th cable
// of one direction is the k-th of the other.
std::vector<LinkId> number_links(std::vector<Link>& links, std::size_t num_nodes) {
  std::vector<LinkId> begin(num_nodes + 1, 0);
  for (const Link& link : links) ++begin[link.from + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  if (!std::ranges::is_sorted(links, {}, &Link::from)) {
    std::vector<Link> sorted(links.size());
    std::vector<LinkId> next(begin.begin(), begin.end() - 1);
    for (const Link& link : links) sorted[next[link.from]++] = link;
    links = std::move(sorted);
  }
  for (std::size_t n = 0; n < num_nodes; ++n) {
    const std::span<Link> out(links.begin() + begin[n], links.begin() + begin[n + 1]);
    if (!std::ranges::is_sorted(out, {}, &Link::to)) std::ranges::stable_sort(out, {}, &Link::to);
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i].parallel = i > 0 && out[i - 1].to == out[i].to ? out[i - 1].parallel + 1 : 0;
  }
  return begin;
}

// The links into a node, in their order, are the reverse of those out of it, in theirs: one walk finds
// them all. False where a link has no reverse.
bool pair_directions(std::span<const Link> links, std::span<const LinkId> begin, std::span<LinkId> reverse) {
  std::vector<LinkId> next(begin.begin(), begin.end() - 1);
  for (LinkId id = 0; id < links.size(); ++id) {
    const Link& link = links[id];
    const LinkId back = next[link.to]++;
    if (back == begin[link.to + 1] || links[back].to != link.from || links[back].parallel != link.parallel)
      return false;
    reverse[id] = back;
  }
  return true;
}

[[noreturn]] void refuse_one_way(const Fabric& fabric) {
  std::vector<std::string> names;
  for (LinkId id = 0; id < fabric.num_links(); ++id)
    if (const Link& link = fabric.link(id); !fabric.find_link(link.to, link.from, link.parallel))
      names.push_back(fabric.link_name(id));
  throw Error(ErrorCode::bad_input,
              fmt::format("{} link(s) have no reverse direction: {}; a cable is two directed links", names.size(),
                          util::join_names(names)));
}

}  // namespace

Fabric FabricBuilder::finish() {
  if (nodes_.empty() || links_.empty()) throw Error(ErrorCode::bad_input, "the fabric has no link at all");
  recognise_tiers(nodes_, links_);
  recognise_pods(nodes_, links_);

  Fabric fabric;
  fabric.nodes_ = std::move(nodes_);
  fabric.links_ = std::move(links_);
  fabric.findings_ = std::move(findings_);
  const std::shared_ptr<NameTable> names = std::move(names_);
  *this = FabricBuilder();
  const std::vector<NodeId> new_id = number_nodes(fabric.nodes_);
  names->renumber(new_id);
  fabric.names_ = names;
  for (Link& link : fabric.links_) link.from = new_id[link.from], link.to = new_id[link.to];
  fabric.link_begin_ = number_links(fabric.links_, fabric.nodes_.size());
  fabric.num_endpoints_ =
      static_cast<std::uint32_t>(std::find_if(fabric.nodes_.begin(), fabric.nodes_.end(),
                                              [](const Node& n) { return n.role == NodeRole::network; }) -
                                 fabric.nodes_.begin());

  fabric.reverse_.resize(fabric.links_.size());
  if (!pair_directions(fabric.links_, fabric.link_begin_, fabric.reverse_)) refuse_one_way(fabric);

  fabric.tiers_known_ = tiers_hold(fabric.nodes_, fabric.links_);
  fabric.clos_ = recognise_clos(fabric);
  fabric.digest_ = detail_digest(fabric);
  return fabric;
}

}  // namespace spineweave
