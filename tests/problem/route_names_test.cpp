// Names of links, which node names may imitate.
#include <gtest/gtest.h>

#include <memory>

#include "spineweave/routing.hpp"
#include "support/error_text.hpp"

namespace spineweave::test {
namespace {

// Two leaves whose spines are named as parallel cables and as arrows are.
std::unique_ptr<Problem> tricky_problem() {
  FabricBuilder builder;
  const auto a = builder.add_switch("L->1", 1), b = builder.add_switch("L#2", 1);
  for (const char* spine : {"S", "S#2", "S#01", "L->1->S"}) {
    const auto handle = builder.add_switch(spine, 2);
    for (const auto leaf : {a, b})
      for (int cable = 0; cable < 2; ++cable) builder.add_cable(leaf, handle, 1000);
  }
  builder.add_cable(builder.add_endpoint("n1"), a, 1000);
  builder.add_cable(builder.add_endpoint("n#1"), b, 1000);
  Job job{"j", "", 0, 0, 0, kAllPhases, {{CollectiveKind::p2p, 1, 1, {0, 1}}}};
  return std::make_unique<Problem>(std::make_shared<const Fabric>(builder.finish()),
                                   std::make_shared<const Workload>(Workload{{}, {std::move(job)}, {}}));
}

TEST(RouteNames, EveryPathIsFoundByItsLinksHoweverItsNodesAreNamed) {
  const auto problem = tricky_problem();
  ASSERT_EQ(problem->num_paths(0), 16U);
  for (PathIndex path = 0; path < problem->num_paths(0); ++path)
    EXPECT_EQ(resolve_routes(*problem, name_routes(*problem, {path})), Routing{path});
}

TEST(RouteNames, LinksThatAreNoneOrDoNotJoinAreNoCandidate) {
  const auto problem = tricky_problem();
  const RoutingFile file = name_routes(*problem, {0});
  for (const char* wrong : {"", "S", "L->1->", "L->1->T", "L->1->S#3", "L->1->S#01x", "L->1->S#", "L#2->S",
                            "L->1->S#99999999999999999999"}) {
    RoutingFile changed = file;
    changed.routes[0].links[1] = wrong;
    EXPECT_EQ(match_routes(*problem, changed), Routing{kNone}) << wrong;
  }
}

}  // namespace
}  // namespace spineweave::test
