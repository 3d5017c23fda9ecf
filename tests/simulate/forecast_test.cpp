#include "simulate/forecast.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spineweave::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Computes until `next_ns`, then communicates for 10 ns in every 30.
JobTimes computing_until(std::uint64_t next_ns, std::uint32_t epochs = 100) {
  return {false, 0, 0, next_ns, {10}, 20, epochs};
}
JobTimes communicating_for(std::uint64_t left_ns, std::uint32_t epochs = 100) {
  return {true, 0, left_ns, 0, {10}, 20, epochs};
}

// Two turns of 10 ns and 5 ns, then it computes for 15 ns.
JobTimes in_two_turns(std::uint32_t turn, std::uint64_t left_ns, std::uint32_t epochs = 100) {
  return {true, turn, left_ns, 0, {10, 5}, 15, epochs};
}

// "ab:5": turns 0 and 1, which are jobs where each has one, for 5 ns.
std::vector<std::string> phases_of(const std::vector<JobTimes>& jobs, std::uint64_t now, std::uint64_t horizon_ns) {
  std::vector<std::string> phases;
  for (const TurnPhase& phase : forecast(jobs, now, horizon_ns).phases) {
    phases.emplace_back();
    for (std::size_t turn = 0; turn < phase.turns.size(); ++turn)
      if (phase.turns[turn]) phases.back() += static_cast<char>('a' + turn);
    phases.back() += ":" + std::to_string(phase.length_ns);
  }
  return phases;
}

TEST(Forecast, JobsThatNeverMeetHaveAPhaseEach) {
  EXPECT_THAT(phases_of({computing_until(100), computing_until(110), computing_until(120)}, 100, 60),
              ElementsAre("a:20", "b:20", "c:20"));
}

TEST(Forecast, TimeInWhichSomeOfASetCommunicateCountsAsTheSets) {
  EXPECT_THAT(phases_of({computing_until(100), computing_until(105)}, 100, 30), ElementsAre("ab:15"));
}

TEST(Forecast, AJobMeetsOneNeighbourAfterTheOther) {
  EXPECT_THAT(phases_of({communicating_for(5), communicating_for(10), computing_until(106)}, 100, 15),
              ElementsAre("ab:6", "bc:9"));
}

TEST(Forecast, ASetThatHappensTwiceIsOnePhase) {
  EXPECT_THAT(phases_of({computing_until(100), computing_until(100)}, 100, 60), ElementsAre("ab:20"));
}

TEST(Forecast, EndsWithTheHorizonAndWithTheLastEpoch) {
  EXPECT_THAT(phases_of({computing_until(100)}, 100, 4), ElementsAre("a:4"));
  EXPECT_THAT(phases_of({computing_until(100, 2)}, 100, 1'000'000), ElementsAre("a:20"));
  EXPECT_THAT(phases_of({communicating_for(7, 0)}, 100, 1'000'000), ElementsAre("a:7"));
  EXPECT_THAT(phases_of({computing_until(200)}, 100, 100), IsEmpty());
  EXPECT_THAT(phases_of({computing_until(200, 0)}, 100, 1000), IsEmpty());
}

TEST(Forecast, JobsInLockstepMeetTurnByTurn) {
  EXPECT_THAT(phases_of({in_two_turns(0, 10), in_two_turns(0, 10)}, 100, 30), ElementsAre("ac:10", "bd:5"));
}

TEST(Forecast, ATurnMeetsThoseThatItsJobIsInAtTheTime) {
  EXPECT_THAT(phases_of({in_two_turns(0, 10, 0), in_two_turns(1, 4, 0)}, 100, 30), ElementsAre("ad:10", "b:5"));
}

TEST(Forecast, LaterTurnsOfThePresentEpochCountAsStarts) {
  EXPECT_THAT(forecast(std::vector<JobTimes>{in_two_turns(0, 10)}, 100, 45).starts, ElementsAre(1U, 2U));
  EXPECT_THAT(forecast(std::vector<JobTimes>{in_two_turns(0, 10)}, 100, 10).starts, ElementsAre(0U, 0U));
}

