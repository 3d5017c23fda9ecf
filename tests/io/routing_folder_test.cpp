// Folders of spineweave.routing/1 files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/input_error.hpp"
#include "spineweave/io.hpp"
#include "support/program.hpp"

namespace spineweave::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

NamedRoute route_over(const std::string& link) { return {"0", 0, 0, "a", "b", {link}}; }

void put_routing(const ScratchFolder& folder, const std::string& name, const std::string& link,
                 std::uint64_t fabric_digest = 1, std::uint64_t jobs_digest = 2) {
  RoutingFile file;
  file.fabric_digest = fabric_digest;
  file.jobs_digest = jobs_digest;
  file.routes = {route_over("shared"), route_over(link)};
  write_file(folder.file(name), write_routing_json(file));
}

std::string read_error(const ScratchFolder& folder) {
  return input_error([&] { (void)read_routings(folder.file("")); });
}

TEST(RoutingFolder, IsOneSetInNaturalOrderOverATableWithoutRepeats) {
  const ScratchFolder folder;
  put_routing(folder, "try-10.json", "ten");
  put_routing(folder, "try-2.json", "two");
  put_routing(folder, "try-3.json", "two");
  const RoutingSetFile set = read_routings(folder.file(""));
  EXPECT_EQ(set.fabric_digest, 1U);
  EXPECT_EQ(set.jobs_digest, 2U);
  EXPECT_THAT(set.routes, ElementsAre(route_over("shared"), route_over("two"), route_over("ten")));
  ASSERT_EQ(set.routings.size(), 3U);
  EXPECT_EQ(set.routings[0].name, "try-2");
  EXPECT_EQ(set.routings[1].name, "try-3");
  EXPECT_EQ(set.routings[2].name, "try-10");
  EXPECT_THAT(set.routings[0].routes, ElementsAre(0U, 1U));
  EXPECT_THAT(set.routings[1].routes, ElementsAre(0U, 1U));
  EXPECT_THAT(set.routings[2].routes, ElementsAre(0U, 2U));
  EXPECT_THAT(set.findings, IsEmpty());
}

TEST(RoutingFolder, FindsFilesThatAreNoRoutings) {
  const ScratchFolder folder;
  put_routing(folder, "a.json", "x");
  put(folder.file("report.json"), "{\"schema\": \"spineweave.report/1\"}");
  put(folder.file(".hidden"), "");
  const RoutingSetFile set = read_routings(folder.file(""));
  EXPECT_EQ(set.routings.size(), 1U);
  ASSERT_EQ(set.findings.size(), 1U);
  EXPECT_EQ(set.findings[0].what, "files in the folder that are no routings");
  EXPECT_THAT(set.findings[0].names, ElementsAre("report.json"));
}

TEST(RoutingFolder, WithoutARoutingIsRefused) {
  const ScratchFolder folder;
  EXPECT_EQ(read_error(folder), folder.file("") + ": the folder holds no routing file");
  put(folder.file("picture.svg"), "<svg/>");
  EXPECT_EQ(read_error(folder), folder.file("") + ": the folder holds no routing file");
}

TEST(RoutingFolder, RefusesRoutingsForDifferentInputs) {
  const ScratchFolder folder;
  put_routing(folder, "a.json", "x");
  put_routing(folder, "b.json", "x", 3);
  EXPECT_EQ(read_error(folder), folder.file("b.json") + ": belongs to another fabric (digest 0000000000000003) than " +
                                    folder.file("a.json") + " does (digest 0000000000000001)");
  put_routing(folder, "b.json", "x", 1, 3);
  EXPECT_EQ(read_error(folder), folder.file("b.json") + ": belongs to other jobs (digest 0000000000000003) than " +
                                    folder.file("a.json") + " does (digest 0000000000000002)");
}

TEST(RoutingFolder, RefusesFilesWhoseNamesWouldBeEqual) {
  const ScratchFolder folder;
  put_routing(folder, "a.json", "x");
  put_routing(folder, "a.json.gz", "x");
  EXPECT_EQ(read_error(folder),
            folder.file("a.json.gz") + ": would have the name 'a', as " + folder.file("a.json") + " does");
}

TEST(RoutingFolder, TheFirstDamagedFileIsTheOneNamed) {
  const ScratchFolder folder;
  put_routing(folder, "a.json", "x");
  put(folder.file("b.json"), "{\"schema\": \"spineweave.routing/1\"}");
  put(folder.file("c.json"), "{\"schema\": \"spineweave.routing/1\"");
  EXPECT_EQ(read_error(folder), folder.file("b.json") + ": 'fabric_digest' is missing");
}

}  // namespace
}  // namespace spineweave::test
