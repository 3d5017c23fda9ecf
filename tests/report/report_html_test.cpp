#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/heat_map.hpp"
#include "report/html.hpp"
#include "report/link_loads.hpp"
#include "report/report_fixture.hpp"

namespace spineweave::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kEvil = "</script><img src=x onerror=\"alert('1')\">&";

TEST(ReportHtml, EscapesEveryName) {
  SmallRun run = small_run({.job_prefix = kEvil, .leaf_name = kEvil});
  run.report.run.fabric_source = run.report.run.jobs_source = run.report.run.device = kEvil;
  run.report.run.solver = run.report.baseline_name = kEvil;
  const std::string page = report_html(run.report);
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("onerror=\"")));
  EXPECT_THAT(page, HasSubstr("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;"));
  EXPECT_THAT(page, HasSubstr("\\u003c/script\\u003e"));
}

TEST(ReportHtml, NeedsNothingFromOutside) {
  const SmallRun run = small_run();
  const std::string page = report_html(run.report);
  EXPECT_THAT(page, Not(HasSubstr("http:")));
  EXPECT_THAT(page, Not(HasSubstr("https:")));
  for (const char* way_out : {"src=", "href=", "url(", "@import", "<link", "import ", "import(", "fetch("})
    EXPECT_THAT(page, Not(HasSubstr(way_out)));
}

TEST(ReportHtml, ShowsBeforeAndAfterInBothDirections) {
  SmallRun run = small_run();
  const auto canvases = [](const std::string& page) {
    std::size_t count = 0;
    for (std::size_t at = page.find("<canvas"); at != std::string::npos; at = page.find("<canvas", at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(canvases(report_html(run.report)), 4U);
  run.report.has_baseline = false;
  EXPECT_EQ(canvases(report_html(run.report)), 2U);
}

TEST(ReportHtml, StaysSmallForManyJobs) {
  const SmallRun run = small_run({.num_jobs = 500});
  EXPECT_LT(report_html(run.report).size(), 400'000U);
}

TEST(Html, EncodesBase64WithPadding) {
  const std::vector<std::uint8_t> bytes = {'f', 'o', 'o', 'b', 'a'};
  EXPECT_EQ(report::base64(bytes), "Zm9vYmE=");
  EXPECT_EQ(report::base64(std::span(bytes).first(4)), "Zm9vYg==");
  EXPECT_EQ(report::base64(std::span(bytes).first(3)), "Zm9v");
  EXPECT_EQ(report::base64({}), "");
}

TEST(HeatMap, GivesEachLinkOfAClosOnePlace) {
  const Fabric fabric = build_fabric("fat-tree:k=4,gbps=100");
  const auto maps = report::lay_out_heat_maps(fabric);
  ASSERT_EQ(maps.size(), 2U);
  std::vector<LinkId> placed;
  for (const auto& map : maps)
    for (const auto* grid : {&map.up, &map.down}) placed.insert(placed.end(), grid->links.begin(), grid->links.end());
  std::ranges::sort(placed);
  EXPECT_EQ(placed, report::counted_links(fabric));
}

TEST(HeatMap, ShowsTheFullestLinkOfABlock) {
  const Fabric fabric = build_fabric("leaf-spine:leaves=2,spines=256,hosts=1,gbps=100");
  const auto maps = report::lay_out_heat_maps(fabric);
  report::LinkLoads loads{std::vector<double>(fabric.num_links(), 0.25),
                          std::vector<std::uint32_t>(fabric.num_links(), 1)};
  const LinkId full = maps.front().up.links[3];  // second of the second pair of columns
  loads.utilisation[full] = 1.5;
  const report::Picture picture = report::shrink(maps.front().up, fabric, loads);
  EXPECT_EQ(picture.columns, 128U);
  EXPECT_EQ(picture.columns_per_cell, 2U);
  EXPECT_EQ(picture.shown[1], full);
  EXPECT_EQ(picture.shown[0], maps.front().up.links[0]);
}

TEST(HeatMap, ShowsADeadLinkOnlyWhereItsWholeBlockIsDead) {
  const Fabric whole = build_fabric("leaf-spine:leaves=2,spines=256,hosts=1,gbps=100");
  const Fabric fabric = with_faults(whole, "leaf-0-spine-0,leaf-0-spine-2,leaf-0-spine-3");
  const auto maps = report::lay_out_heat_maps(fabric);
  const report::LinkLoads loads{std::vector<double>(fabric.num_links(), 0.0),
                                std::vector<std::uint32_t>(fabric.num_links(), 0)};
  const report::Picture picture = report::shrink(maps.front().up, fabric, loads);
  EXPECT_FALSE(report::is_dead(fabric, picture.shown[0]));
  EXPECT_TRUE(report::is_dead(fabric, picture.shown[1]));
}

TEST(HeatMap, SortsTheLinksOfOtherFabricsByLoad) {
  const Fabric fabric = build_fabric("rail:hosts=2,rails=2,spines=0,gbps=100");
  EXPECT_TRUE(report::lay_out_heat_maps(fabric).empty());
  report::LinkLoads loads{std::vector<double>(fabric.num_links(), 0.0),
                          std::vector<std::uint32_t>(fabric.num_links(), 0)};
  loads.utilisation[5] = 0.5;
  loads.utilisation[2] = 1.0;
  const report::Picture picture = report::sorted_strip(fabric, loads);
  ASSERT_EQ(picture.columns, fabric.num_links());
  EXPECT_EQ(picture.shown[0], 2U);
  EXPECT_EQ(picture.shown[1], 5U);
}

}  // namespace
}  // namespace spineweave::test
