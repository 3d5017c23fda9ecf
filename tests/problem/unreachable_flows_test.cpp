#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spineweave/error.hpp"
#include "support/error_text.hpp"
#include "support/random_instances.hpp"

namespace spineweave::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(UnreachableFlows, AreThoseThatAProblemNames) {
  const Fabric whole = build_fabric("leaf-spine:leaves=2,spines=1,hosts=2,gbps=100");
  const auto fabric = std::make_shared<const Fabric>(with_faults(whole, "leaf-0->spine-0"));
  auto jobs = std::make_shared<Workload>();
  Job& job = jobs->jobs.emplace_back();
  job.id = "a";
  // From leaf 0 to leaf 1, back, and within leaf 0.
  for (const auto& [from, to] : {std::pair{0U, 2U}, {3U, 1U}, {0U, 1U}})
    job.collectives.push_back({CollectiveKind::p2p, 1, 1, {from, to}});
  EXPECT_THAT(unreachable_flows(*fabric, expand_flows(*fabric, *jobs)), ElementsAre(0U));
  EXPECT_THAT(error_text(ErrorCode::bad_input, [&] { Problem(fabric, jobs); }),
              HasSubstr("1 of 3 flows have no up-then-down path: host-0-0 to host-1-0"));
}

TEST(UnreachableFlows, AreNoneWhereThereIsAProblem) {
  for (const Shape shape : all_shapes()) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Instance instance = random_instance(shape, seed);
      SCOPED_TRACE(instance.name);
      const Problem& problem = *instance.problem;
      EXPECT_THAT(unreachable_flows(problem.fabric(), problem.flows(), problem.options()), IsEmpty());
    }
  }
}

}  // namespace
}  // namespace spineweave::test
