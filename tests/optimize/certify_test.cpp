#include <gtest/gtest.h>

#include "spineweave/optimize.hpp"

namespace spineweave {
namespace {

Score score_of(std::vector<std::uint64_t> normalised) {
  Score score;
  score.normalised = std::move(normalised);
  return score;
}

Bounds bounds_of(std::vector<std::uint64_t> vector) {
  Bounds bounds;
  bounds.vector = std::move(vector);
  return bounds;
}

TEST(Certify, ProvesTheVectorWhereEveryJobIsAtItsBound) {
  const Certificate certificate = certify(score_of({131072, 65536}), bounds_of({131072, 65536}));
  EXPECT_TRUE(certificate.max_proved);
  EXPECT_TRUE(certificate.vector_proved);
  EXPECT_EQ(certificate.jobs_at_bound, 2U);
  EXPECT_EQ(certificate.gap, 0.0);
}

TEST(Certify, ProvesTheWorstJobAloneWhereALaterOneIsAbove) {
  const Certificate certificate = certify(score_of({131072, 131072}), bounds_of({131072, 65536}));
  EXPECT_TRUE(certificate.max_proved);
  EXPECT_FALSE(certificate.vector_proved);
  EXPECT_EQ(certificate.jobs_at_bound, 1U);
  EXPECT_EQ(certificate.gap, 0.0);
}

TEST(Certify, SaysHowFarAnOpenRoutingIsFromTheBound) {
  const Certificate certificate = certify(score_of({98304, 65536}), bounds_of({65536, 65536}));
  EXPECT_FALSE(certificate.max_proved);
  EXPECT_FALSE(certificate.vector_proved);
  EXPECT_EQ(certificate.jobs_at_bound, 1U);
  EXPECT_EQ(certificate.gap, 0.5);
}

}  // namespace
}  // namespace spineweave
