#include "spineweave/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

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
  const auto at = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                   [&](NodeId id, std::string_view wanted) { return nodes_[id].name < wanted; });
  if (at == by_name_.end() || nodes_[*at].name != name) return std::nullopt;
  return *at;
}

std::optional<LinkId> Fabric::find_link(NodeId from, NodeId to, std::uint32_t parallel) const {
  const auto links = links_from(from);
  const auto at = std::lower_bound(links.begin(), links.end(), std::pair{to, parallel}, [](const Link& link, auto key) {
    return std::pair{link.to, link.parallel} < key;
  });
  if (at == links.end() || at->to != to || at->parallel != parallel) return std::nullopt;
  return static_cast<LinkId>(at - links.begin()) + link_begin_[from];
}

struct FabricBuilder::NameIndex {
  std::unordered_map<std::string, Handle> handle_of;
};

void FabricBuilder::reserve(std::size_t nodes, std::size_t links) {
  if (!names_) names_ = std::make_shared<NameIndex>();
  nodes_.reserve(nodes);
  links_.reserve(links);
  names_->handle_of.reserve(nodes);
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
  if (!names_) names_ = std::make_shared<NameIndex>();
  if (name.empty()) throw Error(ErrorCode::bad_input, "a node has an empty name");
  if (tier == 0) throw Error(ErrorCode::bad_input, fmt::format("switch {} has tier 0; expected 1 or more", name));
  const auto handle = static_cast<Handle>(nodes_.size());
  if (!names_->handle_of.emplace(name, handle).second)
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
  if (!names_) return std::nullopt;
  const auto at = names_->handle_of.find(std::string(name));
  if (at == names_->handle_of.end()) return std::nullopt;
  return at->second;
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
  const auto before = [&](NodeId a, NodeId b) {
    if (nodes[a].tier != nodes[b].tier) return nodes[a].tier < nodes[b].tier;
    if (nodes[a].pod != nodes[b].pod) return nodes[a].pod < nodes[b].pod;
    return util::natural_less(nodes[a].name, nodes[b].name);
  };
  std::vector<NodeId> new_id = order;
  if (std::is_sorted(order.begin(), order.end(), before)) return new_id;
  std::sort(order.begin(), order.end(), before);
  std::vector<Node> sorted;
  sorted.reserve(nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    new_id[order[i]] = static_cast<NodeId>(i);
    sorted.push_back(std::move(nodes[order[i]]));
  }
  nodes = std::move(sorted);
  return new_id;
}

// Links by (from, to), parallel ones in the order in which they were added, so that the k-th cable
// of one direction is the k-th of the other.
std::vector<LinkId> number_links(std::vector<Link>& links, std::size_t num_nodes) {
  std::vector<LinkId> begin(num_nodes + 1, 0);
  for (const Link& link : links) ++begin[link.from + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Link> sorted(links.size());
  std::vector<LinkId> next(begin.begin(), begin.end() - 1);
  for (const Link& link : links) sorted[next[link.from]++] = link;
  const auto by_target = [](const Link& a, const Link& b) { return a.to < b.to; };
  for (std::size_t n = 0; n < num_nodes; ++n) {
    const auto first = sorted.begin() + begin[n];
    const auto last = sorted.begin() + begin[n + 1];
    if (!std::is_sorted(first, last, by_target)) std::stable_sort(first, last, by_target);
    for (auto at = first; at != last; ++at)
      at->parallel = at != first && (at - 1)->to == at->to ? (at - 1)->parallel + 1 : 0;
  }
  links = std::move(sorted);
  return begin;
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
  *this = FabricBuilder();
  const std::vector<NodeId> new_id = number_nodes(fabric.nodes_);
  for (Link& link : fabric.links_) link.from = new_id[link.from], link.to = new_id[link.to];
  fabric.link_begin_ = number_links(fabric.links_, fabric.nodes_.size());
  fabric.num_endpoints_ =
      static_cast<std::uint32_t>(std::find_if(fabric.nodes_.begin(), fabric.nodes_.end(),
                                              [](const Node& n) { return n.role == NodeRole::network; }) -
                                 fabric.nodes_.begin());

  std::vector<std::string> one_way;
  fabric.reverse_.resize(fabric.links_.size());
  for (LinkId id = 0; id < fabric.links_.size(); ++id) {
    const Link& link = fabric.links_[id];
    const auto reverse = fabric.find_link(link.to, link.from, link.parallel);
    if (reverse) fabric.reverse_[id] = *reverse;
    if (!reverse) one_way.push_back(fabric.link_name(id));
  }
  if (!one_way.empty())
    throw Error(ErrorCode::bad_input,
                fmt::format("{} link(s) have no reverse direction: {}; a cable is two directed links", one_way.size(),
                            util::join_names(one_way)));

  fabric.by_name_.resize(fabric.nodes_.size());
  std::iota(fabric.by_name_.begin(), fabric.by_name_.end(), 0U);
  std::sort(fabric.by_name_.begin(), fabric.by_name_.end(),
            [&](NodeId a, NodeId b) { return fabric.nodes_[a].name < fabric.nodes_[b].name; });
  fabric.tiers_known_ = tiers_hold(fabric.nodes_, fabric.links_);
  fabric.clos_ = recognise_clos(fabric);
  fabric.digest_ = detail_digest(fabric);
  return fabric;
}

}  // namespace spineweave
