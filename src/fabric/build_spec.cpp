// Fabrics from built-in specs.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "spineweave/error.hpp"
#include "spineweave/fabric.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

constexpr std::array<std::string_view, 3> kKinds = {"leaf-spine", "fat-tree", "rail"};

std::uint64_t bits_per_second(util::SpecReader& spec, std::string_view key, std::uint64_t fallback) {
  const auto gbps = spec.real(key);
  if (!gbps && fallback > 0) return fallback;
  if (!gbps) throw Error(ErrorCode::usage, fmt::format("{}: {}=NUMBER is missing", spec.kind(), key));
  if (*gbps > 1e6) throw Error(ErrorCode::usage, fmt::format("{}: {} is {}; expected at most 1000000", spec.kind(), key, *gbps));
  return static_cast<std::uint64_t>(std::llround(*gbps * 1e9));
}

std::uint32_t small(util::SpecReader& spec, std::string_view key, std::uint64_t fallback, std::uint64_t least, std::uint64_t most) {
  return static_cast<std::uint32_t>(fallback == 0 ? spec.required(key, least, most) : spec.number_or(key, fallback, least, most));
}

void join(FabricBuilder& builder, FabricBuilder::Handle a, FabricBuilder::Handle b, std::uint64_t bps, std::uint32_t trunk) {
  for (std::uint32_t t = 0; t < trunk; ++t) builder.add_cable(a, b, bps);
}

// Endpoints "host-L-I" on "leaf-L", every leaf joined to every "spine-S" by `trunk` cables. With
// ports=2 leaves come in pairs and each endpoint has a port on both of its pair (dual ToR); `hosts`
// then counts the endpoints of a pair.
Fabric build_leaf_spine(util::SpecReader& spec) {
  const std::uint32_t leaves = small(spec, "leaves", 0, 1, 65536);
  const std::uint32_t spines = small(spec, "spines", 0, 1, 65536);
  const std::uint32_t hosts = small(spec, "hosts", 0, 1, 65536);
  const std::uint64_t bps = bits_per_second(spec, "gbps", 0);
  const std::uint64_t uplink_bps = bits_per_second(spec, "uplink_gbps", bps);
  const std::uint32_t trunk = small(spec, "trunk", 1, 1, 256);
  const std::uint32_t ports = small(spec, "ports", 1, 1, 2);
  spec.finish();
  if (leaves % ports != 0) throw Error(ErrorCode::usage, fmt::format("leaf-spine: leaves is {}; with ports=2 leaves come in pairs", leaves));
  FabricBuilder builder;
  builder.reserve(std::size_t{leaves} * (hosts / ports + 1) + spines,
                  2 * (std::size_t{leaves} * hosts + std::size_t{leaves} * spines * trunk));
  std::vector<FabricBuilder::Handle> leaf(leaves), spine(spines);
  for (std::uint32_t group = 0; group < leaves / ports; ++group)
    for (std::uint32_t h = 0; h < hosts; ++h) builder.add_endpoint(fmt::format("host-{}-{}", group, h));
  for (std::uint32_t l = 0; l < leaves; ++l) leaf[l] = builder.add_switch(fmt::format("leaf-{}", l), 1);
  for (std::uint32_t s = 0; s < spines; ++s) spine[s] = builder.add_switch(fmt::format("spine-{}", s), 2);
  for (std::uint32_t endpoint = 0; endpoint < leaves / ports * hosts; ++endpoint)
    for (std::uint32_t p = 0; p < ports; ++p) builder.add_cable(endpoint, leaf[endpoint / hosts * ports + p], bps);
  for (std::uint32_t l = 0; l < leaves; ++l)
    for (std::uint32_t s = 0; s < spines; ++s) join(builder, leaf[l], spine[s], uplink_bps, trunk);
  return builder.finish();
}

