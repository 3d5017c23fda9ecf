#include "differential/differential.hpp"

#include <fmt/format.h>

namespace spineweave::test {
namespace {

Capabilities cuda() {
  for (const Capabilities& backend : list_backends())
    if (backend.name == "cuda") return backend;
  return {};
}

}  // namespace

std::string cuda_obstacle() {
  const Capabilities backend = cuda();
  return backend.usable ? "" : "backend cuda cannot run here: " + backend.why_not;
}

void Differential::SetUp() {
  if (const std::string obstacle = cuda_obstacle(); !obstacle.empty()) GTEST_SKIP() << obstacle;
  const Capabilities backend = cuda();
  ASSERT_NE(backend.device.find(layer_device()), std::string::npos) << backend.device;
}

void Differential::TearDown() { (void)use_schedule(0); }

std::shared_ptr<const Problem> problem_with_flows(std::uint32_t num_flows, bool three_tiers) {
  const auto fabric = std::make_shared<const Fabric>(
      build_fabric(three_tiers ? "fat-tree:k=8,gbps=400" : "leaf-spine:leaves=8,spines=5,hosts=16,gbps=100"));
  Random random(num_flows);
  Workload workload;
  for (std::uint32_t flow = 0; flow < num_flows; ++flow) {
    if (flow == 0 || random.one_in(2)) workload.jobs.emplace_back().id = fmt::format("job{}", flow);
    Collective p2p;
    p2p.kind = CollectiveKind::p2p;
    p2p.bytes = 1000;
    const EndpointId src = random.below(fabric->num_endpoints());
    p2p.ranks = {src, (src + 1 + random.below(fabric->num_endpoints() - 1)) % fabric->num_endpoints()};
    workload.jobs.back().collectives.push_back(p2p);
  }
  ProblemOptions options;
  options.weights = WeightMode::hash;
  options.hash_lowest = 1, options.hash_highest = 2;
  return std::make_shared<const Problem>(fabric, std::make_shared<const Workload>(std::move(workload)), options);
}

Routing routing_of(const SearchState& state, const Problem& problem) {
  Routing routing(problem.num_flows());
  state.read_routing(routing);
  return routing;
}

void expect_equal(const Score& actual, const Score& expected) {
  ASSERT_EQ(actual.normalised, expected.normalised);
  ASSERT_EQ(actual.at_bottleneck, expected.at_bottleneck);
  ASSERT_EQ(actual.pressure, expected.pressure);
  ASSERT_EQ(actual.max_congestion, expected.max_congestion);
}

void expect_equal_states(SearchState& actual, SearchState& expected, const Problem& problem) {
  ASSERT_EQ(congestion_of(actual, problem), congestion_of(expected, problem));
  ASSERT_EQ(routing_of(actual, problem), routing_of(expected, problem));
  std::vector<std::uint64_t> actual_bottlenecks(problem.num_jobs()), expected_bottlenecks(problem.num_jobs());
  expect_equal(actual.score(actual_bottlenecks), expected.score(expected_bottlenecks));
  ASSERT_EQ(actual_bottlenecks, expected_bottlenecks);
}

void expect_equal_best_moves(SearchState& actual, SearchState& expected, std::span<const FlowId> flows) {
  actual.begin_best_moves(flows);
  expected.begin_best_moves(flows);
  const auto found = actual.finish_best_moves();
  const auto wanted = expected.finish_best_moves();
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].flow, wanted[i].flow) << "move " << i;
    ASSERT_EQ(found[i].to, wanted[i].to) << "flow " << wanted[i].flow;
    ASSERT_EQ(found[i].congestion, wanted[i].congestion) << "flow " << wanted[i].flow;
    ASSERT_EQ(found[i].pressure_change, wanted[i].pressure_change) << "flow " << wanted[i].flow;
  }
}

namespace {

void expect_equal_results(const RoundResult& found, const RoundResult& wanted) {
  ASSERT_EQ(found.kept.size(), wanted.kept.size());
  for (std::size_t i = 0; i < found.kept.size(); ++i) {
    ASSERT_EQ(found.kept[i].flow, wanted.kept[i].flow) << "move " << i;
    ASSERT_EQ(found.kept[i].from, wanted.kept[i].from) << "move " << i;
    ASSERT_EQ(found.kept[i].to, wanted.kept[i].to) << "move " << i;
  }
  ASSERT_EQ(found.taken_back, wanted.taken_back);
  expect_equal(found.score, wanted.score);
}

}  // namespace

RoundResult expect_equal_rounds(SearchState& actual, SearchState& expected, const RoundSpec& spec) {
  actual.begin_round(spec);
  expected.begin_round(spec);
  const RoundResult found = actual.finish_round();
  RoundResult wanted = expected.finish_round();
  expect_equal_results(found, wanted);
  return wanted;
}

void expect_equal_solutions(const std::shared_ptr<const Problem>& problem, const SolveOptions& options) {
  const auto cpu = make_evaluator(problem, "cpu");
  const auto cuda = make_evaluator(problem, "cuda");
  ASSERT_EQ(cuda->capabilities().name, "cuda");
  const std::uint64_t before = launches_so_far();
  const Solution actual = solve(*cuda, options);
  const Solution expected = solve(*cpu, options);
  ASSERT_EQ(actual.digest, expected.digest);
  ASSERT_EQ(actual.routing, expected.routing);
  if (launches_so_far() > 0) {
    ASSERT_GT(launches_so_far(), before) << "no kernel ran";
  }
}

}  // namespace spineweave::test
