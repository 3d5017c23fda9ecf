// The cases that the solver is measured by: the same digest on both backends.
#include "differential/differential.hpp"
#include "support/paper_workloads.hpp"
#include "support/shared_files.hpp"

namespace spineweave::test {
namespace {

class DifferentialCases : public PaperWorkloads {
 protected:
  void SetUp() override {
    if (const std::string obstacle = cuda_obstacle(); !obstacle.empty()) GTEST_SKIP() << obstacle;
    PaperWorkloads::SetUp();
  }
};

TEST_F(DifferentialCases, PapersJobsHaveEqualDigestsIntactAndDamaged) {
  for (const std::string& folder : folders()) {
    for (const int dead : {0, 1, 4, 8}) {
      SCOPED_TRACE(fmt::format("{} with {} dead spines", folder, dead));
      expect_equal_solutions(problem(folder, spines_down(dead)), {});
    }
  }
}

TEST_F(DifferentialCases, PapersJobsHaveEqualDigestsWithFourQueuePairs) {
  for (const std::string& folder : folders()) {
    SCOPED_TRACE(folder);
    expect_equal_solutions(problem(folder, "spine:31", 4), {});
  }
}

TEST_F(DifferentialCases, PapersJobsHaveEqualDigestsUnderRandomFaultsAndHashedWeights) {
  for (const std::string& folder : folders()) {
    SCOPED_TRACE(folder);
    ProblemOptions options;
    options.weights = WeightMode::hash;
    SolveOptions solve_options;
    solve_options.rounds = 1;
    expect_equal_solutions(problem(folder, "random:10%,seed=1", 1, options), solve_options);
  }
}

TEST_F(Differential, FatTreePermutationsHaveEqualDigests) {
  const auto fabric = std::make_shared<const Fabric>(build_fabric("fat-tree:k=32,gbps=400"));
  const auto jobs = std::make_shared<const Workload>(build_workload(*fabric, "permutation:seed=1"));
  expect_equal_solutions(std::make_shared<const Problem>(fabric, jobs), {});
}

TEST_F(Differential, RingsOnASuperPodHaveEqualDigests) {
  const auto path = shared_path("samples/ibnetdiscover/dgx-superpod-ndr.out.gz");
  if (!path) GTEST_SKIP() << "the shared sample of a DGX SuperPOD is not here";
  const auto fabric = std::make_shared<const Fabric>(read_fabric(*path));
  for (const char* jobs : {"rings:size=8,placement=random,seed=0", "rings:jobs=1,size=32,placement=random,seed=9"}) {
    SCOPED_TRACE(jobs);
    const auto workload = std::make_shared<const Workload>(build_workload(*fabric, jobs));
    expect_equal_solutions(std::make_shared<const Problem>(fabric, workload), {});
  }
}

}  // namespace
}  // namespace spineweave::test