// The k-ary fat-tree (Al-Fares, Loukissas, Vahdat, "A scalable, commodity data center network
// architecture", SIGCOMM 2008): k pods of k/2 leaves and k/2 aggregations, (k/2)^2 cores; the i-th
// aggregation of every pod is joined to the i-th group of cores.
Fabric build_fat_tree(util::SpecReader& spec) {
  const std::uint32_t k = small(spec, "k", 0, 2, 256);
  if (k % 2 != 0) throw Error(ErrorCode::usage, fmt::format("fat-tree: k is {}; expected an even number", k));
  const std::uint64_t bps = bits_per_second(spec, "gbps", 0);
  const std::uint32_t half = k / 2;
  const std::uint32_t pods = small(spec, "pods", k, 1, k);
  const std::uint32_t hosts = small(spec, "hosts", half, 1, 65536);
  spec.finish();
  FabricBuilder builder;
  const std::size_t leaves = std::size_t{pods} * half;
  builder.reserve(leaves * hosts + 2 * leaves + std::size_t{half} * half, 2 * leaves * (hosts + 2 * half));
  for (std::uint32_t p = 0; p < pods; ++p)
    for (std::uint32_t l = 0; l < half; ++l)
      for (std::uint32_t h = 0; h < hosts; ++h) builder.add_endpoint(fmt::format("host-{}-{}-{}", p, l, h));
  const auto first_leaf = static_cast<FabricBuilder::Handle>(leaves * hosts);
  const auto first_agg = first_leaf + pods * half;
  const auto first_core = first_agg + pods * half;
  for (std::uint32_t p = 0; p < pods; ++p)
    for (std::uint32_t l = 0; l < half; ++l) builder.add_switch(fmt::format("leaf-{}-{}", p, l), 1);
  for (std::uint32_t p = 0; p < pods; ++p)
    for (std::uint32_t a = 0; a < half; ++a) builder.add_switch(fmt::format("agg-{}-{}", p, a), 2);
  for (std::uint32_t g = 0; g < half; ++g)
    for (std::uint32_t c = 0; c < half; ++c) builder.add_switch(fmt::format("core-{}-{}", g, c), 3);
  for (std::uint32_t leaf = 0; leaf < pods * half; ++leaf) {
    for (std::uint32_t h = 0; h < hosts; ++h) builder.add_cable(leaf * hosts + h, first_leaf + leaf, bps);
    for (std::uint32_t a = 0; a < half; ++a) builder.add_cable(first_leaf + leaf, first_agg + leaf / half * half + a, bps);
  }
  for (std::uint32_t agg = 0; agg < pods * half; ++agg)
    for (std::uint32_t c = 0; c < half; ++c) builder.add_cable(first_agg + agg, first_core + agg % half * half + c, bps);
  return builder.finish();
}

// Rail-optimised: adapter HCA-R of every host of a group is on the group's leaf of rail R; all leaves
// are joined to all spines. spines=0 with one group is rail-only: rails do not reach each other.
Fabric build_rail(util::SpecReader& spec) {
  const std::uint32_t hosts = small(spec, "hosts", 0, 2, 65536);
  const std::uint32_t rails = small(spec, "rails", 8, 1, 64);
  const std::uint32_t spines = static_cast<std::uint32_t>(spec.required("spines", 0, 65536));
  const std::uint32_t per_leaf = small(spec, "hosts_per_leaf", hosts, 1, 65536);
  const std::uint64_t bps = bits_per_second(spec, "gbps", 0);
  const std::uint64_t uplink_bps = bits_per_second(spec, "uplink_gbps", bps);
  const std::uint32_t trunk = small(spec, "trunk", 1, 1, 256);
  spec.finish();
  const std::uint32_t groups = (hosts + per_leaf - 1) / per_leaf;
  if (spines == 0 && groups > 1)
    throw Error(ErrorCode::usage, fmt::format("rail: {} groups of {} hosts need spines to reach each other; spines is 0", groups, per_leaf));
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> leaf, spine;
  for (std::uint32_t g = 0; g < groups; ++g)
    for (std::uint32_t r = 1; r <= rails; ++r) leaf.push_back(builder.add_switch(fmt::format("leaf-{}-rail-{}", g, r), 1));
  for (std::uint32_t s = 0; s < spines; ++s) spine.push_back(builder.add_switch(fmt::format("spine-{}", s), 2));
  for (std::uint32_t h = 0; h < hosts; ++h) {
    const std::string host = fmt::format("host-{}", h);
    for (std::uint32_t r = 1; r <= rails; ++r)
      builder.add_cable(builder.add_endpoint(fmt::format("{} HCA-{}", host, r), host, r), leaf[h / per_leaf * rails + r - 1], bps);
  }
  for (const auto l : leaf)
    for (const auto s : spine) join(builder, l, s, uplink_bps, trunk);
  return builder.finish();
}

}  // namespace

bool is_fabric_spec(std::string_view text) {
  const auto colon = text.find(':');
  return colon != std::string_view::npos && text.find('=', colon) != std::string_view::npos && text.find('/') == std::string_view::npos;
}

Fabric build_fabric(std::string_view text) {
  util::SpecReader spec(util::parse_spec(text));
  if (spec.kind() == "leaf-spine") return build_leaf_spine(spec);
  if (spec.kind() == "fat-tree") return build_fat_tree(spec);
  if (spec.kind() == "rail") return build_rail(spec);
  const std::string hint = util::suggest(spec.kind(), kKinds);
  throw Error(ErrorCode::usage, fmt::format("unknown fabric '{}'; {}", spec.kind(),
                                            hint.empty() ? fmt::format("the kinds are {}", fmt::join(kKinds, ", ")) : hint));
}

}  // namespace spineweave
