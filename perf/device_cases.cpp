#include "perf/device_cases.hpp"

#include <fmt/format.h>

#include <span>

#include "spineweave/rank.hpp"

namespace spineweave::perf {
namespace {

constexpr std::uint64_t kGbps = 1'000'000'000;

std::shared_ptr<const Problem> problem_of(Fabric&& fabric, std::string_view jobs) {
  const auto shared = std::make_shared<const Fabric>(std::move(fabric));
  return std::make_shared<const Problem>(shared, std::make_shared<const Workload>(build_workload(*shared, jobs)));
}

std::shared_ptr<const Problem> leaf_spine() {
  return problem_of(build_fabric("leaf-spine:leaves=64,spines=32,hosts=32,gbps=100"), "paper:jobs=5,ring=4,seed=1");
}

std::shared_ptr<const Problem> fat_tree_64() {
  return problem_of(build_fabric("fat-tree:k=64,gbps=400"), "permutation:seed=1");
}

std::shared_ptr<const Problem> fat_tree_32() {
  return problem_of(build_fabric("fat-tree:k=32,gbps=400"), "permutation:seed=1");
}

// Leaves that are cabled to each other as well make it no Clos, so that its paths are explicit lists.
std::shared_ptr<const Problem> irregular() {
  constexpr std::uint32_t kLeaves = 64, kSpines = 32, kHosts = 32;
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> leaves, spines;
  for (std::uint32_t spine = 0; spine < kSpines; ++spine)
    spines.push_back(builder.add_switch(fmt::format("spine{}", spine)));
  for (std::uint32_t leaf = 0; leaf < kLeaves; ++leaf) {
    leaves.push_back(builder.add_switch(fmt::format("leaf{}", leaf)));
    for (const auto spine : spines) builder.add_cable(leaves.back(), spine, 100 * kGbps);
    for (std::uint32_t host = 0; host < kHosts; ++host)
      builder.add_cable(builder.add_endpoint(fmt::format("host{}-{}", leaf, host)), leaves.back(), 100 * kGbps);
  }
  for (std::uint32_t leaf = 0; leaf < kLeaves; ++leaf)
    builder.add_cable(leaves[leaf], leaves[(leaf + 1) % kLeaves], 100 * kGbps);
  return problem_of(with_faults(builder.finish(), "random:5%,seed=1"), "permutation:seed=1");
}

}  // namespace

std::string_view name_of(Operation operation) {
  switch (operation) {
    case Operation::score_candidates:
      return "score_candidates";
    case Operation::score_routings:
      return "score_routings";
    case Operation::round:
      return "round";
  }
  return "";
}

std::vector<Case> all_cases() {
  using enum Operation;
  return {{"leaf-spine 64x32, paper", leaf_spine, {score_candidates, score_routings, round}, 1024},
          {"irregular 64+32, 5% down", irregular, {score_candidates, round}, 0},
          {"fat-tree k=32, permutation", fat_tree_32, {score_routings}, 64},
          {"fat-tree k=64, permutation", fat_tree_64, {score_candidates, round}, 0}};
}

std::vector<PathIndex> ecmp_paths(const Problem& problem, std::uint32_t count) {
  const RoutingSource source = ecmp_routings(problem, {EcmpHash::crc32, 1, count});
  std::vector<PathIndex> paths(std::size_t{count} * problem.num_flows());
  for (std::uint32_t k = 0; k < count; ++k)
    source.write(k, std::span(paths).subspan(std::size_t{k} * problem.num_flows(), problem.num_flows()));
  return paths;
}

}  // namespace spineweave::perf
