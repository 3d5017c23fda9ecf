#include "report/inspection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/report_fixture.hpp"
#include "report/text_layout.hpp"

namespace spineweave::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Inspection, CountsAFatTree) {
  const Fabric fabric = build_fabric("fat-tree:k=4,gbps=100");
  const report::FabricFacts facts = report::count_fabric(fabric);
  EXPECT_EQ(facts.endpoints, 16U);
  EXPECT_EQ(facts.cables, 48U);
  EXPECT_EQ(facts.pods, 4U);
  EXPECT_EQ(facts.planes, 2U);
  ASSERT_EQ(facts.tiers.size(), 3U);
  EXPECT_EQ(facts.tiers[1].name, "aggregation");
  EXPECT_EQ(facts.tiers[2].switches, 4U);
  EXPECT_DOUBLE_EQ(facts.tiers[0].oversubscription, 1.0);
  EXPECT_EQ(facts.tiers[2].oversubscription, 0.0);
  ASSERT_EQ(facts.cable_groups.size(), 3U);
  EXPECT_EQ(facts.cable_groups[0].between, "endpoint-leaf");
  EXPECT_EQ(facts.cable_groups[2].between, "aggregation-core");
  EXPECT_EQ(report::describe_shape(fabric), "three-tier Clos, symmetric");
}

TEST(Inspection, NamesTheWorstOversubscription) {
  const Fabric whole = build_fabric("leaf-spine:leaves=2,spines=2,hosts=4,gbps=100");
  const Fabric fabric = with_faults(whole, "leaf-1-spine-0");
  const report::TierFacts leaf = report::count_fabric(fabric).tiers.front();
  EXPECT_DOUBLE_EQ(leaf.oversubscription, 8.0 / 3);
  EXPECT_DOUBLE_EQ(leaf.worst_oversubscription, 4.0);
  EXPECT_EQ(leaf.worst_switch, "leaf-1");
  EXPECT_EQ(report::count_fabric(fabric).cable_groups[1].down, 1U);
}

TEST(Inspection, CountsHostsAndRails) {
  const report::FabricFacts facts = report::count_fabric(build_fabric("rail:hosts=4,rails=2,spines=2,gbps=100"));
  EXPECT_EQ(facts.hosts, 4U);
  EXPECT_EQ(facts.rails, 2U);
}

TEST(Inspection, TellsWhyJobsCannotRun) {
  const SmallRun run = small_run();
  Inspection inspection;
  inspection.fabric = &run.problem->fabric();
  inspection.workload = &run.problem->workload();
  inspection.problem_error = "2 flows have no path";
  inspection.fabric_source = "two leaves";
  EXPECT_THAT(inspection_text(inspection, {}), HasSubstr("These jobs cannot run here: 2 flows have no path\n"));
  EXPECT_EQ(text_at(inspection_document(inspection), "problem_error"), "2 flows have no path");
}

TEST(Inspection, CountsFindingsAndNamesTheFirst) {
  SmallRun run = small_run({.down = "zleaf-b-spine-1"});
  Workload workload = run.problem->workload();
  workload.findings.push_back({"groups dropped", {"g1", "g2", "g3", "g4", "g5", "g6", "g7"}});
  Inspection inspection;
  inspection.fabric = &run.problem->fabric();
  inspection.workload = &workload;
  inspection.problem = run.problem.get();
  const std::string text = inspection_text(inspection, {});
  EXPECT_THAT(text, HasSubstr("- 7 groups dropped: g1, g2, g3, g4, g5 and 2 more\n"));
  EXPECT_THAT(text, Not(HasSubstr("Nothing odd")));
  const Document document = inspection_document(inspection);
  EXPECT_EQ(number_at(document, "workload.flows"), 4);
  EXPECT_EQ(number_at(document, "workload.bytes_per_step"), 4e6);
  EXPECT_EQ(number_at(document, "fabric.cables"), 8);
  EXPECT_EQ(std::get<bool>(at(document, "fabric.is_clos")->value()), true);
}

TEST(Inspection, FitsTheWidth) {
  const SmallRun run = small_run({.leaf_name = std::string(150, 'y'), .down = "zleaf-b-spine-1"});
  Inspection inspection;
  inspection.fabric = &run.problem->fabric();
  inspection.workload = &run.problem->workload();
  inspection.problem = run.problem.get();
  inspection.fabric_source = std::string(200, 'f');
  for (const std::uint32_t width : {80U, 120U})
    for (const std::string& line : plain_lines(inspection_text(inspection, {.width = width, .color = true})))
      EXPECT_LE(report::display_width(line), width) << line;
}

}  // namespace
}  // namespace spineweave::test
