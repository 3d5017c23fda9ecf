#include "perf/device_cases.hpp"

#include <span>

#include "perf/irregular_fabric.hpp"
#include "spineweave/rank.hpp"

namespace spineweave::perf {
namespace {

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

std::shared_ptr<const Problem> irregular() {
  return problem_of(with_faults(irregular_fabric(), "random:5%,seed=1"), "permutation:seed=1");
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
