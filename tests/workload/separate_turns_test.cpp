#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "spineweave/workload.hpp"
#include "support/error_text.hpp"

namespace spineweave {
namespace {

using test::error_text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

Job job_of(std::string id, const std::vector<std::uint32_t>& turns) {
  Job job;
  job.id = std::move(id);
  job.epochs = 3;
  for (const std::uint32_t turn : turns) job.collectives.push_back({CollectiveKind::p2p, 1, 1, {0, 1}, 1, turn});
  return job;
}

Workload workload_of(std::uint32_t jobs, std::uint32_t turns) {
  Workload workload;
  std::vector<std::uint32_t> each(turns);
  for (std::uint32_t turn = 0; turn < turns; ++turn) each[turn] = turn;
  for (std::uint32_t j = 0; j < jobs; ++j) workload.jobs.push_back(job_of("j" + std::to_string(j), each));
  return workload;
}

TEST(SeparateTurns, LeavesJobsOfOneTurnAlone) {
  const Workload workload = separate_turns(workload_of(3, 1));
  EXPECT_TRUE(workload.phases.empty());
  EXPECT_THAT(workload.jobs, SizeIs(3));
}

TEST(SeparateTurns, LeavesDeclaredPhasesAlone) {
  Workload declared = workload_of(2, 2);
  declared.phases = {{"day", 5}};
  const Workload workload = separate_turns(declared);
  EXPECT_THAT(workload.phases, SizeIs(1));
  EXPECT_THAT(workload.jobs, SizeIs(2));
}

TEST(SeparateTurns, MakesAJobOfEachTurnInOrder) {
  Workload two;
  two.jobs = {job_of("a", {0, 0, 7}), job_of("b", {4})};
  const Workload workload = separate_turns(two);
  ASSERT_THAT(workload.jobs, SizeIs(3));
  EXPECT_EQ(workload.jobs[0].id, "a/0");
  EXPECT_THAT(workload.jobs[0].collectives, SizeIs(2));
  EXPECT_EQ(workload.jobs[0].epochs, 3U);
  EXPECT_EQ(workload.jobs[1].id, "a/7");
  EXPECT_EQ(workload.jobs[2].id, "b");
  EXPECT_THAT(workload.phases, SizeIs(2));
  EXPECT_EQ(workload.jobs[0].phase_mask, 0b01U);
  EXPECT_EQ(workload.jobs[1].phase_mask, 0b10U);
  EXPECT_EQ(workload.jobs[2].phase_mask, kAllPhases);
}

TEST(SeparateTurns, TakeFewPhases) {
  EXPECT_THAT(separate_turns(workload_of(1, 3)).phases, SizeIs(3));
  EXPECT_THAT(separate_turns(workload_of(3, 3)).phases, SizeIs(9));
  EXPECT_THAT(separate_turns(workload_of(9, 3)).phases, SizeIs(15));
}

TEST(SeparateTurns, NeverMeetInOneJobAndAlwaysSomewhereInTwo) {
  for (const auto& [jobs, turns] :
       {std::pair{1U, 5U}, {2U, 2U}, {3U, 3U}, {4U, 3U}, {27U, 3U}, {8U, 4U}, {2U, 6U}, {5U, 5U}, {1000U, 3U}}) {
    const Workload workload = separate_turns(workload_of(jobs, turns));
    ASSERT_EQ(workload.jobs.size(), jobs * turns);
    ASSERT_LE(workload.phases.size(), 64U);
    for (std::size_t a = 0; a < workload.jobs.size(); ++a)
      for (std::size_t b = a + 1; b < workload.jobs.size(); ++b) {
        const bool meet = (workload.jobs[a].phase_mask & workload.jobs[b].phase_mask) != 0;
        ASSERT_EQ(meet, a / turns != b / turns) << jobs << " jobs: " << workload.jobs[a].id << workload.jobs[b].id;
      }
  }
}

TEST(SeparateTurns, JobsWithFewerTurnsMeetTheOthersToo) {
  Workload mixed;
  mixed.jobs = {job_of("a", {0, 1, 2}), job_of("b", {0, 1}), job_of("c", {5, 6, 9})};
  const Workload workload = separate_turns(mixed);
  for (const Job& x : workload.jobs)
    for (const Job& y : workload.jobs)
      EXPECT_EQ((x.phase_mask & y.phase_mask) != 0, x.id[0] != y.id[0] || x.id == y.id) << x.id << " " << y.id;
}

TEST(SeparateTurns, TooManyAreRefusedWithTheNumbers) {
  EXPECT_THAT(error_text(ErrorCode::bad_input, [] { (void)separate_turns(workload_of(3, 9)); }),
              HasSubstr("3 jobs of up to 9 turns need 81 phases"));
}

}  // namespace
}  // namespace spineweave
