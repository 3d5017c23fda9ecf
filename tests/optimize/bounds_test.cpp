#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/reference_evaluator.hpp"
#include "spineweave/error.hpp"
#include "spineweave/optimize.hpp"
#include "support/all_routings.hpp"
#include "support/random_instances.hpp"

namespace spineweave {
namespace {

constexpr std::uint64_t kOne = std::uint64_t{1} << kNormalBits;
constexpr std::uint64_t kBps = 100'000'000'000;

std::unique_ptr<Problem> make_problem(const Fabric& fabric, std::vector<Job> jobs) {
  Workload workload;
  workload.jobs = std::move(jobs);
  return std::make_unique<Problem>(std::make_shared<const Fabric>(fabric),
                                   std::make_shared<const Workload>(std::move(workload)));
}

// Leaves with hosts named "hL.I" and a cable to each spine.
// A spine for each speed of uplinks.
Fabric leaf_spine(std::uint32_t num_leaves, std::uint32_t hosts_per_leaf, std::span<const std::uint64_t> uplink_bps) {
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> leaves;
  for (std::uint32_t leaf = 0; leaf < num_leaves; ++leaf) {
    leaves.push_back(builder.add_switch("leaf" + std::to_string(leaf)));
    for (std::uint32_t host = 0; host < hosts_per_leaf; ++host)
      builder.add_cable(builder.add_endpoint("h" + std::to_string(leaf) + "." + std::to_string(host)), leaves.back(),
                        kBps);
  }
  for (std::size_t spine = 0; spine < uplink_bps.size(); ++spine) {
    const auto handle = builder.add_switch("spine" + std::to_string(spine));
    for (const auto leaf : leaves) builder.add_cable(leaf, handle, uplink_bps[spine]);
  }
  return builder.finish();
}

Fabric leaf_spine(std::uint32_t num_leaves, std::uint32_t hosts_per_leaf, std::uint32_t num_spines,
                  std::uint64_t uplink_bps = kBps) {
  return leaf_spine(num_leaves, hosts_per_leaf, std::vector(num_spines, uplink_bps));
}

// One job per host of leaf 0, to the host of the same number on leaf 1.
std::vector<Job> transfers(const Fabric& fabric, std::uint32_t count) {
  std::vector<Job> jobs;
  for (std::uint32_t i = 0; i < count; ++i) {
    Job job;
    job.id = std::to_string(i);
    const std::string host = std::to_string(i);
    job.collectives.push_back({CollectiveKind::p2p, 1, 1000, {*fabric.find("h0." + host), *fabric.find("h1." + host)}});
    jobs.push_back(std::move(job));
  }
  return jobs;
}

TEST(Bounds, AreOneWhereEveryFlowCanHaveALinkOfItsOwn) {
  const Fabric fabric = leaf_spine(2, 4, 4);
  const Bounds bounds = compute_bounds(*make_problem(fabric, transfers(fabric, 4)));
  EXPECT_EQ(bounds.vector, std::vector<std::uint64_t>(4, kOne));
  EXPECT_EQ(bounds.per_job, std::vector<std::uint64_t>(4, kOne));
}

TEST(Bounds, KnowThatTwoJobsMustShareTheLinkThatOneFlowTooManyNeeds) {
  const Fabric fabric = leaf_spine(2, 4, 3);
  const Bounds bounds = compute_bounds(*make_problem(fabric, transfers(fabric, 4)));
  EXPECT_EQ(bounds.vector, (std::vector<std::uint64_t>{2 * kOne, 2 * kOne, kOne, kOne}));
  EXPECT_EQ(bounds.per_job, std::vector<std::uint64_t>(4, kOne)) << "no job must be one of the two";
}

TEST(Bounds, ShareACutEvenlyAmongAllThatCrossIt) {
  const Fabric three_uplinks = leaf_spine(2, 5, 3);
  std::vector<Job> jobs = transfers(three_uplinks, 4);
  jobs.push_back(jobs.front());
  jobs.back().id = "local";
  jobs.back().collectives.front().ranks = {*three_uplinks.find("h0.4"), *three_uplinks.find("h0.0")};
  EXPECT_EQ(compute_bounds(*make_problem(three_uplinks, std::move(jobs))).even_share,
            (std::vector<std::uint64_t>{2 * kOne, 2 * kOne, 2 * kOne, 2 * kOne, kOne}))
      << "any of the four may be one of the two; the fifth never leaves its leaf";
  const Fabric four_uplinks = leaf_spine(2, 4, 4);
  EXPECT_EQ(compute_bounds(*make_problem(four_uplinks, transfers(four_uplinks, 4))).even_share,
            std::vector<std::uint64_t>(4, kOne));
}

TEST(Bounds, KnowThatAllJobsSufferWhereEveryUplinkIsNeededTwice) {
  const Fabric fabric = leaf_spine(2, 4, 2);
  EXPECT_EQ(compute_bounds(*make_problem(fabric, transfers(fabric, 4))).vector,
            std::vector<std::uint64_t>(4, 2 * kOne));
}

TEST(Bounds, ChargeALoneUplinkToEveryJobThatCrossesIt) {
  const Fabric fabric = leaf_spine(2, 3, 1);
  EXPECT_EQ(compute_bounds(*make_problem(fabric, transfers(fabric, 3))).per_job,
            std::vector<std::uint64_t>(3, 3 * kOne));
}

TEST(Bounds, ChargeAJobWithItsOwnFlowsOverASlowCut) {
  const Fabric fabric = leaf_spine(2, 2, 1, kBps / 2);
  EXPECT_EQ(compute_bounds(*make_problem(fabric, transfers(fabric, 1))).per_job,
            std::vector<std::uint64_t>(1, 2 * kOne));
}

TEST(Bounds, KnowThatASlowUplinkHoldsNoFlowAtFullSpeed) {
  // On average there is room for 3.5 flows; the fourth shares a fast uplink or has the slow one.
  const Fabric fabric = leaf_spine(2, 4, std::vector<std::uint64_t>{kBps, kBps, kBps, kBps / 2});
  EXPECT_EQ(compute_bounds(*make_problem(fabric, transfers(fabric, 4))).vector.front(), 2 * kOne);
}

TEST(Bounds, ChargeAnEndpointThatSeveralJobsShare) {
  const Fabric fabric = leaf_spine(2, 2, 2);
  std::vector<Job> jobs = transfers(fabric, 2);
  jobs[1].collectives[0].ranks[0] = jobs[0].collectives[0].ranks[0];
  EXPECT_EQ(compute_bounds(*make_problem(fabric, std::move(jobs))).per_job, std::vector<std::uint64_t>(2, 2 * kOne));
}

TEST(Bounds, CountOnlySpinesThatBothLeavesReach) {
  // Each leaf has two of three uplinks alive, but only one spine in common.
  const Fabric fabric = with_faults(leaf_spine(3, 2, 3), "leaf0-spine0,leaf1-spine1");
  const Bounds bounds = compute_bounds(*make_problem(fabric, transfers(fabric, 2)));
  EXPECT_EQ(bounds.per_job, std::vector<std::uint64_t>(2, 2 * kOne));
}

// A bound may be beaten in no job, and the vector by no routing: above its first element nothing more
// is promised.
void expect_not_beaten(const Problem& problem, const Bounds& bounds, const Routing& routing) {
  const std::vector<std::uint64_t> bottlenecks = test::reference_bottlenecks(problem, routing);
  for (JobId job = 0; job < problem.num_jobs(); ++job)
    ASSERT_GE(problem.normalise(job, bottlenecks[job]), bounds.per_job[job]);
  const Score score = test::reference_score(problem, routing);
  ASSERT_GE(score.normalised.front(), bounds.vector.front());
  ASSERT_GE(score.normalised, bounds.vector);
  if (score.normalised.front() > bounds.vector.front()) return;
  for (std::size_t i = 0; i < score.normalised.size(); ++i) ASSERT_GE(score.normalised[i], bounds.vector[i]);
}

TEST(Bounds, AreNeverAboveARandomRouting) {
  for (const test::Shape shape : test::all_shapes()) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const test::Instance instance = test::random_instance(shape, seed);
      SCOPED_TRACE(instance.name);
      const Bounds bounds = compute_bounds(*instance.problem);
      EXPECT_TRUE(std::ranges::is_sorted(bounds.vector, std::greater<>()));
      EXPECT_GE(bounds.vector.front(), std::ranges::max(bounds.per_job));
      EXPECT_TRUE(std::ranges::equal(bounds.even_share, bounds.per_job, std::greater_equal<>()));
      test::Random random(seed);
      for (int i = 0; i < 10; ++i)
        expect_not_beaten(*instance.problem, bounds, test::random_routing(*instance.problem, random));
    }
  }
}

TEST(Bounds, AreNeverAboveAnyRoutingOfASmallInstance) {
  int treated = 0;
  for (const test::Shape shape : test::all_shapes()) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const test::Instance instance =
          test::random_instance(shape, seed, {.max_jobs = 4, .max_ranks = 3, .max_phases = 2, .most_hosts = 2});
      SCOPED_TRACE(instance.name);
      const Bounds bounds = compute_bounds(*instance.problem);
      if (test::visit_all_routings(*instance.problem, 256, [&](const Routing& routing) {
            expect_not_beaten(*instance.problem, bounds, routing);
          }))
        ++treated;
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(treated, 0);
}

}  // namespace
}  // namespace spineweave