TEST(Forecast, AJobThatCommunicatesVeryOftenMayBeInAnyOfItsTurns) {
  const JobTimes always = {false, 0, 0, 0, {1, 1}, 0, 1000};
  EXPECT_THAT(phases_of({always, {false, 0, 0, 100, {50}, 0, 1}}, 0, 1500), ElementsAre("ac:750", "bc:750"));
}

TEST(Forecast, BeyondTheMostPhasesTurnsOfOneJobStillNeverMeet) {
  std::vector<JobTimes> jobs;
  for (std::uint64_t job = 0; job < 8; ++job)
    jobs.push_back({false, 0, 0, 7 * job, {100 + job, 90, 80 + 3 * job}, 0, 200});
  const Forecast ahead = forecast(jobs, 0, 1'000'000);
  ASSERT_LE(ahead.phases.size(), kMostPhases);
  std::vector<bool> meets(24 * 24, false);
  for (const TurnPhase& phase : ahead.phases)
    for (std::size_t a = 0; a < 24; ++a)
      for (std::size_t b = 0; b < 24; ++b)
        if (phase.turns[a] && phase.turns[b]) meets[a * 24 + b] = true;
  for (std::size_t a = 0; a < 24; ++a)
    for (std::size_t b = 0; b < 24; ++b) EXPECT_EQ(meets[a * 24 + b], a == b || a / 3 != b / 3) << a << " " << b;
}

TEST(Forecast, CountsTheEpochsThatStartBeforeTheHorizon) {
  const std::vector<JobTimes> jobs = {computing_until(100), computing_until(131), communicating_for(10),
                                      computing_until(100, 2)};
  EXPECT_THAT(forecast(jobs, 100, 61).starts, ElementsAre(3U, 1U, 2U, 2U));
}

TEST(Forecast, AJobThatCommunicatesVeryOftenAlwaysDoes) {
  EXPECT_THAT(phases_of({computing_until(100, 1000)}, 100, 30 * 1000), ElementsAre("a:29980"));
}

TEST(Forecast, BeyondTheMostPhasesTheShortestSetsAreOne) {
  std::vector<JobTimes> jobs;
  for (std::uint64_t job = 0; job < 100; ++job) jobs.push_back({false, 0, 0, 1000 * job, {100 + job}, 0, 1});
  const Forecast ahead = forecast(jobs, 0, 1'000'000);
  ASSERT_THAT(ahead.phases, SizeIs(kMostPhases));
  for (std::size_t job = 0; job < 100; ++job) {
    std::size_t phases = 0;
    for (const TurnPhase& phase : ahead.phases) phases += phase.turns[job] ? 1U : 0U;
    EXPECT_EQ(phases, 1U);
    EXPECT_EQ(ahead.phases.back().turns[job], job <= 100 - kMostPhases);
  }
}

TEST(Forecast, ASetWithinTheOneThatTheShortestMakeIsNoPhaseOfItsOwn) {
  std::vector<JobTimes> jobs;
  for (std::uint64_t job = 0; job < 70; ++job) {
    jobs.push_back({false, 0, 0, 10'000 * job, {10}, 4'990, 1});
    if (job > 0) jobs.push_back({false, 0, 0, 10'000 * job, {10}, 4'990, 1});
  }
  // The first job's long communication alone, beside 69 short ones of pairs, one of which it is part of.
  jobs.front() = {false, 0, 0, 0, {5'000}, 695'000, 2};
  jobs[1].next_epoch_ns = 700'000;
  const Forecast ahead = forecast(jobs, 0, 1'000'000);
  EXPECT_LE(ahead.phases.size(), kMostPhases);
  for (const TurnPhase& phase : ahead.phases)
    for (const TurnPhase& other : ahead.phases) {
      if (&phase == &other) continue;
      bool within = true;
      for (std::size_t job = 0; job < jobs.size(); ++job) within = within && (!phase.turns[job] || other.turns[job]);
      EXPECT_FALSE(within);
    }
}

}  // namespace
}  // namespace spineweave::test
