// Fabrics from built-in specs.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "spineweave/error.hpp"
#include "spineweave/fabric.hpp"
#include "util/spec_form.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

using Handle = FabricBuilder::Handle;

constexpr std::array<std::string_view, 3> kKinds = {"leaf-spine", "fat-tree", "rail"};
constexpr std::uint64_t kMost = 65536;           // of switches of one sort, of endpoints of one leaf
constexpr std::uint64_t kMostNodes = 1U << 24U;  // about the memory of one machine, for both
constexpr std::uint64_t kMostCables = 1U << 25U;
constexpr double kMostGbps = 1e6;

std::uint32_t count(util::SpecReader& spec, std::string_view key, std::uint64_t least = 1, std::uint64_t most = kMost) {
  return static_cast<std::uint32_t>(spec.required(key, least, most));
}

std::uint32_t count_or(util::SpecReader& spec, std::string_view key, std::uint32_t fallback,
                       std::uint64_t most = kMost) {
  return static_cast<std::uint32_t>(spec.number_or(key, fallback, 1, most));
}

std::optional<std::uint64_t> bits_per_second(util::SpecReader& spec, std::string_view key) {
  const auto gbps = spec.real(key);
  if (!gbps) return std::nullopt;
  if (*gbps < 1e-9 || *gbps > kMostGbps)
    throw Error(ErrorCode::usage, fmt::format("{}: {} is {}; expected from 1e-9 (1 bit/s) to {:.0f}", spec.kind(), key,
                                              *gbps, kMostGbps));
  return static_cast<std::uint64_t>(std::llround(*gbps * 1e9));
}

std::uint64_t required_bits_per_second(util::SpecReader& spec, std::string_view key) {
  const auto bps = bits_per_second(spec, key);
  if (!bps) throw Error(ErrorCode::usage, fmt::format("{}: {}=NUMBER is missing", spec.kind(), key));
  return *bps;
}

// Refuses what would not fit in memory before anything is built.
FabricBuilder make_builder(std::string_view kind, std::uint64_t nodes, std::uint64_t cables) {
  if (nodes > kMostNodes || cables > kMostCables)
    throw Error(ErrorCode::usage, fmt::format("{}: that makes {} nodes and {} cables; expected at most {} and {}", kind,
                                              nodes, cables, kMostNodes, kMostCables));
  FabricBuilder builder;
  builder.reserve(nodes, 2 * cables);
  return builder;
}

void join(FabricBuilder& builder, Handle a, Handle b, std::uint64_t bps, std::uint32_t trunk = 1) {
  for (std::uint32_t t = 0; t < trunk; ++t) builder.add_cable(a, b, bps);
}

// Endpoints "host-L-I" on "leaf-L", every leaf joined to every "spine-S" by `trunk` cables. With
// ports=2 leaves come in pairs and each endpoint has a port on both of its pair (dual ToR): `hosts`
// then counts the endpoints of a pair, and L in "host-L-I" is the number of the pair.
Fabric build_leaf_spine(util::SpecReader& spec) {
  const std::uint32_t leaves = count(spec, "leaves");
  const std::uint32_t spines = count(spec, "spines");
  const std::uint32_t hosts = count(spec, "hosts");
  const std::uint64_t bps = required_bits_per_second(spec, "gbps");
  const std::uint64_t uplink_bps = bits_per_second(spec, "uplink_gbps").value_or(bps);
  const std::uint32_t trunk = count_or(spec, "trunk", 1, 256);
  const std::uint32_t ports = count_or(spec, "ports", 1, 2);
  spec.finish();
  if (leaves % ports != 0)
    throw Error(ErrorCode::usage, fmt::format("leaf-spine: leaves is {}; with ports=2 they come in pairs", leaves));

  const std::uint32_t groups = leaves / ports;
  FabricBuilder builder = make_builder(spec.kind(), std::uint64_t{groups} * hosts + leaves + spines,
                                       std::uint64_t{leaves} * hosts + std::uint64_t{leaves} * spines * trunk);
  for (std::uint32_t g = 0; g < groups; ++g)
    for (std::uint32_t h = 0; h < hosts; ++h) builder.add_endpoint(fmt::format("host-{}-{}", g, h));
  const Handle first_leaf = groups * hosts;
  const Handle first_spine = first_leaf + leaves;
  for (std::uint32_t l = 0; l < leaves; ++l) builder.add_switch(fmt::format("leaf-{}", l), 1);
  for (std::uint32_t s = 0; s < spines; ++s) builder.add_switch(fmt::format("spine-{}", s), 2);
  for (Handle endpoint = 0; endpoint < first_leaf; ++endpoint)
    for (std::uint32_t p = 0; p < ports; ++p) join(builder, endpoint, first_leaf + endpoint / hosts * ports + p, bps);
  for (Handle leaf = first_leaf; leaf < first_spine; ++leaf)
    for (std::uint32_t s = 0; s < spines; ++s) join(builder, leaf, first_spine + s, uplink_bps, trunk);
  return builder.finish();
}

