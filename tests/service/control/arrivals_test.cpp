// Jobs that come and go: where it ends is as good as a fresh start.
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <fstream>

#include "service/control/simulation.hpp"
#include "spineweave/assess.hpp"
#include "util/hash.hpp"

namespace spineweave::service::test {
namespace {

constexpr const char* kFabric = "leaf-spine:leaves=32,spines=16,hosts=32,gbps=100";

// A ring over endpoints that no other job has, or nothing where too few are left.
class Arrivals {
 public:
  Arrivals(const Fabric& fabric, std::uint64_t seed) : seed_(seed), used_(fabric.num_endpoints(), false) {}

  std::optional<Job> arrive() {
    const std::uint32_t ranks = 2 + util::random_below(random(), 60);
    std::vector<EndpointId> all_free;
    for (EndpointId id = 0; id < used_.size(); ++id)
      if (!used_[id]) all_free.push_back(id);
    if (all_free.size() < ranks) return std::nullopt;
    Job job;
    job.id = "job" + std::to_string(next_++);
    job.collectives.push_back({CollectiveKind::ring_allreduce, 1, 1'000'000, {}});
    for (std::uint32_t r = 0; r < ranks; ++r) {
      const std::size_t at = r + util::random_below(random(), static_cast<std::uint32_t>(all_free.size()) - r);
      std::swap(all_free[r], all_free[at]);
      job.collectives.front().ranks.push_back(all_free[r]);
      used_[all_free[r]] = true;
    }
    jobs_.push_back(job);
    return job;
  }
  std::optional<std::string> depart() {
    if (jobs_.empty()) return std::nullopt;
    const std::size_t at = util::random_below(random(), static_cast<std::uint32_t>(jobs_.size()));
    const Job job = jobs_[at];
    jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(at));
    for (const EndpointId rank : job.collectives.front().ranks) used_[rank] = false;
    return job.id;
  }
  // One or the other.
  void step(Simulated& simulated) {
    if ((random() >> 60U) < 9) {
      if (auto job = arrive()) simulated.put_job(std::move(*job));
    } else if (const auto id = depart()) {
      simulated->delete_job(*id);
    }
  }
  [[nodiscard]] const std::vector<Job>& jobs() const { return jobs_; }

 private:
  std::uint64_t random() { return util::random_at(seed_, 0, count_++); }

  std::uint64_t seed_, count_ = 0, next_ = 0;
  std::vector<bool> used_;
  std::vector<Job> jobs_;
};

ControllerOptions trusting_options() {
  ControllerOptions options = timeless_options();
  options.ack_timeout = 0ns;
  return options;
}

TEST(Arrivals, AThousandInRandomOrderEndAsWellAsAFreshStart) {
  Simulated simulated(trusting_options());
  simulated->put_fabric(build_fabric(kFabric));
  Arrivals arrivals(*simulated.snapshot()->fabric, 7);
  for (int i = 0; i < 1000; ++i) {
    arrivals.step(simulated);
    simulated.pass(i % 3 == 0 ? 100ms : 10ms);
  }
  simulated.pass(2min);  // moves are bounded: it gets there in several revisions
  const auto grown = simulated.snapshot();

  Simulated fresh(trusting_options());
  fresh->put_fabric(build_fabric(kFabric));
  for (const Job& job : arrivals.jobs()) fresh.put_job(job);
  fresh.pass(30s);
  const auto reference = fresh.snapshot();

  ASSERT_EQ(grown->jobs->size(), reference->jobs->size());
  for (std::size_t j = 0; j < grown->jobs->size(); ++j)
    EXPECT_EQ((*grown->jobs)[j]->job.id, (*reference->jobs)[j]->job.id);
  EXPECT_TRUE(is_complete(*grown));
  ASSERT_TRUE(grown->summary->assessment && reference->summary->assessment);
  EXPECT_NEAR(grown->summary->assessment->network_efficiency, reference->summary->assessment->network_efficiency, 0.02);
}

// Of this process, without what malloc keeps for later.
std::size_t resident_bytes() {
  malloc_trim(0);
  std::size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(ArrivalsLong, MemoryStaysFlatOverADayOfEvents) {
  ControllerOptions options = trusting_options();
  options.history = 100;
  options.time_budget = options.search_budget = 2ms;
  Simulated simulated(options);
  simulated->put_fabric(build_fabric(kFabric));
  Arrivals arrivals(*simulated.snapshot()->fabric, 3);
  constexpr int kEvents = 6000, kWarm = 1500;
  std::size_t warm = 0;
  for (int i = 0; i < kEvents; ++i) {
    arrivals.step(simulated);
    simulated.pass(Nanoseconds(24h) / kEvents);
    if (i % 10 == 0) {
      const PortState state{i % 20 == 0 ? LinkState::down : LinkState::up, 0};
      simulated->set_link("leaf-3-spine-" + std::to_string(i / 20 % 8), state);
    }
    if (i == kWarm) warm = resident_bytes();
  }
  const std::size_t last = resident_bytes();
  EXPECT_LT(last, warm + warm / 4) << warm << " bytes after warm-up, " << last << " at the end";
}

}  // namespace
}  // namespace spineweave::service::test
