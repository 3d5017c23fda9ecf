#include "support/random_instances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "spineweave/error.hpp"

namespace spineweave::test {
namespace {

constexpr std::uint64_t kGbps = 1'000'000'000;
using Handle = FabricBuilder::Handle;

class FabricMaker {
 public:
  FabricMaker(Random& random, bool damaged) : random_(random), damaged_(damaged) {}

  Handle endpoint() { return builder_.add_endpoint(fmt::format("host{}", next_++)); }
  std::vector<Handle> switches(std::string_view kind, std::uint32_t count) {
    std::vector<Handle> handles;
    for (std::uint32_t i = 0; i < count; ++i)
      handles.push_back(builder_.add_switch(fmt::format("{}{}", kind, next_++)));
    return handles;
  }

  void attach_hosts(std::span<const Handle> leaves, std::uint32_t most_hosts) {
    for (const Handle leaf : leaves)
      for (std::uint32_t hosts = random_.between(1, most_hosts); hosts > 0; --hosts)
        builder_.add_cable(endpoint(), leaf, 100 * kGbps);
  }
  void attach(Handle endpoint, Handle leaf) { builder_.add_cable(endpoint, leaf, 100 * kGbps); }

  // Both directions, each perhaps with a fault; now and then no cable at all.
  void join(Handle a, Handle b) {
    if (damaged_ && random_.one_in(12)) return;
    link(a, b);
    link(b, a);
  }

  // Every pair, `trunk` cables at most.
  void join_all(std::span<const Handle> low, std::span<const Handle> high, std::uint32_t trunk = 1) {
    for (const Handle a : low)
      for (const Handle b : high)
        for (std::uint32_t cable = trunk == 1 ? 1 : random_.between(1, trunk); cable > 0; --cable) join(a, b);
  }

  std::shared_ptr<const Fabric> finish() { return std::make_shared<const Fabric>(builder_.finish()); }

 private:
  void link(Handle from, Handle to) {
    if (damaged_ && random_.one_in(10)) return builder_.add_link(from, to, 100 * kGbps, LinkState::down);
    if (damaged_ && random_.one_in(10))
      return builder_.add_link(from, to, 100 * kGbps, LinkState::degraded, random_.between(1, 2) * 25 * kGbps);
    builder_.add_link(from, to, 100 * kGbps);
  }

