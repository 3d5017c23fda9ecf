#include "util/text.hpp"

#include <gtest/gtest.h>

#include "spineweave/error.hpp"
#include "util/hash.hpp"

namespace spineweave::util {
namespace {

TEST(NaturalOrder, ComparesRunsOfDigitsAsNumbers) {
  EXPECT_TRUE(natural_less("leaf2", "leaf10"));
  EXPECT_FALSE(natural_less("leaf10", "leaf2"));
  EXPECT_TRUE(natural_less("a2b", "a2c"));
  EXPECT_TRUE(natural_less("96", "127"));
  EXPECT_FALSE(natural_less("x", "x"));
  // Equal as numbers, yet never equal as names.
  EXPECT_NE(natural_less("a01", "a1"), natural_less("a1", "a01"));
}

TEST(Units, AreAMust) {
  EXPECT_EQ(parse_bytes("4GB"), 4000000000ULL);
  EXPECT_EQ(parse_bytes("1.5KiB"), 1536ULL);
  EXPECT_EQ(parse_bytes("17"), std::nullopt);
  EXPECT_EQ(parse_bytes("4 parsecs"), std::nullopt);
  EXPECT_EQ(parse_bytes("-1GB"), std::nullopt);
  EXPECT_EQ(parse_duration_ns("50ms"), 50000000ULL);
  EXPECT_EQ(parse_duration_ns("1.5s"), 1500000000ULL);
  EXPECT_EQ(parse_duration_ns("50"), std::nullopt);
}

TEST(Numbers, RefuseSignsFractionsAndOverflow) {
  EXPECT_EQ(parse_unsigned("18446744073709551615"), ~std::uint64_t{0});
  for (const char* bad : {"", "-1", "+1", "1.5", "18446744073709551616", "1x"})
    EXPECT_EQ(parse_unsigned(bad), std::nullopt) << bad;
  EXPECT_EQ(parse_double("nan"), std::nullopt);
  EXPECT_EQ(parse_double("inf"), std::nullopt);
}

TEST(Suggestions, NameWhatIsNear) {
  const std::string_view known[] = {"placement", "seed", "size"};
  EXPECT_EQ(suggest("plcement", known), "did you mean placement?");
  EXPECT_EQ(suggest("quux-and-more", known), "");
}

TEST(Specs, RefuseUnknownAndRepeatedKeys) {
  EXPECT_THROW((void)parse_spec("rings:size=8,size=9"), Error);
  EXPECT_THROW((void)parse_spec("rings:size"), Error);
  SpecReader reader(parse_spec("rings:size=8,sede=1"));
  EXPECT_EQ(reader.number_or("size", 1, 2, 100), 8U);
  EXPECT_EQ(reader.number_or("seed", 1, 0, 100), 1U);
  EXPECT_THROW(reader.finish(), Error);
}

TEST(RandomNumbers, DependOnTheirPlaceAlone) {
  static_assert(random_at(1, 2, 3) == random_at(1, 2, 3));
  EXPECT_NE(random_at(1, 2, 3), random_at(1, 3, 2));
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_LT(random_below(random_at(7, 0, i), 10), 10U);
}

TEST(Digest, DependsOnTheOrder) {
  Digest a, b;
  a.add(std::uint64_t{1}), a.add(std::uint64_t{2});
  b.add(std::uint64_t{2}), b.add(std::uint64_t{1});
  EXPECT_NE(a.value(), b.value());
}

}  // namespace
}  // namespace spineweave::util
