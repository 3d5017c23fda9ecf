#include "optimize/harm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "support/random_instances.hpp"

namespace spineweave {
namespace {

SharedCut equal_cut(std::uint32_t num_links, std::uint64_t units) {
  SharedCut cut;
  cut.scales.assign(num_links, 1);
  cut.units = units;
  return cut;
}

TEST(LeastHarmedUnits, AreTwoWhereOneFlowTooManyMeetsFullLinks) {
  // 32 flows over 31 links: the one link with two flows harms both.
  EXPECT_EQ(least_harmed_units(equal_cut(31, 32), 1, 2), 2U);
}

TEST(LeastHarmedUnits, AreAllOfThemWhereEveryLinkMustTakeTwo) {
  EXPECT_EQ(least_harmed_units(equal_cut(4, 8), 1, 2), 8U);
  EXPECT_EQ(least_harmed_units(equal_cut(4, 8), 1, 5), 5U) << "with five on one link, three stay alone";
}

TEST(LeastHarmedUnits, CountTheSmallestLinksAsLost) {
  SharedCut cut = equal_cut(3, 7);
  cut.scales = {1, 1, 2};
  // Room for 4, 4 and 2; if the slow one is above it, 8 units fit on the others.
  EXPECT_EQ(least_harmed_units(cut, 4, 8), 0U);
  cut.units = 9;
  EXPECT_EQ(least_harmed_units(cut, 4, 8), 1U);
}

// By trying every set of jobs.
std::uint32_t least_jobs_by_trial(std::span<const Requirement> requirements, std::uint32_t num_jobs) {
  std::uint32_t least = num_jobs;
  for (std::uint32_t set = 0; set < 1U << num_jobs; ++set) {
    const bool meets = std::ranges::all_of(requirements, [&](const Requirement& requirement) {
      const auto taken = std::ranges::count_if(requirement.jobs, [&](JobId job) { return (set >> job & 1U) != 0; });
      return static_cast<std::uint32_t>(taken) >= requirement.least;
    });
    if (meets) least = std::min(least, static_cast<std::uint32_t>(std::popcount(set)));
  }
  return least;
}

std::vector<Requirement> random_requirements(test::Random& random, std::uint32_t num_jobs) {
  std::vector<Requirement> requirements;
  for (std::uint32_t i = random.below(8); i > 0; --i) {
    Requirement requirement;
    for (JobId job = 0; job < num_jobs; ++job)
      if (random.one_in(3)) requirement.jobs.push_back(job);
    if (requirement.jobs.empty()) continue;
    requirement.least = random.between(1, static_cast<std::uint32_t>(requirement.jobs.size()));
    requirements.push_back(std::move(requirement));
  }
  return requirements;
}

TEST(LeastJobs, AreExactForFewJobs) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(test::test_seed(seed));
    test::Random random(test::test_seed(seed));
    const std::uint32_t num_jobs = random.between(1, 10);
    const std::vector<Requirement> requirements = random_requirements(random, num_jobs);
    EXPECT_EQ(least_jobs(requirements, num_jobs, 0), least_jobs_by_trial(requirements, num_jobs));
  }
}

TEST(LeastJobs, AddUpOverDisjointRequirementsForManyJobs) {
  std::vector<Requirement> requirements;
  for (JobId first = 0; first < 60; first += 3) requirements.push_back({{first, first + 1, first + 2}, 2});
  EXPECT_EQ(least_jobs(requirements, 60, 0), 40U);
}

TEST(LeastJobs, OfNothingAreWhatIsKnown) { EXPECT_EQ(least_jobs({}, 5, 3), 3U); }

}  // namespace
}  // namespace spineweave