  Random& random_;
  bool damaged_;
  FabricBuilder builder_;
  std::uint32_t next_ = 0;
};

void make_leaf_spine(FabricMaker& maker, Random& random, std::uint32_t most_hosts, std::uint32_t trunk) {
  const auto leaves = maker.switches("leaf", random.between(2, 4));
  maker.attach_hosts(leaves, most_hosts);
  maker.join_all(leaves, maker.switches("spine", random.between(1, 3)), trunk);
}

void make_dual_homed(FabricMaker& maker, Random& random, std::uint32_t most_hosts) {
  const auto leaves = maker.switches("leaf", 2 * random.between(1, 2));
  for (std::size_t pair = 0; pair < leaves.size(); pair += 2) {
    for (std::uint32_t hosts = random.between(2, most_hosts + 1); hosts > 0; --hosts) {
      const Handle endpoint = maker.endpoint();
      maker.attach(endpoint, leaves[pair]);
      if (!random.one_in(4)) maker.attach(endpoint, leaves[pair + 1]);
    }
  }
  maker.join_all(leaves, maker.switches("spine", random.between(1, 3)));
}

void make_three_tiers(FabricMaker& maker, Random& random, std::uint32_t most_hosts, bool full_mesh) {
  const std::uint32_t aggs_per_pod = 2;
  const std::uint32_t leaves_per_pod = random.between(1, 2);
  std::vector<std::vector<Handle>> planes(full_mesh ? 1 : aggs_per_pod);
  const std::uint32_t cores_per_plane = random.between(1, 2);
  for (auto& plane : planes) plane = maker.switches("core", cores_per_plane);
  for (std::uint32_t pods = random.between(2, 3); pods > 0; --pods) {
    const auto leaves = maker.switches("leaf", leaves_per_pod);
    const auto aggs = maker.switches("agg", aggs_per_pod);
    maker.attach_hosts(leaves, most_hosts);
    maker.join_all(leaves, aggs);
    for (std::size_t i = 0; i < aggs.size(); ++i)
      maker.join_all(std::span(aggs).subspan(i, 1), planes[i % planes.size()]);
  }
}

void make_irregular(FabricMaker& maker, Random& random, std::uint32_t most_hosts) {
  const auto switches = maker.switches("switch", random.between(3, 6));
  maker.attach_hosts(std::span(switches).first(random.between(2, static_cast<std::uint32_t>(switches.size()))),
                     most_hosts);
  for (std::uint32_t i = 1; i < switches.size(); ++i) maker.join(switches[i], switches[random.below(i)]);
  for (std::uint32_t extra = random.between(1, 6); extra > 0; --extra) {
    const std::uint32_t a = random.below(static_cast<std::uint32_t>(switches.size()));
    const std::uint32_t b = random.below(static_cast<std::uint32_t>(switches.size()));
    if (a != b) maker.join(switches[a], switches[b]);
  }
}

std::shared_ptr<const Fabric> make_fabric(Shape shape, Random& random, std::uint32_t most_hosts) {
  FabricMaker maker(random, shape == Shape::damaged);
  switch (shape) {
    case Shape::leaf_spine:
      make_leaf_spine(maker, random, most_hosts, 1);
      break;
    case Shape::trunked:
      make_leaf_spine(maker, random, most_hosts, 2);
      break;
    case Shape::dual_homed:
      make_dual_homed(maker, random, most_hosts);
      break;
    case Shape::fat_tree:
      make_three_tiers(maker, random, most_hosts, false);
      break;
    case Shape::full_mesh:
      make_three_tiers(maker, random, most_hosts, true);
      break;
    case Shape::damaged:
      if (random.one_in(2)) {
        make_leaf_spine(maker, random, most_hosts, random.between(1, 2));
      } else {
        make_three_tiers(maker, random, most_hosts, random.one_in(2));
      }
      break;
    case Shape::irregular:
      make_irregular(maker, random, most_hosts);
      break;
  }
  return maker.finish();
}

Collective make_collective(Random& random, std::uint32_t num_endpoints, std::uint32_t max_ranks) {
  constexpr CollectiveKind kinds[] = {
      CollectiveKind::ring_allreduce, CollectiveKind::all_gather, CollectiveKind::all_to_all,
      CollectiveKind::tree_allreduce, CollectiveKind::p2p,        CollectiveKind::pipeline};
  Collective collective;
  collective.kind = kinds[random.below(std::size(kinds))];
  collective.qps = random.one_in(4) ? 2 : 1;
  collective.bytes = 1000 * random.between(1, 2);
  std::vector<EndpointId> endpoints(num_endpoints);
  std::iota(endpoints.begin(), endpoints.end(), 0U);
  const std::uint32_t ranks =
      collective.kind == CollectiveKind::p2p ? 2 : random.between(2, std::max(2U, std::min(max_ranks, num_endpoints)));
  for (std::uint32_t i = 0; i < ranks; ++i) {
    std::swap(endpoints[i], endpoints[i + random.below(num_endpoints - i)]);
    collective.ranks.push_back(endpoints[i]);
  }
  return collective;
}

std::shared_ptr<const Workload> make_workload(Random& random, const Fabric& fabric, const InstanceOptions& options) {
  Workload workload;
  const std::uint32_t num_phases = random.between(1, options.max_phases);
  for (std::uint32_t phase = 0; num_phases > 1 && phase < num_phases; ++phase)
    workload.phases.push_back({fmt::format("phase{}", phase), 1000 * std::uint64_t{random.between(1, 3)}});
  for (std::uint32_t j = random.between(1, options.max_jobs); j > 0; --j) {
    Job job;
    job.id = fmt::format("job{}", j);
    job.phase_mask = random.between(1, (1U << num_phases) - 1);
    for (std::uint32_t c = random.one_in(4) ? 2 : 1; c > 0; --c)
      job.collectives.push_back(make_collective(random, fabric.num_endpoints(), options.max_ranks));
    workload.jobs.push_back(std::move(job));
  }
  return std::make_shared<const Workload>(std::move(workload));
}

}  // namespace

std::span<const Shape> all_shapes() {
  static constexpr Shape shapes[] = {Shape::leaf_spine, Shape::trunked, Shape::dual_homed, Shape::fat_tree,
                                     Shape::full_mesh,  Shape::damaged, Shape::irregular};
  return shapes;
}

std::string_view name_of(Shape shape) {
  constexpr std::string_view names[] = {"leaf-spine", "trunked", "dual-homed", "fat tree",
                                        "full mesh",  "damaged", "irregular"};
  return names[static_cast<std::size_t>(shape)];
}

std::uint64_t test_seed(std::uint64_t seed) {
  const char* shift = std::getenv("SPINEWEAVE_TEST_SEED");
  return shift == nullptr ? seed : seed + std::strtoull(shift, nullptr, 10) * 1'000'003;
}

Instance random_instance(Shape shape, std::uint64_t seed, const InstanceOptions& options) {
  seed = test_seed(seed);
  // A draw may cut a flow off; then the next one counts.
  for (std::uint64_t draw = 0; draw < 1000; ++draw) {
    Random random(util::random_at(seed, static_cast<std::uint64_t>(shape), draw));
    ProblemOptions problem_options;
    problem_options.seed = seed;
    problem_options.weights = random.one_in(2) ? WeightMode::hash : WeightMode::demand;
    problem_options.hash_lowest = 1, problem_options.hash_highest = 2;
    try {
      auto fabric = make_fabric(shape, random, options.most_hosts);
      if (fabric->num_endpoints() < 2) continue;
      auto workload = make_workload(random, *fabric, options);
      return {std::make_shared<const Problem>(std::move(fabric), std::move(workload), problem_options),
              fmt::format("{} with seed {}", name_of(shape), seed)};
    } catch (const Error& error) {
      if (error.code() != ErrorCode::bad_input) throw;
    }
  }
  throw std::logic_error(fmt::format("no {} with seed {} holds together", name_of(shape), seed));
}

Routing random_routing(const Problem& problem, Random& random) {
  Routing routing(problem.num_flows());
  for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
    do routing[flow] = random.below(problem.num_paths(flow));
    while (!problem.is_alive(flow, routing[flow]));
  }
  return routing;
}

}  // namespace spineweave::test
