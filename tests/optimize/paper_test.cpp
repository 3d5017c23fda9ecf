// The paper's workloads and reference assignments, where they lie beside the repository.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "spineweave/assess.hpp"
#include "spineweave/io.hpp"
#include "spineweave/optimize.hpp"
#include "spineweave/threads.hpp"
#include "support/paper_workloads.hpp"
#include "support/shared_files.hpp"

namespace spineweave::test {
namespace {

constexpr std::uint64_t kFullSpeed = std::uint64_t{1} << kNormalBits;

Solution route(const std::shared_ptr<const Problem>& problem, Solver solver) {
  SolveOptions options;
  options.solver = solver;
  options.ecmp_hash = EcmpHash::artifact;
  return solve(*make_evaluator(problem), options);
}

TEST_F(PaperWorkloads, AreSolvedAtFullSpeedAndProvedWhileNothingIsDown) {
  ASSERT_EQ(folders().size(), 13U);
  for (const std::string& folder : folders()) {
    SCOPED_TRACE(folder);
    const auto p = problem(folder);
    for (const Solver solver : {Solver::weave, Solver::coloring}) {
      const Solution solution = route(p, solver);
      EXPECT_EQ(p->utilisation(solution.score.max_congestion), 1.0);
      EXPECT_TRUE(solution.certificate.vector_proved);
      for (const JobAssessment& job : assess(*p, solution.routing).jobs) EXPECT_EQ(job.slowdown, 1.0);
    }
  }
}

TEST_F(PaperWorkloads, HaveTheirWorstJobProvedWithDeadSpines) {
  for (const std::string& folder : folders()) {
    for (const int dead : {1, 4, 8}) {
      SCOPED_TRACE(fmt::format("{} with {} dead spines", folder, dead));
      const Solution solution = route(problem(folder, spines_down(dead)), Solver::weave);
      EXPECT_TRUE(solution.certificate.max_proved);
      EXPECT_EQ(solution.certificate.gap, 0.0);
    }
  }
}

TEST_F(PaperWorkloads, LoseLittleWithFourQueuePairsAndADeadSpine) {
  for (const std::string& folder : folders()) {
    SCOPED_TRACE(folder);
    const auto p = problem(folder, "spine:31", 4);
    const Solution solution = route(p, Solver::weave);
    EXPECT_TRUE(solution.certificate.max_proved);
    EXPECT_LE(solution.score.normalised.front(), kFullSpeed * 5 / 4);
    EXPECT_GE(assess(*p, solution.routing).network_efficiency, 0.75);
  }
}

TEST_F(PaperWorkloads, CloseTheGapUnderRandomFaultsAndHashedWeights) {
  for (const std::string& folder : folders()) {
    double gaps = 0;
    double greedy_gaps = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      ProblemOptions options;
      parse_weights("hash:1-100", options);
      options.seed = seed;
      const auto p = problem(folder, fmt::format("random:10%,seed={}", seed), 1, options);
      gaps += route(p, Solver::weave).certificate.gap;
      greedy_gaps += route(p, Solver::greedy).certificate.gap;
    }
    EXPECT_LE(gaps / 3, 0.02) << folder;
    EXPECT_LE(gaps, greedy_gaps / 10) << folder;
  }
}

TEST_F(PaperWorkloads, GiveTheSameDigestForAnyNumberOfThreads) {
  const std::string folder = root_ + "/concurrent_jobs_5/ring_size_4";
  for (const std::string& faults : {std::string(), spines_down(4)}) {
    std::vector<std::uint64_t> digests;
    for (const std::uint32_t threads : {1U, 2U, 3U, 8U}) {
      const ThreadScope scope(threads);
      digests.push_back(route(problem(folder, faults), Solver::weave).digest);
    }
    EXPECT_THAT(digests, testing::Each(digests.front()));
  }
}

struct Assignment {
  std::map<std::pair<std::string, std::string>, std::string> spine;  // by (src, dst)
  std::uint32_t max_load = 0;
};

// connection_id,job_id,src,dst,src_tor,core,dst_tor
Assignment read_assignment(const std::string& path) {
  Assignment assignment;
  std::map<std::pair<std::string, std::string>, std::uint32_t> load;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::vector<std::string> column;
    for (std::string word; std::getline(words, word, ',');) column.push_back(word);
    assignment.spine[{column.at(2), column.at(3)}] = column.at(5);
    assignment.max_load = std::max({assignment.max_load, ++load[{column.at(4), "up " + column.at(5)}],
                                    ++load[{column.at(6), "down " + column.at(5)}]});
  }
  return assignment;
}

TEST_F(PaperWorkloads, AreRoutedByEcmpAndGreedyAsTheArtifactDoes) {
  for (const auto& [name, folder] :
       {std::pair{"cj3_r8", "concurrent_jobs_3/ring_size_8"}, {"cj5_r4", "concurrent_jobs_5/ring_size_4"}}) {
    for (const int dead : {0, 1, 4, 8}) {
      SCOPED_TRACE(fmt::format("{} with {} dead spines", name, dead));
      const auto stem = shared_path("reference/static_assignments");
      if (!stem) GTEST_SKIP() << "the reference assignments are not beside the repository";
      const Assignment ecmp = read_assignment(fmt::format("{}/{}_f{}_ecmp.csv", *stem, name, dead));
      const Assignment greedy = read_assignment(fmt::format("{}/{}_f{}_mcvlc.csv", *stem, name, dead));
      const auto p = problem(root_ + "/" + folder, spines_down(dead));
      ASSERT_EQ(ecmp.spine.size(), p->num_flows());
      const Routing routing = route(p, Solver::ecmp).routing;
      std::vector<LinkId> links;
      for (FlowId f = 0; f < p->num_flows(); ++f) {
        links.clear();
        p->append_links(f, routing[f], links);
        const auto name_of_node = [&](NodeId id) { return p->fabric().node(id).name; };
        ASSERT_EQ(name_of_node(p->fabric().link(links.at(1)).to),
                  ecmp.spine.at({name_of_node(p->flows()[f].src), name_of_node(p->flows()[f].dst)}));
      }
      EXPECT_EQ(p->utilisation(route(p, Solver::greedy).score.max_congestion), greedy.max_load);
    }
  }
}

}  // namespace
}  // namespace spineweave::test
