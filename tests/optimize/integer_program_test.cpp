#include "optimize/integer_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace spineweave {
namespace {

using Answer = IntegerProgram::Answer;
using Term = IntegerProgram::Term;

const std::function<bool()> kUnlimited = [] { return false; };

TEST(IntegerProgram, FindsIntegersWithinTheirLimits) {
  IntegerProgram program;
  const std::uint32_t a = program.add_column(3), b = program.add_column(5);
  program.add_row(std::array{Term{a, 2}, Term{b, 3}}, 19, 19);
  std::vector<std::uint64_t> values;
  ASSERT_EQ(program.solve(kUnlimited, values), Answer::found);
  EXPECT_THAT(values, testing::ElementsAre(2, 5));
}

TEST(IntegerProgram, KnowsThatFractionsAloneWouldDo) {
  IntegerProgram program;
  const std::uint32_t a = program.add_column(5), b = program.add_column(5);
  program.add_row(std::array{Term{a, 2}, Term{b, 2}}, 7, 7);
  std::vector<std::uint64_t> values;
  EXPECT_EQ(program.solve(kUnlimited, values), Answer::impossible);
}

TEST(IntegerProgram, TakesRowsThatAreOpenOnOneSide) {
  IntegerProgram program;
  const std::uint32_t a = program.add_column(5);
  program.add_row(std::array{Term{a, 1}}, 4, IntegerProgram::kUnlimited);
  program.add_row(std::array{Term{a, -1}}, -IntegerProgram::kUnlimited, -4);
  std::vector<std::uint64_t> values;
  ASSERT_EQ(program.solve(kUnlimited, values), Answer::found);
  EXPECT_GE(values.front(), 4U);
}

TEST(IntegerProgram, EndsWithoutAnAnswerWhereItIsStopped) {
  IntegerProgram program;
  const std::uint32_t a = program.add_column(5);
  program.add_row(std::array{Term{a, 1}}, 1, 1);
  std::vector<std::uint64_t> values;
  EXPECT_EQ(program.solve([] { return true; }, values), Answer::unknown);
  EXPECT_TRUE(values.empty());
}

}  // namespace
}  // namespace spineweave
