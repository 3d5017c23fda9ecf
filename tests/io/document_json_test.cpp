#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "spineweave/io.hpp"

namespace spineweave {
namespace {

TEST(WriteJson, IndentsByTwoAndKeepsTheOrderOfKeys) {
  const Document document(Document::Object{
      {"schema", "spineweave.report/1"},
      {"b", Document::Array{Document(1), Document(true), Document()}},
      {"a", Document::Object{{"empty", Document::Array{}}, {"none", Document::Object{}}}},
  });
  EXPECT_EQ(write_json(document),
            "{\n"
            "  \"schema\": \"spineweave.report/1\",\n"
            "  \"b\": [\n    1,\n    true,\n    null\n  ],\n"
            "  \"a\": {\n    \"empty\": [],\n    \"none\": {}\n  }\n"
            "}\n");
}

TEST(WriteJson, WritesWholeNumbersToTheirLimits) {
  EXPECT_EQ(write_json(Document(std::numeric_limits<std::uint64_t>::max())), "18446744073709551615\n");
  EXPECT_EQ(write_json(Document(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808\n");
}

TEST(WriteJson, WritesDoublesShortAndExactAndAlwaysAsDoubles) {
  EXPECT_EQ(write_json(Document(0.1)), "0.1\n");
  EXPECT_EQ(write_json(Document(1.0)), "1.0\n");
  const double third = 1.0 / 3;
  EXPECT_EQ(std::stod(write_json(Document(third))), third);
  EXPECT_EQ(write_json(Document(1e300)), "1e+300\n");
}

TEST(WriteJson, WritesWhatIsNoNumberAsNull) {
  EXPECT_EQ(write_json(Document(std::nan(""))), "null\n");
  EXPECT_EQ(write_json(Document(std::numeric_limits<double>::infinity())), "null\n");
}

TEST(WriteJson, EscapesTextAndReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(write_json(Document("say \"hi\"\n\\\x01")), "\"say \\\"hi\\\"\\n\\\\\\u0001\"\n");
  EXPECT_EQ(write_json(Document("\xff")), "\"\xef\xbf\xbd\"\n");
}

}  // namespace
}  // namespace spineweave
