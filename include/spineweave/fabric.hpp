// A fabric: endpoints, switches and directed links, checked and numbered once, then immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spineweave/types.hpp"

namespace spineweave {

inline constexpr std::uint32_t kUnknownTier = kNone;

enum class NodeRole : std::uint8_t {
  endpoint,     // a NIC that jobs may use
  aggregation,  // an in-network reduction node (SHARP); never a rank of a job
  unnamed,      // an adapter without a host name; usable by name, never placed on
  network,      // a switch
};

struct Node {
  std::string name;
  std::string host;  // empty: not known
  std::uint32_t rail = kNone;
  std::uint32_t tier = kUnknownTier;  // 0 for endpoints, 1 for leaves, 2 for the tier above, ...
  std::uint32_t pod = kNone;          // three tiers: leaves and aggregations of one pod share it
  NodeRole role = NodeRole::endpoint;
};

enum class LinkState : std::uint8_t { up, down, degraded };

struct Link {
  NodeId from = kNone;
  NodeId to = kNone;
  std::uint32_t parallel = 0;      // 0, 1, ... among the links with the same ends
  std::uint64_t nominal_bps = 0;   // bit/s, as built
  std::uint64_t capacity_bps = 0;  // bit/s that flows may use: degraded and reserved parts taken off
  std::uint64_t reserved_bps = 0;  // bit/s kept for other traffic
  LinkState state = LinkState::up;
};

// Something odd that the user should know, though it stops nothing: what it is, and who.
struct Finding {
  std::string what;                // "unnamed adapters", "leaf-spine pairs without a cable", ...
  std::vector<std::string> names;  // the culprits, in natural order
};

// The regular grid that a two- or three-tier Clos fills, possibly with holes.
// Aggregations of one pod take positions 0 .. aggs_per_pod - 1. Those of one plane (a connected
// component of aggregations and cores) take `aggs_per_plane` neighbouring positions, so that a
// position means the same plane in every pod. Two tiers: one pod, the spines are its aggregations.
struct ClosShape {
  std::uint32_t num_tiers = 0;  // 2 or 3
  std::uint32_t num_pods = 1;
  std::uint32_t aggs_per_pod = 0;
  std::uint32_t leaf_trunk = 1;  // most parallel cables between a leaf and an aggregation
  std::uint32_t aggs_per_plane = 1;
  std::uint32_t cores_per_plane = 0;
  std::uint32_t core_trunk = 1;  // most parallel cables between an aggregation and a core
  std::uint32_t num_leaves = 0;
  std::uint32_t num_aggs = 0;  // rows: spines where two tiers, aggregations of all pods where three
  std::uint32_t num_cores = 0;
  std::vector<std::uint32_t> position;  // [num_switches] aggregation: place in its pod; core: in its plane
  bool symmetric = false;               // no hole in the grid, all trunks full, one capacity per tier
};

// A link's state as it is told apart from the fabric. `degraded_bps` matters for LinkState::degraded only.
struct LinkSetting {
  LinkId link = kNone;
  LinkState state = LinkState::up;
  std::uint64_t degraded_bps = 0;
};

class NameTable;

class Fabric {
 public:
  [[nodiscard]] std::uint32_t num_endpoints() const noexcept { return num_endpoints_; }
  [[nodiscard]] std::uint32_t num_switches() const noexcept;
  [[nodiscard]] std::uint32_t num_nodes() const noexcept;
  [[nodiscard]] std::uint32_t num_links() const noexcept;

  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id]; }
  [[nodiscard]] std::span<const Node> nodes() const noexcept { return nodes_; }
  [[nodiscard]] const Link& link(LinkId id) const { return links_[id]; }
  [[nodiscard]] std::span<const Link> links() const noexcept { return links_; }

  // Links out of a node are neighbours: [first_link(n), first_link(n + 1)), by (to, parallel).
  [[nodiscard]] LinkId first_link(NodeId id) const { return link_begin_[id]; }
  [[nodiscard]] std::span<const Link> links_from(NodeId id) const;
  // The other direction of the same cable.
  [[nodiscard]] LinkId reverse(LinkId id) const { return reverse_[id]; }
  // "A->B", or "A->B#1" for the second of parallel cables.
  [[nodiscard]] std::string link_name(LinkId id) const;
  // O(1).
  [[nodiscard]] std::optional<NodeId> find(std::string_view name) const;
  // The link from -> to with that parallel number. O(log links of the node).
  [[nodiscard]] std::optional<LinkId> find_link(NodeId from, NodeId to, std::uint32_t parallel) const;

  // The Clos grid, or null where the fabric is none (tiers unknown, more than three, or links that
  // skip a tier).
  [[nodiscard]] const ClosShape* clos() const noexcept { return clos_.get(); }
  [[nodiscard]] bool tiers_known() const noexcept { return tiers_known_; }
  [[nodiscard]] std::span<const Finding> findings() const noexcept { return findings_; }
  // 64-bit hash over names, links, capacities and states.
  [[nodiscard]] std::uint64_t digest() const noexcept { return digest_; }

 private:
  friend class FabricBuilder;
  friend Fabric with_link_states(const Fabric&, std::span<const LinkSetting>);

  std::vector<Node> nodes_;
  std::vector<Link> links_;
  std::vector<LinkId> link_begin_;  // [num_nodes + 1]
  std::vector<LinkId> reverse_;     // [num_links]
  std::shared_ptr<const NameTable> names_;
  std::shared_ptr<const ClosShape> clos_;
  std::vector<Finding> findings_;
  std::uint32_t num_endpoints_ = 0;
  bool tiers_known_ = false;
  std::uint64_t digest_ = 0;
};

