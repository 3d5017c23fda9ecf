// "ecmp:seeds=1-1000"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spineweave/rank.hpp"
#include "support/error_text.hpp"
#include "support/random_instances.hpp"

namespace spineweave::test {
namespace {

using testing::ElementsAre;

std::string spec_error(const std::string& spec) {
  return error_text(ErrorCode::usage, [&] { (void)parse_ecmp_seeds(spec); });
}

TEST(EcmpRoutings, ReadsRangesAndSingleSeeds) {
  const EcmpSeeds range = parse_ecmp_seeds("ecmp:seeds=3-1002");
  EXPECT_EQ(range.first, 3U);
  EXPECT_EQ(range.count, 1000U);
  EXPECT_EQ(range.hash, EcmpHash::crc32);
  const EcmpSeeds one = parse_ecmp_seeds("ecmp:seeds=7,hash=crc32");
  EXPECT_EQ(one.first, 7U);
  EXPECT_EQ(one.count, 1U);
  EXPECT_EQ(parse_ecmp_seeds("ecmp:hash=artifact").hash, EcmpHash::artifact);
  EXPECT_EQ(parse_ecmp_seeds("ecmp:seeds=18446744073709551615-18446744073709551615").count, 1U);
}

TEST(EcmpRoutings, RefusesWhatCannotBeUnderstood) {
  const std::string expected = "; expected a range such as 1-1000, or one number";
  EXPECT_EQ(spec_error("ecpm:seeds=1-2"), "unknown kind of routings 'ecpm'; expected ecmp; did you mean ecmp?");
  EXPECT_EQ(spec_error("ecmp:seed=1-2"), "ecmp: unknown key 'seed'; did you mean seeds?");
  EXPECT_EQ(spec_error("ecmp:seeds=2-1"), "ecmp: seeds is '2-1'" + expected);
  EXPECT_EQ(spec_error("ecmp:seeds=1-"), "ecmp: seeds is '1-'" + expected);
  EXPECT_EQ(spec_error("ecmp:seeds=-5"), "ecmp: seeds is '-5'" + expected);
  EXPECT_EQ(spec_error("ecmp:seeds=1-2-3"), "ecmp: seeds is '1-2-3'" + expected);
  EXPECT_EQ(spec_error("ecmp:seeds=0-1000000"), "ecmp: seeds is '0-1000000'; expected at most 1000000 seeds");
  EXPECT_EQ(spec_error("ecmp:seeds=0-18446744073709551615"),
            "ecmp: seeds is '0-18446744073709551615'; expected at most 1000000 seeds");
  EXPECT_EQ(spec_error("ecmp:seeds=1-2,hash=crc23"),
            "ecmp: hash is 'crc23'; expected crc32 or artifact; did you mean crc32?");
  EXPECT_EQ(spec_error("ecmp:seeds=1-2,hash=artifact"),
            "ecmp: hash=artifact has no seed, so all seeds would give the same routing");
  EXPECT_EQ(spec_error("ecmp:"), "ecmp: seeds=FIRST-LAST is missing");
}

TEST(EcmpRoutings, AreWhatTheSolverDoesUnderEachSeed) {
  for (const Shape shape : {Shape::leaf_spine, Shape::damaged, Shape::irregular}) {
    const Instance instance = random_instance(shape, test_seed(41));
    SCOPED_TRACE(instance.name);
    const auto evaluator = make_evaluator(instance.problem);
    const RoutingSource source = ecmp_routings(*instance.problem, parse_ecmp_seeds("ecmp:seeds=5-7"));
    EXPECT_THAT(source.names, ElementsAre("seed 5", "seed 6", "seed 7"));
    for (std::size_t k = 0; k < 3; ++k) {
      Routing routing(instance.problem->num_flows(), kNone);
      source.write(k, routing);
      SolveOptions options;
      options.solver = Solver::ecmp;
      options.seed = 5 + k;
      EXPECT_EQ(routing, solve(*evaluator, options).routing);
    }
  }
}

TEST(EcmpRoutings, TheArtifactsHashIsOneRouting) {
  const Instance instance = random_instance(Shape::leaf_spine, test_seed(42));
  const auto evaluator = make_evaluator(instance.problem);
  const RoutingSource source = ecmp_routings(*instance.problem, parse_ecmp_seeds("ecmp:hash=artifact"));
  EXPECT_THAT(source.names, ElementsAre("artifact"));
  Routing routing(instance.problem->num_flows(), kNone);
  source.write(0, routing);
  SolveOptions options;
  options.solver = Solver::ecmp;
  options.ecmp_hash = EcmpHash::artifact;
  EXPECT_EQ(routing, solve(*evaluator, options).routing);
}

}  // namespace
}  // namespace spineweave::test
