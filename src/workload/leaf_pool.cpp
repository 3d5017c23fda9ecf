#include "workload/leaf_pool.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "util/hash.hpp"
#include "workload/specs.hpp"

namespace spineweave {
namespace {

// Flows that leave the leaf at the full rate of its endpoints, as built: faults come later and must
// not change the jobs.
std::uint64_t uplink_share(const Fabric& fabric, NodeId leaf) {
  std::uint64_t uplinks_bps = 0;
  std::uint64_t endpoint_bps = 1;
  for (const Link& link : fabric.links_from(leaf)) {
    if (link.to >= fabric.num_endpoints()) {
      uplinks_bps += link.nominal_bps;
    } else {
      endpoint_bps = std::max(endpoint_bps, link.nominal_bps);
    }
  }
  return uplinks_bps / endpoint_bps;
}

}  // namespace

LeafPool::LeafPool(const Fabric& fabric, std::uint64_t seed) : seed_(seed) {
  std::map<NodeId, Leaf> by_leaf;
  for (const EndpointId e : placeable_endpoints(fabric))
    by_leaf[fabric.links_from(e).front().to].endpoints.push_back(e);
  for (auto& [id, leaf] : by_leaf) {
    leaf.endpoints.resize(std::min<std::size_t>(leaf.endpoints.size(), uplink_share(fabric, id)));
    leaves_.push_back(std::move(leaf));
  }
}

// Gale and Ryser: rings of distinct leaves exist exactly where no leaf must give two to one ring.
bool LeafPool::holds(std::uint64_t rings, std::uint32_t size) const {
  std::uint64_t places = 0;
  for (const Leaf& leaf : leaves_) places += std::min<std::uint64_t>(leaf.num_free(), rings);
  return places >= rings * size;
}

std::uint64_t LeafPool::most_rings(std::uint32_t size) const {
  std::uint64_t held = 0;
  for (std::uint64_t refused = num_free() / size + 1; refused - held > 1;) {
    const std::uint64_t middle = held + (refused - held) / 2;
    (holds(middle, size) ? held : refused) = middle;
  }
  return held;
}

std::uint64_t LeafPool::num_free() const {
  return std::accumulate(leaves_.begin(), leaves_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Leaf& leaf) { return sum + leaf.num_free(); });
}

bool LeafPool::is_column(std::uint32_t leaf) const {
  return std::find(columns_.begin(), columns_.end(), leaf) != columns_.end();
}

std::uint32_t LeafPool::random_leaf() {
  std::vector<std::uint32_t> open;
  for (std::uint32_t l = 0; l < leaves_.size(); ++l)
    if (leaves_[l].num_free() > 0 && !is_column(l)) open.push_back(l);
  if (open.empty()) return kNone;
  return open[util::random_below(util::random_at(seed_, 1, draws_++), static_cast<std::uint32_t>(open.size()))];
}

std::vector<std::uint32_t> LeafPool::fullest_leaves(std::uint32_t size) const {
  std::vector<std::uint32_t> order(leaves_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return leaves_[a].num_free() > leaves_[b].num_free(); });
  order.resize(size);
  return order;
}

std::vector<EndpointId> LeafPool::take_ring(std::uint32_t size, std::uint64_t rings_after) {
  columns_.resize(size, kNone);
  bool complete = true;
  for (std::uint32_t& column : columns_) {
    if (column == kNone || leaves_[column].num_free() == 0) column = random_leaf();
    complete = complete && column != kNone;
  }
  const auto take = [&](bool back) {
    for (const std::uint32_t column : columns_) back ? --leaves_[column].taken : ++leaves_[column].taken;
  };
  if (complete) take(false);
  if (!complete || !holds(rings_after, size)) {
    // Chance has led to where the rest would not fit: the leaves with most left always keep it possible.
    if (complete) take(true);
    columns_ = fullest_leaves(size);
    take(false);
  }
  std::vector<EndpointId> ring;
  for (const std::uint32_t column : columns_) ring.push_back(leaves_[column].endpoints[leaves_[column].taken - 1]);
  return ring;
}

}  // namespace spineweave
