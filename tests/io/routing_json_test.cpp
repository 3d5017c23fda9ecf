// spineweave.routing/1
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/input_error.hpp"
#include "spineweave/io.hpp"

namespace spineweave::test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

RoutingFile two_routes() {
  RoutingFile file;
  file.fabric_digest = 0x0123456789abcdef;
  file.jobs_digest = 7;
  file.digest = "00000000000000ff";
  file.routes.push_back({"job \"1\"\t\x01", 2, 3, "n1", "n2", {"n1->L\\1", "L\\1->n2#1"}});
  file.routes.push_back({"gr\u00fc\u00df", 0, 4294967295, "a", "b", {}});
  return file;
}

std::string routing_error(const std::string& old, const std::string& replacement) {
  std::string text = write_routing_json(two_routes());
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  text.replace(at, old.size(), replacement);
  return input_error([&] { (void)parse_routing(text, "r.json"); });
}

TEST(RoutingJson, WhatIsWrittenReadsBackTheSame) {
  const RoutingFile file = two_routes();
  const std::string text = write_routing_json(file);
  EXPECT_THAT(text, StartsWith("{\"schema\": \"spineweave.routing/1\",\n\"fabric_digest\": \"0123456789abcdef\",\n"
                               "\"jobs_digest\": \"0000000000000007\",\n"));
  EXPECT_THAT(text, EndsWith("]}]}\n"));
  const RoutingFile again = parse_routing(text, "written");
  EXPECT_EQ(again.fabric_digest, file.fabric_digest);
  EXPECT_EQ(again.jobs_digest, file.jobs_digest);
  EXPECT_EQ(again.digest, file.digest);
  ASSERT_EQ(again.routes.size(), 2U);
  EXPECT_EQ(again.routes[0].job, file.routes[0].job);
  EXPECT_EQ(again.routes[0].collective, 2U);
  EXPECT_EQ(again.routes[0].index, 3U);
  EXPECT_EQ(again.routes[0].src, "n1");
  EXPECT_EQ(again.routes[0].dst, "n2");
  EXPECT_THAT(again.routes[0].links, ElementsAre("n1->L\\1", "L\\1->n2#1"));
  EXPECT_EQ(again.routes[1].job, file.routes[1].job);
  EXPECT_EQ(again.routes[1].index, 4294967295U);
  EXPECT_EQ(write_routing_json(again), text);
}

TEST(RoutingJson, TheDigestOfTheResultIsOptional) {
  RoutingFile file = two_routes();
  file.digest.clear();
  const std::string text = write_routing_json(file);
  EXPECT_THAT(text, testing::Not(HasSubstr("\"digest\"")));
  EXPECT_EQ(parse_routing(text, "written").digest, "");
}

TEST(RoutingJson, NoRoutesAreARoutingToo) {
  EXPECT_TRUE(parse_routing(write_routing_json(RoutingFile{}), "written").routes.empty());
}

TEST(RoutingJson, RefusesDigestsThatAreNone) {
  const std::string expected = "; expected 16 hexadecimal digits";
  EXPECT_EQ(routing_error("0123456789abcdef", "0123"), "r.json: fabric_digest is '0123'" + expected);
  EXPECT_EQ(routing_error("0123456789abcdef", "0x23456789abcdef"),
            "r.json: fabric_digest is '0x23456789abcdef'" + expected);
  EXPECT_EQ(routing_error("0123456789abcdef", "-123456789abcdef"),
            "r.json: fabric_digest is '-123456789abcdef'" + expected);
  EXPECT_EQ(routing_error("\"jobs_digest\": \"0000000000000007\",\n", ""), "r.json: 'jobs_digest' is missing");
}

TEST(RoutingJson, RefusesUnknownKeysAndWrongTypes) {
  EXPECT_EQ(routing_error("\"src\"", "\"scr\""), "r.json: routes[0]: unknown key 'scr'; did you mean src?");
  EXPECT_EQ(routing_error("\"index\": 4294967295", "\"index\": 4294967296"),
            "r.json: routes[1]: index is 4294967296; expected a whole number from 0 to 4294967295");
  EXPECT_EQ(routing_error("\"index\": 3", "\"index\": -3"),
            "r.json: routes[0]: index is -3; expected a whole number from 0 to 4294967295");
  EXPECT_EQ(routing_error("\"links\": []", "\"links\": [17]"), "r.json: routes[1]: link 17 is no text");
  EXPECT_EQ(routing_error("\"links\": []", "\"links\": \"a->b\""),
            "r.json: routes[1]: links is a JSON string; expected an array");
}

}  // namespace
}  // namespace spineweave::test