// The k-ary fat tree (Al-Fares, Loukissas, Vahdat, "A scalable, commodity data center network
// architecture", SIGCOMM 2008): k pods of k/2 leaves and k/2 aggregations, (k/2)^2 cores; the i-th
// aggregation of every pod is joined to the i-th group of cores.
Fabric build_fat_tree(util::SpecReader& spec) {
  const std::uint32_t k = count(spec, "k", 2, 256);
  const std::uint64_t bps = required_bits_per_second(spec, "gbps");
  const std::uint32_t half = k / 2;
  const std::uint32_t pods = count_or(spec, "pods", k, k);
  const std::uint32_t hosts = count_or(spec, "hosts", half);
  spec.finish();
  if (k % 2 != 0) throw Error(ErrorCode::usage, fmt::format("fat-tree: k is {}; expected an even number", k));

  const std::uint32_t leaves = pods * half;
  FabricBuilder builder = make_builder(spec.kind(), std::uint64_t{leaves} * (hosts + 2) + half * half,
                                       std::uint64_t{leaves} * (hosts + 2 * half));
  for (std::uint32_t p = 0; p < pods; ++p)
    for (std::uint32_t l = 0; l < half; ++l)
      for (std::uint32_t h = 0; h < hosts; ++h) builder.add_endpoint(fmt::format("host-{}-{}-{}", p, l, h));
  for (std::uint32_t p = 0; p < pods; ++p)
    for (std::uint32_t l = 0; l < half; ++l) builder.add_switch(fmt::format("leaf-{}-{}", p, l), 1);
  for (std::uint32_t p = 0; p < pods; ++p)
    for (std::uint32_t a = 0; a < half; ++a) builder.add_switch(fmt::format("agg-{}-{}", p, a), 2);
  for (std::uint32_t g = 0; g < half; ++g)
    for (std::uint32_t c = 0; c < half; ++c) builder.add_switch(fmt::format("core-{}-{}", g, c), 3);

  const Handle first_leaf = leaves * hosts;
  const Handle first_agg = first_leaf + leaves;
  const Handle first_core = first_agg + leaves;
  // Link by link in the order of their numbers: nothing is left to sort.
  for (Handle host = 0; host < first_leaf; ++host) builder.add_link(host, first_leaf + host / hosts, bps);
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
    for (std::uint32_t h = 0; h < hosts; ++h) builder.add_link(first_leaf + leaf, leaf * hosts + h, bps);
    for (std::uint32_t a = 0; a < half; ++a)
      builder.add_link(first_leaf + leaf, first_agg + leaf / half * half + a, bps);
  }
  for (std::uint32_t agg = 0; agg < leaves; ++agg) {
    for (std::uint32_t l = 0; l < half; ++l) builder.add_link(first_agg + agg, first_leaf + agg / half * half + l, bps);
    for (std::uint32_t c = 0; c < half; ++c) builder.add_link(first_agg + agg, first_core + agg % half * half + c, bps);
  }
  for (std::uint32_t core = 0; core < half * half; ++core)
    for (std::uint32_t p = 0; p < pods; ++p)
      builder.add_link(first_core + core, first_agg + p * half + core / half, bps);
  return builder.finish();
}

