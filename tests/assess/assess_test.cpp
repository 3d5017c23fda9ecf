#include "spineweave/assess.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "reference/reference_evaluator.hpp"
#include "support/random_instances.hpp"

namespace spineweave {
namespace {

constexpr std::uint64_t kBps = 100'000'000'000;

// Two leaves with two hosts each: h0 and h1 on the first, h2 and h3 on the second.
std::shared_ptr<const Fabric> two_leaves(std::uint32_t num_spines) {
  FabricBuilder builder;
  const auto a = builder.add_switch("leafA"), b = builder.add_switch("leafB");
  for (const auto& [name, leaf] : {std::pair{"h0", a}, {"h1", a}, {"h2", b}, {"h3", b}})
    builder.add_cable(builder.add_endpoint(name), leaf, kBps);
  for (std::uint32_t i = 0; i < num_spines; ++i) {
    const auto spine = builder.add_switch("spine" + std::to_string(i));
    builder.add_cable(a, spine, kBps);
    builder.add_cable(b, spine, kBps);
  }
  return std::make_shared<const Fabric>(builder.finish());
}

Job transfer(std::string id, EndpointId from, EndpointId to, std::uint64_t phases = kAllPhases) {
  Job job;
  job.id = std::move(id);
  job.phase_mask = phases;
  job.collectives.push_back({CollectiveKind::p2p, 1, 1000, {from, to}});
  return job;
}

std::unique_ptr<Problem> make_problem(std::uint32_t num_spines, std::vector<Job> jobs, std::vector<Phase> phases = {}) {
  Workload workload;
  workload.jobs = std::move(jobs);
  workload.phases = std::move(phases);
  return std::make_unique<Problem>(two_leaves(num_spines), std::make_shared<const Workload>(std::move(workload)));
}

TEST(Assess, FindsJobsThatShareNothingUnharmedToTheLastBit) {
  const auto problem = make_problem(2, {transfer("a", 0, 2), transfer("b", 1, 3)});
  const Assessment assessment = assess(*problem, {0, 1});
  for (const JobAssessment& job : assessment.jobs) {
    EXPECT_EQ(job.slowdown, 1.0);
    EXPECT_EQ(job.rate_bps, 100e9);
  }
  EXPECT_EQ(assessment.network_efficiency, 1.0);
  EXPECT_EQ(assessment.worst_job_efficiency, 1.0);
  EXPECT_EQ(assessment.jain, 1.0);
  EXPECT_EQ(assessment.fluid_bound, 1.0);
}

TEST(Assess, SeveralRoutingsSideBySideAreAsEachAlone) {
  for (const test::Shape shape : test::all_shapes()) {
    const test::Instance instance = test::random_instance(shape, test::test_seed(31));
    SCOPED_TRACE(instance.name);
    test::Random random(test::test_seed(32));
    const Routing first = test::random_routing(*instance.problem, random);
    const Routing second = test::random_routing(*instance.problem, random);
    const Routing* const both[] = {&first, &second};
    const std::vector<Assessment> together = assess(*instance.problem, both);
    ASSERT_EQ(together.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      const Assessment alone = assess(*instance.problem, *both[i]);
      EXPECT_EQ(together[i].flow_rate_bps, alone.flow_rate_bps);
      EXPECT_EQ(together[i].link_bps, alone.link_bps);
      EXPECT_EQ(together[i].fairness, alone.fairness);
      EXPECT_EQ(together[i].fluid_bound, alone.fluid_bound);
    }
  }
}

TEST(Assess, FindsHalfTheSpeedWhereTwoJobsMeetOnOneUplink) {
  const auto problem = make_problem(2, {transfer("a", 0, 2), transfer("b", 1, 3)});
  const Assessment assessment = assess(*problem, {0, 0});
  EXPECT_EQ(assessment.jobs[0].slowdown, 2.0);
  EXPECT_EQ(assessment.flow_rate_bps, (std::vector<double>{50e9, 50e9}));
  EXPECT_EQ(assessment.network_efficiency, 0.5);
  EXPECT_EQ(assessment.fluid_bound, 1.0) << "the other spine is free";
}

TEST(Assess, BoundsTheFluidByWhatTheLeafsUplinksCarry) {
  const auto problem = make_problem(1, {transfer("a", 0, 2), transfer("b", 1, 3)});
  EXPECT_EQ(assess(*problem, {0, 0}).fluid_bound, 0.5);
}

TEST(Assess, CountsTheMostThroughputOfEachLink) {
  const auto problem = make_problem(1, {transfer("a", 0, 2), transfer("b", 1, 3)});
  const Assessment assessment = assess(*problem, {0, 0});
  const std::vector<LinkId> links = test::reference_links(*problem, {0, 0}, 0);
  EXPECT_EQ(assessment.link_bps[links[0]], 50e9);
  EXPECT_EQ(assessment.link_bps[links[1]], 100e9);
}

TEST(Assess, FindsNoHarmBetweenJobsOfDifferentPhases) {
  const auto problem = make_problem(1, {transfer("a", 0, 2, 1), transfer("b", 1, 3, 2)}, {{"even", 10}, {"odd", 10}});
  EXPECT_EQ(assess(*problem, {0, 0}).network_efficiency, 1.0);
}

TEST(Assess, TakesTheWorstPhaseOfAJob) {
  const auto problem = make_problem(1, {transfer("a", 0, 2, 3), transfer("b", 1, 3, 2)}, {{"even", 10}, {"odd", 10}});
  const Assessment assessment = assess(*problem, {0, 0});
  EXPECT_EQ(assessment.jobs[0].slowdown, 2.0);
  EXPECT_EQ(assessment.jobs[0].rate_bps, 50e9);
}

TEST(Assess, WeighsJobsByTheirEndpoints) {
  Job ring;
  ring.id = "ring";
  ring.collectives.push_back({CollectiveKind::ring_allreduce, 1, 1000, {0, 1, 2}});
  // The ring's one flow from leafA to leafB meets the transfer; the ring waits for it, so both halve.
  const auto problem = make_problem(1, {std::move(ring), transfer("b", 3, 1)});
  const Assessment assessment = assess(*problem, {0, 0, 0, 0});
  // 2 -> 0 and 3 -> 1 share the way down to leafA; 0 -> 1 and 3 -> 1 share h1's port.
  EXPECT_EQ(assessment.jobs[0].slowdown, 2.0);
  EXPECT_EQ(assessment.jobs[1].slowdown, 2.0);
  EXPECT_EQ(assessment.fairness, (std::vector<double>{0.5, 0.5}));
}

TEST(Assess, MeasuresAJobByItsSlowestCollective) {
  // The large collective decides the job's time, so the harm to the small one does not count.
  Job job = transfer("a", 0, 2);
  job.collectives.push_back({CollectiveKind::p2p, 1, 100'000, {1, 0}});
  const auto problem = make_problem(1, {std::move(job), transfer("b", 3, 2)});
  EXPECT_EQ(assess(*problem, {0, 0, 0}).jobs[0].slowdown, 1.0);
}

TEST(Assess, AddsUpTheTurnsOfAJob) {
  // The way forward meets the other job and takes twice as long, the way back does not.
  Job job = transfer("a", 0, 2);
  job.collectives.push_back({CollectiveKind::p2p, 1, 1000, {2, 0}, 1, 1});
  const auto problem = make_problem(1, {std::move(job), transfer("b", 1, 3)});
  EXPECT_DOUBLE_EQ(assess(*problem, {0, 0, 0}).jobs[0].slowdown, 1.5);
}

TEST(Assess, WaitsInEachStepOfAPipelineForTheEdgesThatSend) {
  // Three micro-batches cross 0 -> 1 in steps 0 to 2 and 1 -> 3, which meets the other job, in steps 1 to 3.
  const auto fabric = std::make_shared<const Fabric>(build_fabric("leaf-spine:leaves=2,spines=1,hosts=3,gbps=100"));
  Workload workload;
  workload.jobs = {transfer("a", 0, 1), transfer("b", 2, 4)};
  workload.jobs[0].collectives[0] = {CollectiveKind::pipeline, 1, 1000, {0, 1, 3}, 3};
  const Problem problem(fabric, std::make_shared<const Workload>(std::move(workload)));
  EXPECT_EQ(assess(problem, {0, 0, 0}).jobs[0].slowdown, 7.0 / 4.0);
}

TEST(Assess, NeverFindsAJobOfEqualTransfersFasterThanAlone) {
  for (const test::Shape shape : test::all_shapes()) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const test::Instance instance = test::random_instance(shape, seed);
      SCOPED_TRACE(instance.name);
      test::Random random(seed);
      const Assessment assessment = assess(*instance.problem, test::random_routing(*instance.problem, random));
      for (JobId job = 0; job < instance.problem->num_jobs(); ++job)
        if (instance.problem->workload().jobs[job].collectives.size() == 1) {
          EXPECT_GE(assessment.jobs[job].slowdown, 1.0);
        }
      for (LinkId link = 0; link < instance.problem->fabric().num_links(); ++link) {
        const auto capacity = static_cast<double>(instance.problem->fabric().link(link).capacity_bps);
        EXPECT_LE(assessment.link_bps[link], capacity * (1 + 1e-9));
      }
    }
  }
}

}  // namespace
}  // namespace spineweave
