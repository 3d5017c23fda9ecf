// The small parsers of targets, times and bodies.
#include <gmock/gmock.h>

#include "service/api/json_body.hpp"
#include "service/api/time_text.hpp"
#include "service/http/url.hpp"
#include "spineweave/error.hpp"

namespace spineweave::service::test {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Url, QueriesAreSplitBeforeTheyAreDecoded) {
  const auto target = http::parse_target("/a/b?x=1%262&y=a+b&z&=");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/a/b");
  EXPECT_THAT(target->query, ElementsAre(Pair("x", "1&2"), Pair("y", "a b"), Pair("z", ""), Pair("", "")));
  EXPECT_FALSE(http::parse_target("http://host/a"));
  EXPECT_FALSE(http::parse_target("/a?x=%g0"));
  EXPECT_FALSE(http::parse_target("/a?x=%0"));
}

TEST(Url, EncodingComesBack) {
  const std::string name = "leaf0->spine3#1/ \xc3\xa4%";
  EXPECT_EQ(http::percent_decoded(http::percent_encoded(name)), name);
}

TEST(TimeText, PointsInTimeComeBack) {
  const Nanoseconds time = std::chrono::seconds(1796065526) + Nanoseconds(123456789);
  EXPECT_EQ(api::time_text(time), "2026-11-30T19:05:26.123456789Z");
  EXPECT_EQ(api::parse_time(api::time_text(time)), time);
  EXPECT_EQ(api::parse_time("2026-11-30T21:05:26.5+02:00"),
            std::chrono::seconds(1796065526) + std::chrono::milliseconds(500));
  EXPECT_EQ(api::parse_time("1970-01-01T00:00:00Z"), Nanoseconds(0));
}

TEST(TimeText, WhatIsNoTimeIsNone) {
  for (const char* text :
       {"", "yesterday", "2026-11-30", "2026-11-30T19:05:26", "2026-13-30T19:05:26Z", "2026-02-30T19:05:26Z",
        "2026-11-30T24:05:26Z", "2026-11-30T19:05:26.Z", "2026-11-30T19:05:26.1234567891Z", "2026-11-30T19:05:26Zx",
        "2026-11-30T19:05:26+2:00", "-026-11-30T19:05:26Z"})
    EXPECT_FALSE(api::parse_time(text)) << text;
}

TEST(JsonBody, ValuesAreOfTheTypeThatIsAskedFor) {
  const api::JsonBody body(R"({"text": "a", "number": 3, "real": 0.5, "flag": true, "time": "50ms"})",
                           {"text", "number", "real", "flag", "time"});
  EXPECT_EQ(body.text("text"), "a");
  EXPECT_EQ(body.number("number"), 3U);
  EXPECT_EQ(body.real("real"), 0.5);
  EXPECT_EQ(body.real("number"), 3.0);
  EXPECT_EQ(body.flag("flag"), true);
  EXPECT_EQ(body.duration_ns("time"), 50'000'000U);
  EXPECT_EQ(body.number("absent"), std::nullopt);
  EXPECT_THROW((void)body.number("text"), Error);
  EXPECT_THROW((void)body.number("real"), Error);
  EXPECT_THROW((void)body.flag("number"), Error);
  EXPECT_THROW((void)body.duration_ns("text"), Error);
  EXPECT_THROW((void)body.required("absent", body.text("absent")), Error);
}

}  // namespace
}  // namespace spineweave::service::test