// Collects nodes and links in any order; finish() checks, recognises tiers and pods, and numbers.
// Nodes are numbered by (tier, pod, natural name order), links by (from, to, parallel number), so
// that two files which list the same fabric in other orders give the same ids.
// Every function throws Error{bad_input} that names the culprit.
class FabricBuilder {
 public:
  // A handle for add_link; it is not the final NodeId.
  using Handle = std::uint32_t;

  // Room for that many; only saves time.
  void reserve(std::size_t nodes, std::size_t links);
  Handle add_endpoint(std::string name, std::string host = {}, std::uint32_t rail = kNone,
                      NodeRole role = NodeRole::endpoint);
  // With tier and pod unknown, finish() recognises them from the links.
  Handle add_switch(std::string name, std::uint32_t tier = kUnknownTier, std::uint32_t pod = kNone);
  [[nodiscard]] std::optional<Handle> find(std::string_view name) const;

  // One direction. `degraded_bps` matters for LinkState::degraded only.
  void add_link(Handle from, Handle to, std::uint64_t nominal_bps, LinkState state = LinkState::up,
                std::uint64_t degraded_bps = 0, std::uint64_t reserved_bps = 0);
  // Both directions.
  void add_cable(Handle a, Handle b, std::uint64_t nominal_bps);
  void add_finding(Finding finding);

  // Throws on a duplicate name, a capacity of zero, a link to itself, a missing reverse direction,
  // an endpoint that is cabled to an endpoint, an empty fabric. Leaves the builder empty.
  [[nodiscard]] Fabric finish();

 private:
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  std::vector<Finding> findings_;
  std::shared_ptr<NameTable> names_;
};

// Build a fabric from a spec: "leaf-spine:leaves=64,spines=32,hosts=32,gbps=100[,trunk=2]",
// "fat-tree:k=64,gbps=400", "rail:hosts=256,rails=8,spines=32,hosts_per_leaf=32,gbps=400".
// Throws Error{usage} on an unknown kind, key or value.
[[nodiscard]] Fabric build_fabric(std::string_view spec);
// True where the text looks like a spec and not like a file name: "word:key=...".
[[nodiscard]] bool is_fabric_spec(std::string_view text);

// The fabric with links or switches taken out. `faults` is a comma-separated list of: a switch, an
// endpoint, "A-B" (a cable, both directions; all parallel ones), "A->B" (one direction),
// "A-B#1" (one of parallel cables), "spine:I" (the I-th of the highest tier, from 0),
// "random:5%,seed=1" (that share of the switch-to-switch cables). Numbering and shape stay.
// Throws Error{usage} on a name that is not in the fabric, with the nearest names.
[[nodiscard]] Fabric with_faults(const Fabric& fabric, std::string_view faults);
// The fabric with links in other states; of two settings of one link the later one counts. Numbering and shape stay.
// Throws what check_setting throws.
[[nodiscard]] Fabric with_link_states(const Fabric& fabric, std::span<const LinkSetting> settings);
// Throws Error{bad_input}: degraded to nothing, to no less than the link was built for, or to no more than is reserved.
void check_setting(const Fabric& fabric, const LinkSetting& setting);
// The links that "A-B" (both directions; all parallel cables), "A->B" or "A-B#1" names, ascending.
// Throws Error{usage} on a name that is not in the fabric, with the nearest names.
[[nodiscard]] std::vector<LinkId> find_links(const Fabric& fabric, std::string_view name);

// What is odd about a fabric, beside what its reader already found: links that are down or degraded,
// switch pairs of a Clos with fewer cables than the others or none, mixed capacities in one tier,
// switches that reach nothing, pairs of leaves without a live path (counted, the first named), hosts
// with a rail missing, hosts with fewer rails than most, leaves that serve more than one rail.
[[nodiscard]] std::vector<Finding> survey(const Fabric& fabric);

// Host name and rail from an adapter's name, as InfiniBand fabrics print it: "node7 HCA-3" is rail
// 3, "node7 mlx5_2" is HCA-3 as well. Empty where the name does not have that form.
struct AdapterName {
  std::string host;
  std::uint32_t rail = kNone;
};
[[nodiscard]] std::optional<AdapterName> parse_adapter_name(std::string_view name);

}  // namespace spineweave
