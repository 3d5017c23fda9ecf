#include "io/json_parser.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/input_error.hpp"
#include "util/text.hpp"

namespace spineweave::io {
namespace {

using test::input_error;
using testing::ElementsAre;
using testing::HasSubstr;

// Parses with "a" and "a/b" streamed; each item becomes "place = value".
struct Streamed {
  explicit Streamed(const std::string& text) {
    const auto note = [this](const Json& item, const JsonPlace& place) {
      items.push_back(fmt::format("{} = {}", place.text(), item.dump()));
    };
    rest = parse_json(text, "f", {{{"a"}, note}, {{"a", "b"}, note}});
  }
  std::vector<std::string> items;
  Json rest;
};

TEST(JsonParser, WithoutStreamsTheWholeValueIsKept) {
  const std::string text = R"({"a":[1,-2,2.5,"x\u00e9",null,true,{"k":[[],{}]}]})";
  EXPECT_EQ(parse_json(text, "f"), Json::parse(text));
  EXPECT_EQ(parse_json(" 7 ", "f"), Json(7));
}

TEST(JsonParser, StreamedItemsComeInOrderAndAreForgotten) {
  const Streamed streamed(R"({"x": [0], "a": [1, "two", {"c": [3]}, [4, 5]], "y": {"a": [6]}})");
  EXPECT_THAT(streamed.items,
              ElementsAre("f: a[0] = 1", "f: a[1] = \"two\"", "f: a[2] = {\"c\":[3]}", "f: a[3] = [4,5]"));
  EXPECT_EQ(streamed.rest, Json::parse(R"({"x": [0], "a": [], "y": {"a": [6]}})"));
}

TEST(JsonParser, ItemsWithinItemsComeBeforeTheItemThatHoldsThem) {
  const Streamed streamed(R"({"a": [{"b": [1, [2]], "c": 3}, {"b": []}, {"b": [{"b": [4]}]}], "b": [5]})");
  EXPECT_THAT(streamed.items,
              ElementsAre("f: a[0]: b[0] = 1", "f: a[0]: b[1] = [2]", "f: a[0] = {\"b\":[],\"c\":3}",
                          "f: a[1] = {\"b\":[]}", "f: a[2]: b[0] = {\"b\":[4]}", "f: a[2] = {\"b\":[]}"));
  EXPECT_EQ(streamed.rest, Json::parse(R"({"a": [], "b": [5]})"));
}

TEST(JsonParser, WhatIsNoArrayIsNotStreamed) {
  const Streamed streamed(R"({"a": {"b": [1]}})");
  EXPECT_TRUE(streamed.items.empty());
  EXPECT_EQ(streamed.rest, Json::parse(R"({"a": {"b": [1]}})"));
}

TEST(JsonParser, AKeyThatStandsTwiceIsRefusedHoweverManyThereAre) {
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += fmt::format("\"k{}\": 1, ", i);
  EXPECT_EQ(input_error([&] { (void)parse_json(text + "\"k99\": 1}", "f"); }),
            "f: the key 'k99' stands twice in one object");
  EXPECT_EQ(input_error([] { Streamed(R"({"a": [{"b": [{"c": 1, "c": 2}]}]})"); }),
            "f: the key 'c' stands twice in one object");
}

TEST(JsonParser, SyntaxErrorsNameTheLine) {
  EXPECT_THAT(input_error([] { Streamed("{\"a\": [1,\n2,\n}"); }), HasSubstr("f:3: is no valid JSON: "));
  EXPECT_THAT(input_error([] { (void)parse_json("", "f"); }), HasSubstr("f:1: is no valid JSON: "));
  EXPECT_THAT(input_error([] { (void)parse_json("{} x", "f"); }), HasSubstr("f:1: is no valid JSON: "));
  EXPECT_THAT(input_error([] { (void)parse_json("[\"\xff\"]", "f"); }), HasSubstr("is no valid JSON: "));
  EXPECT_THAT(input_error([] { (void)parse_json("[1e999]", "f"); }), HasSubstr("f: is no valid JSON: "));
}

TEST(JsonParser, QuotesWhatNeedsIt) {
  EXPECT_EQ(quoted("plain -> name#1"), "\"plain -> name#1\"");
  EXPECT_EQ(quoted(""), "\"\"");
  EXPECT_EQ(quoted("a\"b\\c\n\x01"), "\"a\\\"b\\\\c\\n\\u0001\"");
  EXPECT_EQ(quoted("gr\u00fc\u00df \x7f"), "\"gr\u00fc\u00df \x7f\"");
  EXPECT_EQ(quoted("\xff"), "\"\ufffd\"");
}

}  // namespace
}  // namespace spineweave::io
