// Many routings over one table of routes: names and back.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "spineweave/routing.hpp"
#include "support/error_text.hpp"
#include "support/random_instances.hpp"

namespace spineweave::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

struct NamedSet {
  std::vector<std::string> names;
  std::vector<PathIndex> paths;  // [names * num_flows]
};

NamedSet random_set(const Problem& problem, std::uint64_t seed, std::size_t count) {
  NamedSet set;
  Random random(seed);
  for (std::size_t k = 0; k < count; ++k) {
    set.names.push_back(fmt::format("r{}", k));
    const Routing routing = random_routing(problem, random);
    set.paths.insert(set.paths.end(), routing.begin(), routing.end());
  }
  return set;
}

TEST(RoutingSet, ResolvesToTheRoutingsThatWereNamed) {
  for (const Shape shape : all_shapes()) {
    const Instance instance = random_instance(shape, test_seed(11));
    SCOPED_TRACE(instance.name);
    const Problem& problem = *instance.problem;
    const NamedSet set = random_set(problem, test_seed(12), 17);
    const RoutingSetFile file = name_routings(problem, set.names, set.paths);
    EXPECT_LE(file.routes.size(), set.paths.size());
    const RoutingSource source = resolve_routings(problem, file);
    EXPECT_EQ(source.names, set.names);
    for (std::size_t k = 0; k < set.names.size(); ++k) {
      Routing routing(problem.num_flows(), kNone);
      source.write(k, routing);
      const auto first = set.paths.begin() + static_cast<std::ptrdiff_t>(k * problem.num_flows());
      EXPECT_EQ(routing, Routing(first, first + problem.num_flows()));
    }
  }
}

TEST(RoutingSet, ARoutingMayListItsRowsInAnyOrder) {
  const Instance instance = random_instance(Shape::leaf_spine, test_seed(13));
  const NamedSet set = random_set(*instance.problem, test_seed(14), 1);
  RoutingSetFile file = name_routings(*instance.problem, set.names, set.paths);
  std::reverse(file.routings[0].routes.begin(), file.routings[0].routes.end());
  Routing routing(instance.problem->num_flows(), kNone);
  resolve_routings(*instance.problem, file).write(0, routing);
  EXPECT_EQ(routing, set.paths);
}

// Four hosts on two leaves, one ring over all, and a set of two routings.
class RoutingSetErrors : public testing::Test {
 protected:
  RoutingSetErrors() {
    const NamedSet set = random_set(problem_, 1, 2);
    file_ = name_routings(problem_, set.names, set.paths);
  }
  [[nodiscard]] std::string error() const {
    return error_text(ErrorCode::bad_input, [&] { (void)resolve_routings(problem_, file_); });
  }

  std::shared_ptr<const Fabric> fabric_ =
      std::make_shared<const Fabric>(build_fabric("leaf-spine:leaves=2,spines=2,hosts=2,gbps=100"));
  Problem problem_{fabric_, std::make_shared<const Workload>(build_workload(*fabric_, "rings:jobs=1,size=4,seed=1"))};
  RoutingSetFile file_;
};

TEST_F(RoutingSetErrors, AFlowLeftOutIsNamedWithItsRouting) {
  file_.routings[1].routes.pop_back();
  EXPECT_THAT(error(), AllOf(StartsWith("the routings do not fit; 1 flows without a route: routing 'r1' job "),
                             HasSubstr(" flow 3 (")));
}

TEST_F(RoutingSetErrors, AFlowRoutedTwiceIsNamedWithItsRouting) {
  file_.routings[0].routes.push_back(file_.routings[0].routes.front());
  EXPECT_THAT(error(), StartsWith("the routings do not fit; 1 flows routed twice: routing 'r0' job "));
}

TEST_F(RoutingSetErrors, ARowOutsideTheTableIsNamedWithItsRouting) {
  file_.routings[1].routes[2] = 99;
  EXPECT_THAT(error(), AllOf(HasSubstr("1 flows without a route: routing 'r1' job "),
                             HasSubstr(fmt::format("1 numbers of routes outside the table of {}: routing 'r1' 99",
                                                   file_.routes.size()))));
}

TEST_F(RoutingSetErrors, ManyCulpritsAreCountedAndTheFirstNamed) {
  for (RoutingSetFile::Entry& entry : file_.routings) entry.routes.clear();
  EXPECT_THAT(error(), AllOf(HasSubstr("8 flows without a route: routing 'r0'"), testing::EndsWith(", ...")));
}

TEST_F(RoutingSetErrors, RoutesOfTheTableAreChecked) {
  file_.routes[0].links[0] = "nowhere->else";
  EXPECT_THAT(error(), StartsWith("the table of routes does not fit; 1 routes over links that are no candidate path "
                                  "of the flow: job "));
  file_.routes[0].job = "another";
  EXPECT_THAT(error(), StartsWith("the table of routes does not fit; 1 routes for flows that these jobs do not have: "
                                  "job another "));
}

TEST_F(RoutingSetErrors, DigestsOfOtherInputsAreRefused) {
  ++file_.jobs_digest;
  EXPECT_THAT(error(), StartsWith("the routings belong to other jobs (their digest "));
  ++file_.fabric_digest;
  EXPECT_THAT(error(), StartsWith("the routings belong to another fabric (its digest "));
}

TEST(RoutingSet, RoutesOverDeadLinksAreRefused) {
  const auto whole = std::make_shared<const Fabric>(build_fabric("leaf-spine:leaves=2,spines=2,hosts=2,gbps=100"));
  const auto jobs = std::make_shared<const Workload>(build_workload(*whole, "permutation:seed=1"));
  const auto faulty = std::make_shared<const Fabric>(with_faults(*whole, "spine:0"));
  const Problem before(whole, jobs);
  const Problem after(faulty, jobs);
  const NamedSet set = random_set(before, 1, 8);
  RoutingSetFile file = name_routings(before, set.names, set.paths);
  file.fabric_digest = faulty->digest();
  file.jobs_digest = digest_of(*jobs, *faulty);
  EXPECT_THAT(error_text(ErrorCode::bad_input, [&] { (void)resolve_routings(after, file); }),
              HasSubstr("routes over links that are down: job "));
}

}  // namespace
}  // namespace spineweave::test
