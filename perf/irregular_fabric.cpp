#include "perf/irregular_fabric.hpp"

#include <fmt/format.h>

#include <vector>

namespace spineweave::perf {

Fabric irregular_fabric() {
  constexpr std::uint64_t kBitsPerSecond = 100'000'000'000;
  constexpr std::uint32_t kLeaves = 64, kSpines = 32, kHosts = 32;
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> leaves, spines;
  for (std::uint32_t spine = 0; spine < kSpines; ++spine)
    spines.push_back(builder.add_switch(fmt::format("spine{}", spine)));
  for (std::uint32_t leaf = 0; leaf < kLeaves; ++leaf) {
    leaves.push_back(builder.add_switch(fmt::format("leaf{}", leaf)));
    for (const auto spine : spines) builder.add_cable(leaves.back(), spine, kBitsPerSecond);
    for (std::uint32_t host = 0; host < kHosts; ++host)
      builder.add_cable(builder.add_endpoint(fmt::format("host{}-{}", leaf, host)), leaves.back(), kBitsPerSecond);
  }
  for (std::uint32_t leaf = 0; leaf < kLeaves; ++leaf)
    builder.add_cable(leaves[leaf], leaves[(leaf + 1) % kLeaves], kBitsPerSecond);
  return builder.finish();
}

}  // namespace spineweave::perf
