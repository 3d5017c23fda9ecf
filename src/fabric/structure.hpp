// What a fabric's links say about its tiers, pods and Clos grid.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "spineweave/fabric.hpp"

namespace spineweave {

// Disjoint sets with path halving.
class DisjointSets {
 public:
  explicit DisjointSets(std::uint32_t count);
  std::uint32_t find(std::uint32_t item);
  void join(std::uint32_t a, std::uint32_t b);

 private:
  std::vector<std::uint32_t> parent_;
};

// Gives each switch without a tier its hop distance from the switches that serve endpoints, plus one.
// Aggregation nodes (SHARP) sit on spines too and are no sign of a leaf. Switches that reach no leaf
// keep kUnknownTier.
void recognise_tiers(std::span<Node> nodes, std::span<const Link> links);

// True where every switch-to-switch link changes the tier.
[[nodiscard]] bool tiers_hold(std::span<const Node> nodes, std::span<const Link> links);

// Three tiers: pods are the connected components of leaves and aggregations, numbered by their first
// leaf in natural order; endpoints take their leaf's pod. Otherwise no node has a pod.
void recognise_pods(std::span<Node> nodes, std::span<const Link> links);

// The grid of a numbered fabric, or null where it is no Clos of one to three tiers, or so irregular
// that the grid would be mostly holes.
[[nodiscard]] std::shared_ptr<const ClosShape> recognise_clos(const Fabric& fabric);

// The hash behind Fabric::digest().
[[nodiscard]] std::uint64_t detail_digest(const Fabric& fabric);

}  // namespace spineweave
