// The texts of --recompute, --fail and --recover.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spineweave/error.hpp"
#include "spineweave/simulate.hpp"
#include "support/error_text.hpp"

namespace spineweave::test {
namespace {

using testing::HasSubstr;
using When = RecomputePolicy::When;

TEST(RecomputePolicies, AreReadByName) {
  EXPECT_EQ(parse_recompute_policy("artifact").when, When::artifact);
  EXPECT_EQ(parse_recompute_policy("events").when, When::events);
  EXPECT_EQ(parse_recompute_policy("static").when, When::beforehand);
  EXPECT_EQ(parse_recompute_policy("every:250ms").when, When::periodic);
  EXPECT_EQ(parse_recompute_policy("every:250ms").period_ns, 250'000'000U);
}

TEST(RecomputePolicies, AreRefusedWithoutAPeriodOrAName) {
  for (const char* text : {"", "never", "every", "every:", "every:1", "every:0s", "every:-1s"})
    EXPECT_THAT(error_text(ErrorCode::usage, [&] { (void)parse_recompute_policy(text); }),
                HasSubstr("expected artifact, events, static or a period such as every:1s"))
        << text;
}

TEST(FabricEvents, AreTargetsWithTimes) {
  const auto events = parse_fabric_events("spine:31@2s, random:5%,seed=3@500ms,a-b,c@1min", true);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].target, "spine:31");
  EXPECT_EQ(events[0].time_ns, 2'000'000'000U);
  EXPECT_EQ(events[1].target, "random:5%,seed=3");
  EXPECT_EQ(events[1].time_ns, 500'000'000U);
  EXPECT_EQ(events[2].target, "a-b,c");
  EXPECT_TRUE(events[2].fails);
  EXPECT_FALSE(parse_fabric_events("spine:31@0s", false).front().fails);
  EXPECT_EQ(parse_fabric_events(" spine:31 @ 2s ", true).front().target, "spine:31");
}

TEST(FabricEvents, AreRefusedWithoutATimeOrATarget) {
  const auto refusal = [](const char* text) {
    return error_text(ErrorCode::usage, [&] { (void)parse_fabric_events(text, true); });
  };
  EXPECT_THAT(refusal("spine:31"), HasSubstr("failure 'spine:31' has no time"));
  EXPECT_THAT(refusal("spine:31@2s,spine:30"), HasSubstr("failure 'spine:30' has no time"));
  EXPECT_THAT(refusal("spine:31@-2s"), HasSubstr("'-2s' is no time; expected one from 0 on"));
  EXPECT_THAT(refusal("spine:31@2"), HasSubstr("'2' is no time"));
  EXPECT_THAT(refusal("@2s"), HasSubstr("names no target"));
  EXPECT_THAT(refusal("a@1s,,b@2s"), HasSubstr("failure 'a@1s,,b@2s': a part of the list is empty"));
}

}  // namespace
}  // namespace spineweave::test
