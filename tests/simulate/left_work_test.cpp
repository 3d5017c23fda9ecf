// Routing by what collectives have left.
#include <gtest/gtest.h>

#include <numeric>

#include "spineweave/simulate.hpp"

namespace spineweave::test {
namespace {

// The paper's jobs, which start and end at different times, on a fabric that has lost a spine.
class LeftWork : public testing::Test {
 protected:
  [[nodiscard]] Simulation play(Solver solver, std::optional<std::uint32_t> max_moves = {}) const {
    SimulationOptions options;
    options.epochs = 4;
    options.max_moves = max_moves;
    return simulate(fabric_, jobs_, {}, {solver}, options).front();
  }
  [[nodiscard]] static double mean_ms(const Simulation& simulation) {
    const double sum = std::accumulate(
        simulation.epochs.begin(), simulation.epochs.end(), 0.0,
        [](double before, const EpochRecord& epoch) { return before + static_cast<double>(epoch.allreduce_ns()); });
    return sum / static_cast<double>(simulation.epochs.size()) / 1e6;
  }
  [[nodiscard]] static std::uint64_t moves(const Simulation& simulation) {
    std::uint64_t sum = 0;
    for (const RecomputationRecord& record : simulation.recomputations) sum += record.moves;
    return sum;
  }

  std::shared_ptr<const Fabric> fabric_ = std::make_shared<const Fabric>(
      with_faults(build_fabric("leaf-spine:leaves=64,spines=32,hosts=32,gbps=100"), "spine:31"));
  std::shared_ptr<const Workload> jobs_ =
      std::make_shared<const Workload>(build_workload(*fabric_, "paper:jobs=5,ring=4,seed=1"));
};

TEST_F(LeftWork, LetsThoseThatAreAheadShareLinks) {
  const Simulation weave = play(Solver::weave);
  EXPECT_LT(mean_ms(weave), 0.97 * mean_ms(play(Solver::coloring)));
  EXPECT_LT(mean_ms(weave), 0.97 * mean_ms(play(Solver::greedy)));
}

TEST_F(LeftWork, MovesFewerFlowsThanColoring) { EXPECT_LT(moves(play(Solver::weave)), moves(play(Solver::coloring))); }

TEST_F(LeftWork, GainsWithinABoundOnMoves) {
  const Simulation none = play(Solver::weave, 0), some = play(Solver::weave, 40);
  for (const RecomputationRecord& record : some.recomputations) EXPECT_LE(record.moves, 40U);
  EXPECT_GT(moves(some), 0U);
  EXPECT_LT(mean_ms(some), mean_ms(none));
}

}  // namespace
}  // namespace spineweave::test
