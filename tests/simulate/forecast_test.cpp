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
  return {false, 0, next_ns, 10, 20, epochs};
}
JobTimes communicating_for(std::uint64_t left_ns, std::uint32_t epochs = 100) {
  return {true, left_ns, 0, 10, 20, epochs};
}

// "ab:5": jobs 0 and 1 for 5 ns.
std::vector<std::string> phases_of(const std::vector<JobTimes>& jobs, std::uint64_t now, std::uint64_t horizon_ns) {
  std::vector<std::string> phases;
  for (const Forecast::Phase& phase : forecast(jobs, now, horizon_ns).phases) {
    phases.emplace_back();
    for (std::size_t job = 0; job < phase.jobs.size(); ++job)
      if (phase.jobs[job]) phases.back() += static_cast<char>('a' + job);
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

TEST(Forecast, CountsTheEpochsThatStartBeforeTheHorizon) {
  const std::vector<JobTimes> jobs = {computing_until(100), computing_until(131), communicating_for(10),
                                      computing_until(100, 2)};
  EXPECT_THAT(forecast(jobs, 100, 61).epochs, ElementsAre(3U, 1U, 2U, 2U));
}

TEST(Forecast, AJobThatCommunicatesVeryOftenAlwaysDoes) {
  EXPECT_THAT(phases_of({computing_until(100, 1000)}, 100, 30 * 1000), ElementsAre("a:29980"));
}

TEST(Forecast, BeyondTheMostPhasesTheShortestSetsAreOne) {
  std::vector<JobTimes> jobs;
  for (std::uint64_t job = 0; job < 100; ++job) jobs.push_back({false, 0, 1000 * job, 100 + job, 0, 1});
  const Forecast ahead = forecast(jobs, 0, 1'000'000);
  ASSERT_THAT(ahead.phases, SizeIs(kMostPhases));
  for (std::size_t job = 0; job < 100; ++job) {
    std::size_t phases = 0;
    for (const Forecast::Phase& phase : ahead.phases) phases += phase.jobs[job] ? 1U : 0U;
    EXPECT_EQ(phases, 1U);
    EXPECT_EQ(ahead.phases.back().jobs[job], job <= 100 - kMostPhases);
  }
}

TEST(Forecast, ASetWithinTheOneThatTheShortestMakeIsNoPhaseOfItsOwn) {
  std::vector<JobTimes> jobs;
  for (std::uint64_t job = 0; job < 70; ++job) {
    jobs.push_back({false, 0, 10'000 * job, 10, 4'990, 1});
    if (job > 0) jobs.push_back({false, 0, 10'000 * job, 10, 4'990, 1});
  }
  // The first job's long communication alone, beside 69 short ones of pairs, one of which it is part of.
  jobs.front() = {false, 0, 0, 5'000, 695'000, 2};
  jobs[1].next_epoch_ns = 700'000;
  const Forecast ahead = forecast(jobs, 0, 1'000'000);
  EXPECT_LE(ahead.phases.size(), kMostPhases);
  for (const Forecast::Phase& phase : ahead.phases)
    for (const Forecast::Phase& other : ahead.phases) {
      if (&phase == &other) continue;
      bool within = true;
      for (std::size_t job = 0; job < jobs.size(); ++job) within = within && (!phase.jobs[job] || other.jobs[job]);
      EXPECT_FALSE(within);
    }
}

}  // namespace
}  // namespace spineweave::test