// Rail-optimised: adapter "host-H HCA-R" (R from 1) of every host of a group is on the group's leaf of
// rail R; all leaves are joined to all spines. spines=0 is rail-only, where rails do not reach each
// other: it takes a single group.
Fabric build_rail(util::SpecReader& spec) {
  const std::uint32_t hosts = count(spec, "hosts");
  const std::uint32_t rails = count(spec, "rails", 1, 256);
  const std::uint32_t spines = count(spec, "spines", 0);
  const std::uint32_t hosts_per_leaf = count_or(spec, "hosts_per_leaf", hosts);
  const std::uint64_t bps = required_bits_per_second(spec, "gbps");
  const std::uint64_t uplink_bps = bits_per_second(spec, "uplink_gbps").value_or(bps);
  const std::uint32_t trunk = count_or(spec, "trunk", 1, 256);
  spec.finish();
  const std::uint32_t groups = (hosts + hosts_per_leaf - 1) / hosts_per_leaf;
  if (spines == 0 && groups > 1)
    throw Error(ErrorCode::usage, fmt::format("rail: spines is 0, but {} groups of {} hosts need spines to reach each "
                                              "other; expected spines=1 or more, or hosts_per_leaf={}",
                                              groups, hosts_per_leaf, hosts));

  const std::uint32_t leaves = groups * rails;
  FabricBuilder builder = make_builder(spec.kind(), std::uint64_t{hosts} * rails + leaves + spines,
                                       std::uint64_t{hosts} * rails + std::uint64_t{leaves} * spines * trunk);
  for (std::uint32_t h = 0; h < hosts; ++h) {
    const std::string host = fmt::format("host-{}", h);
    for (std::uint32_t r = 1; r <= rails; ++r) builder.add_endpoint(fmt::format("{} HCA-{}", host, r), host, r);
  }
  for (std::uint32_t g = 0; g < groups; ++g)
    for (std::uint32_t r = 1; r <= rails; ++r) builder.add_switch(fmt::format("leaf-{}-rail-{}", g, r), 1);
  for (std::uint32_t s = 0; s < spines; ++s) builder.add_switch(fmt::format("spine-{}", s), 2);

  const Handle first_leaf = hosts * rails;
  const Handle first_spine = first_leaf + leaves;
  for (std::uint32_t h = 0; h < hosts; ++h)
    for (std::uint32_t r = 0; r < rails; ++r)
      join(builder, h * rails + r, first_leaf + h / hosts_per_leaf * rails + r, bps);
  for (Handle leaf = first_leaf; leaf < first_spine; ++leaf)
    for (std::uint32_t s = 0; s < spines; ++s) join(builder, leaf, first_spine + s, uplink_bps, trunk);
  return builder.finish();
}

}  // namespace

bool is_fabric_spec(std::string_view text) { return util::looks_like_spec(text); }

Fabric build_fabric(std::string_view text) {
  util::SpecReader spec(util::parse_spec(text));
  if (spec.kind() == "leaf-spine") return build_leaf_spine(spec);
  if (spec.kind() == "fat-tree") return build_fat_tree(spec);
  if (spec.kind() == "rail") return build_rail(spec);
  const std::string hint = util::suggest(spec.kind(), kKinds);
  throw Error(ErrorCode::usage, fmt::format("unknown fabric kind '{}'; expected one of {}{}{}", spec.kind(),
                                            fmt::join(kKinds, ", "), hint.empty() ? "" : "; ", hint));
}

}  // namespace spineweave
