// Free endpoints by leaf, handed out as rings whose members are all on different leaves.
#pragma once

#include <cstdint>
#include <vector>

#include "spineweave/fabric.hpp"

namespace spineweave {

class LeafPool {
 public:
  // A leaf offers no more endpoints than its uplinks carry flows at full rate.
  LeafPool(const Fabric& fabric, std::uint64_t seed);

  // True where `rings` rings of `size` endpoints can all be taken.
  [[nodiscard]] bool holds(std::uint64_t rings, std::uint32_t size) const;
  // The most rings of that size that can be taken.
  [[nodiscard]] std::uint64_t most_rings(std::uint32_t size) const;
  [[nodiscard]] std::size_t num_leaves() const { return leaves_.size(); }
  [[nodiscard]] std::uint64_t num_free() const;

  // One endpoint from each of `size` leaves: those of the last ring where they have one left, others at
  // random. Keeps room for `rings_after` more; holds(rings_after + 1, size) must be true.
  [[nodiscard]] std::vector<EndpointId> take_ring(std::uint32_t size, std::uint64_t rings_after);
  // Lets the next ring begin on leaves of its own.
  void start_job() { columns_.clear(); }

 private:
  struct Leaf {
    std::vector<EndpointId> endpoints;
    std::size_t taken = 0;
    [[nodiscard]] std::size_t num_free() const { return endpoints.size() - taken; }
  };

  [[nodiscard]] std::uint32_t random_leaf();
  [[nodiscard]] std::vector<std::uint32_t> fullest_leaves(std::uint32_t size) const;
  [[nodiscard]] bool is_column(std::uint32_t leaf) const;

  std::vector<Leaf> leaves_;
  std::vector<std::uint32_t> columns_;  // leaves of the last ring, in ring order
  std::uint64_t seed_;
  std::uint64_t draws_ = 0;
};

}  // namespace spineweave
