#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spineweave/workload.hpp"
#include "workload/spec_refusal.hpp"

namespace spineweave {
namespace {

using test::refusal;
using testing::HasSubstr;

// Endpoints on one leaf, and one that jobs must not use.
Fabric star(std::uint32_t endpoints) {
  FabricBuilder builder;
  const auto leaf = builder.add_switch("leaf");
  for (std::uint32_t e = 0; e < endpoints; ++e)
    builder.add_cable(builder.add_endpoint("h" + std::to_string(e)), leaf, 1);
  builder.add_cable(builder.add_endpoint("zz", "", kNone, NodeRole::unnamed), leaf, 1);
  return builder.finish();
}

std::vector<EndpointId> targets(const Fabric& fabric, std::string_view spec) {
  std::vector<EndpointId> result;
  for (const FlowSpec& flow : expand_flows(fabric, build_workload(fabric, spec))) {
    EXPECT_EQ(flow.src, result.size());
    result.push_back(flow.dst);
  }
  return result;
}

TEST(Permutation, SendsFromAndToEveryEndpointOnceAndNeverToItself) {
  for (const std::uint32_t size : {2U, 3U, 4U, 5U, 8U, 31U, 64U}) {
    const Fabric fabric = star(size);
    for (int seed = 0; seed < 50; ++seed) {
      std::vector<EndpointId> reached = targets(fabric, "permutation:seed=" + std::to_string(seed));
      ASSERT_EQ(reached.size(), size);
      for (EndpointId e = 0; e < size; ++e) ASSERT_NE(reached[e], e) << size << " endpoints, seed " << seed;
      std::sort(reached.begin(), reached.end());
      for (EndpointId e = 0; e < size; ++e) ASSERT_EQ(reached[e], e) << size << " endpoints, seed " << seed;
    }
  }
}

TEST(Permutation, FollowsFromTheSeedAlone) {
  const Fabric fabric = star(40);
  EXPECT_EQ(targets(fabric, "permutation:seed=3"), targets(fabric, "permutation:seed=3,bytes=2GB"));
  EXPECT_EQ(targets(fabric, "permutation:"), targets(fabric, "permutation:seed=1"));
  EXPECT_NE(targets(fabric, "permutation:seed=3"), targets(fabric, "permutation:seed=4"));
}

TEST(Permutation, IsOneJobOfOneGigabyteFlowsUnlessToldOtherwise) {
  const Fabric fabric = star(3);
  const Workload plain = build_workload(fabric, "permutation:seed=1");
  ASSERT_EQ(plain.jobs.size(), 1U);
  EXPECT_EQ(plain.jobs[0].id, "permutation");
  ASSERT_EQ(plain.jobs[0].collectives.size(), 3U);
  EXPECT_EQ(plain.jobs[0].collectives[0].bytes, 1'000'000'000U);
  EXPECT_EQ(plain.jobs[0].collectives[0].qps, 1U);
  const Workload told = build_workload(fabric, "permutation:seed=1,bytes=512MiB,qps=4");
  EXPECT_EQ(told.jobs[0].collectives[2].bytes, 536'870'912U);
  EXPECT_EQ(expand_flows(fabric, told).size(), 12U);
}

TEST(Permutation, NeedsTwoEndpoints) {
  EXPECT_THAT(refusal(star(1), "permutation:seed=1"), HasSubstr("1 endpoint(s)"));
}

TEST(WorkloadSpec, KindsKeysAndValuesAreChecked) {
  const Fabric fabric = star(4);
  EXPECT_THAT(refusal(fabric, "halo:seed=1"), HasSubstr("permutation, rings, all-reduce, all-to-all, paper"));
  EXPECT_THAT(refusal(fabric, "ring:size=2"), HasSubstr("did you mean rings?"));
  EXPECT_THAT(refusal(fabric, "permutation:sed=1"), HasSubstr("did you mean seed"));
  EXPECT_THAT(refusal(fabric, "permutation:seed=-1"), HasSubstr("seed is '-1'"));
  for (const char* bytes : {"1", "0GB", "-1GB", "GB", "1 GB", "nanB"})
    EXPECT_THAT(refusal(fabric, std::string("permutation:bytes=") + bytes), HasSubstr("bytes is")) << bytes;
  EXPECT_THAT(refusal(fabric, "permutation:qps=0"), HasSubstr("from 1 to 1024"));
  EXPECT_THAT(refusal(fabric, "permutation:qps=1025"), HasSubstr("from 1 to 1024"));
}

TEST(WorkloadSpec, IsToldFromFileNames) {
  EXPECT_TRUE(is_workload_spec("rings:jobs=2"));
  EXPECT_TRUE(is_workload_spec("permutation:"));
  for (const char* file : {"paper", "jobs.json", "dir/rings:size=2", "rings:2"})
    EXPECT_FALSE(is_workload_spec(file)) << file;
}

}  // namespace
}  // namespace spineweave
