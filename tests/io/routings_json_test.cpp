// spineweave.routings/1
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/input_error.hpp"
#include "spineweave/io.hpp"

namespace spineweave::test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::StartsWith;

RoutingSetFile two_routings() {
  RoutingSetFile file;
  file.fabric_digest = 0x0123456789abcdef;
  file.jobs_digest = 7;
  file.routes.push_back({"job \"1\"\t\x01", 2, 3, "n1", "n2", {"n1->L\\1", "L\\1->n2#1"}});
  file.routes.push_back({"2", 0, 0, "a", "b", {"a->b"}});
  file.routings.push_back({"first \"try\"", {0, 1}});
  file.routings.push_back({"second", {}});
  return file;
}

std::string routings_error(const std::string& old, const std::string& replacement) {
  std::string text = write_routings_json(two_routings());
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  text.replace(at, old.size(), replacement);
  return input_error([&] { (void)parse_routings(text, "r.json"); });
}

TEST(RoutingsJson, WhatIsWrittenReadsBackTheSame) {
  const RoutingSetFile file = two_routings();
  const std::string text = write_routings_json(file);
  EXPECT_THAT(text, StartsWith("{\"schema\": \"spineweave.routings/1\",\n\"fabric_digest\": \"0123456789abcdef\",\n"
                               "\"jobs_digest\": \"0000000000000007\",\n\"routes\": [\n{\"job\": "));
  EXPECT_THAT(text, EndsWith("\"routings\": [\n{\"name\": \"first \\\"try\\\"\", \"routes\": [0,1]},\n"
                             "{\"name\": \"second\", \"routes\": []}]}\n"));
  EXPECT_EQ(detect_format(text), FileFormat::routings_json);
  const RoutingSetFile again = parse_routings(text, "written");
  EXPECT_EQ(again.fabric_digest, file.fabric_digest);
  EXPECT_EQ(again.jobs_digest, file.jobs_digest);
  EXPECT_EQ(again.routes, file.routes);
  ASSERT_EQ(again.routings.size(), 2U);
  EXPECT_EQ(again.routings[0].name, "first \"try\"");
  EXPECT_THAT(again.routings[0].routes, ElementsAre(0U, 1U));
  EXPECT_THAT(again.routings[1].routes, IsEmpty());
  EXPECT_EQ(write_routings_json(again), text);
}

TEST(RoutingsJson, RefusesARowThatIsNoNumber) {
  const std::string expected = "; expected a row of the table, counted from 0";
  const std::string place = "r.json: routings[0]: routing 'first \"try\"' has the route ";
  EXPECT_EQ(routings_error("[0,1]", "[0,-1]"), place + "-1" + expected);
  EXPECT_EQ(routings_error("[0,1]", "[0,1.5]"), place + "1.5" + expected);
  EXPECT_EQ(routings_error("[0,1]", "[\"0\",1]"), place + "\"0\"" + expected);
  EXPECT_EQ(routings_error("[0,1]", "[0,4294967295]"), place + "4294967295" + expected);
}

TEST(RoutingsJson, RefusesEqualNames) {
  EXPECT_EQ(routings_error("\"second\"", "\"first \\\"try\\\"\""),
            "r.json: 1 routings have the name of one before them: 'first \"try\"'");
}

TEST(RoutingsJson, RefusesUnknownKeysAndWhatIsMissing) {
  EXPECT_EQ(routings_error("\"name\"", "\"nome\""), "r.json: routings[0]: unknown key 'nome'; did you mean name?");
  EXPECT_EQ(routings_error("\"src\"", "\"scr\""), "r.json: routes[0]: unknown key 'scr'; did you mean src?");
  EXPECT_EQ(routings_error("\"jobs_digest\": \"0000000000000007\",\n", ""), "r.json: 'jobs_digest' is missing");
  EXPECT_EQ(routings_error("\"name\": \"second\", ", ""), "r.json: routings[1]: 'name' is missing");
  RoutingSetFile none = two_routings();
  none.routings.clear();
  EXPECT_EQ(input_error([&] { (void)parse_routings(write_routings_json(none), "r.json"); }),
            "r.json: holds no routing");
}

TEST(RoutingsJson, OneRoutingAndManyAreToldApart) {
  EXPECT_EQ(input_error([] { (void)parse_routings(write_routing_json(RoutingFile{}), "one.json"); }),
            "one.json: is a spineweave.routing/1 file; expected routings: spineweave.routings/1, or a folder of "
            "spineweave.routing/1 files");
  EXPECT_EQ(input_error([] { (void)parse_routing(write_routings_json(two_routings()), "many.json"); }),
            "many.json: is a spineweave.routings/1 file; expected a routing: spineweave.routing/1");
}

}  // namespace
}  // namespace spineweave::test
