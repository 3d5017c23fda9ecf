#include "simulate/load_recorder.hpp"

#include <gtest/gtest.h>

namespace spineweave::test {
namespace {

constexpr std::uint64_t kMs = 1'000'000;

// Two flows of two jobs, each with a demand of all of its link.
class LoadRecorders : public testing::Test {
 protected:
  [[nodiscard]] LoadRecorder recorder(std::uint32_t most_intervals) const {
    return {fabric_, traffic_, most_intervals};
  }
  [[nodiscard]] float load(const LoadTimeline& timeline, std::uint32_t interval, LinkId link) const {
    return timeline.loads[interval * fabric_.num_links() + link];
  }

  Fabric fabric_ = build_fabric("leaf-spine:leaves=2,spines=1,hosts=2,gbps=100");
  Workload workload_ = build_workload(fabric_, "rings:jobs=2,size=2,placement=packed,seed=1");
  Traffic traffic_ = lay_out_traffic(fabric_, workload_);
  std::vector<LinkId> first_ = {0}, second_ = {1};
};

TEST_F(LoadRecorders, CountWhatIsAskedForEvenBeyondTheCapacity) {
  LoadRecorder recorder = this->recorder(8);
  recorder.set(0, first_, 0);
  recorder.set(1, first_, kMs);
  const LoadTimeline timeline = recorder.finish(2 * kMs);
  EXPECT_EQ(timeline.interval_ns, kMs);
  ASSERT_EQ(timeline.num_intervals, 2U);
  EXPECT_FLOAT_EQ(load(timeline, 0, 0), 1);
  EXPECT_FLOAT_EQ(load(timeline, 1, 0), 2);
  EXPECT_FLOAT_EQ(load(timeline, 1, 1), 0);
}

TEST_F(LoadRecorders, ShareAnIntervalBetweenWhatAFlowTookOneAfterTheOther) {
  LoadRecorder recorder = this->recorder(8);
  recorder.set(0, first_, 0);
  recorder.set(0, second_, kMs / 4);
  recorder.set(0, {}, kMs / 2);
  const LoadTimeline timeline = recorder.finish(kMs);
  EXPECT_FLOAT_EQ(load(timeline, 0, 0), 0.25);
  EXPECT_FLOAT_EQ(load(timeline, 0, 1), 0.25);
}

TEST_F(LoadRecorders, LengthenTheIntervalsInsteadOfHavingMore) {
  LoadRecorder recorder = this->recorder(4);
  recorder.set(0, first_, 0);
  recorder.set(0, {}, kMs);
  recorder.set(0, first_, 6 * kMs);
  const LoadTimeline timeline = recorder.finish(7 * kMs);
  EXPECT_EQ(timeline.interval_ns, 2 * kMs);
  ASSERT_EQ(timeline.num_intervals, 4U);
  EXPECT_FLOAT_EQ(load(timeline, 0, 0), 0.5);
  EXPECT_FLOAT_EQ(load(timeline, 1, 0), 0);
  EXPECT_FLOAT_EQ(load(timeline, 3, 0), 0.5);
}

}  // namespace
}  // namespace spineweave::test
