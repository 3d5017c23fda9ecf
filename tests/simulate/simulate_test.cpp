// Small fabrics and jobs whose times can be worked out by hand.
#include "spineweave/simulate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "spineweave/error.hpp"
#include "spineweave/threads.hpp"
#include "support/error_text.hpp"

namespace spineweave::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using When = RecomputePolicy::When;

constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr std::uint64_t kBytesOfMillisecond = 12'500'000;  // at 100 Gbit/s

std::shared_ptr<const Fabric> leaves_and_spines(std::uint32_t leaves, std::uint32_t spines, std::uint32_t hosts) {
  return std::make_shared<const Fabric>(build_fabric("leaf-spine:leaves=" + std::to_string(leaves) +
                                                     ",spines=" + std::to_string(spines) +
                                                     ",hosts=" + std::to_string(hosts) + ",gbps=100"));
}

Collective collective(CollectiveKind kind, std::vector<EndpointId> ranks, std::uint64_t bytes = kBytesOfMillisecond,
                      std::uint32_t qps = 1) {
  return {kind, qps, bytes, std::move(ranks)};
}

Job job(const std::string& id, std::uint64_t start_ns, std::uint64_t compute_ns, std::uint32_t epochs,
        std::vector<Collective> collectives) {
  Job made;
  made.id = id;
  made.start_ns = start_ns;
  made.compute_ns = compute_ns;
  made.epochs = epochs;
  made.collectives = std::move(collectives);
  return made;
}

std::shared_ptr<const Workload> workload_of(std::vector<Job> jobs) {
  auto workload = std::make_shared<Workload>();
  workload->jobs = std::move(jobs);
  return workload;
}

Simulation run(const std::shared_ptr<const Fabric>& fabric, const std::shared_ptr<const Workload>& workload,
               Solver solver, const SimulationOptions& options = {}) {
  return simulate(fabric, workload, {}, {solver}, options).front();
}

std::vector<std::uint64_t> allreduce_times(const Simulation& simulation) {
  std::vector<std::uint64_t> times;
  for (const EpochRecord& epoch : simulation.epochs) times.push_back(epoch.allreduce_ns());
  return times;
}

SimulationOptions with_policy(When when, std::uint64_t period_ns = 0) {
  SimulationOptions options;
  options.recompute = {when, period_ns};
  return options;
}

std::vector<FabricEvent> outage(std::uint64_t from_ns, std::uint64_t until_ns, const std::string& target) {
  return {{from_ns, true, target}, {until_ns, false, target}};
}

// Hosts 0 and 1 are on leaf 0, 2 and 3 on leaf 1.
TEST(Simulate, ARingPlaysItsStepsWithANanosecondBeforeEach) {
  const auto jobs = workload_of({job("a", 7, 1000, 3, {collective(CollectiveKind::ring_allreduce, {0, 2, 1})})});
  SimulationOptions options;
  options.record_flows = true;
  const Simulation simulation = run(leaves_and_spines(2, 2, 2), jobs, Solver::weave, options);
  const std::uint64_t epoch = 4 * (kMillisecond + 1);
  EXPECT_THAT(allreduce_times(simulation), ElementsAre(epoch, epoch, epoch));
  EXPECT_EQ(simulation.epochs[0].start_ns, 7U);
  EXPECT_EQ(simulation.epochs[1].start_ns, 7 + epoch + 1000);
  ASSERT_EQ(simulation.flows.size(), (3 * 4 + 1) * 3U);  // and the first step of an epoch more
  EXPECT_EQ(simulation.flows[3].step, 1U);
  EXPECT_EQ(simulation.flows[3].start_ns, 7 + 1 + kMillisecond + 1);
  EXPECT_EQ(simulation.flows.back().epoch, 3U);
  EXPECT_EQ(simulation.end_ns, 7 + 3 * (epoch + 1000) + 1 + kMillisecond);
  EXPECT_THAT(simulation.unfinished, IsEmpty());
}

TEST(Simulate, EveryKindOfCollectiveTakesTheStepsItHas) {
  const auto fabric = leaves_and_spines(2, 2, 2);
  using enum CollectiveKind;
  // Of an all-to-all of three each endpoint sends two flows at once; so do the root and its two children.
  for (const auto& [kind, steps, length] : {std::tuple{ring_allreduce, 4U, 1U},
                                            {all_gather, 2U, 1U},
                                            {reduce_scatter, 2U, 1U},
                                            {all_to_all, 1U, 2U},
                                            {tree_allreduce, 1U, 2U}}) {
    const auto jobs = workload_of({job("a", 0, 0, 1, {collective(kind, {0, 2, 1})})});
    EXPECT_THAT(allreduce_times(run(fabric, jobs, Solver::weave)), ElementsAre(steps * (length * kMillisecond + 1)))
        << name_of(kind);
  }
}

TEST(Simulate, AnEpochEndsWithItsLastCollectiveThoughOthersDoNotWaitForIt) {
  const auto jobs = workload_of({job("a", 0, 0, 2,
                                     {collective(CollectiveKind::ring_allreduce, {0, 2}),
                                      collective(CollectiveKind::p2p, {1, 3}, 5 * kBytesOfMillisecond)})});
  SimulationOptions options;
  options.record_flows = true;
  const Simulation simulation = run(leaves_and_spines(2, 2, 2), jobs, Solver::weave, options);
  EXPECT_THAT(allreduce_times(simulation), Each(5 * kMillisecond + 1));
  EXPECT_EQ(simulation.flows[2].step, 1U);
  EXPECT_EQ(simulation.flows[2].end_ns, 2 * (kMillisecond + 1));
}

TEST(Simulate, APipelineTakesTheStepsOfItsMicroBatchesForwardAndBack) {
  const auto fabric = leaves_and_spines(4, 2, 2);
  for (const std::uint32_t stages : {2U, 3U, 5U})
    for (const std::uint32_t micro_batches : {1U, 2U, 7U}) {
      std::vector<EndpointId> ranks = {0, 2, 4, 6, 1};
      ranks.resize(stages);
      Collective forward = collective(CollectiveKind::pipeline, ranks);
      forward.repeats = micro_batches;
      Collective backward = forward;
      std::ranges::reverse(backward.ranks);
      backward.turn = 1;
      SimulationOptions options;
      options.record_flows = true;
      const auto jobs = workload_of({job("a", 0, 0, 1, {forward, backward})});
      const Simulation simulation = run(fabric, jobs, Solver::weave, options);
      const std::uint64_t expected = 2 * (micro_batches + stages - 2) * (kMillisecond + 1);
      EXPECT_THAT(allreduce_times(simulation), ElementsAre(expected)) << stages << " stages, " << micro_batches;
      EXPECT_THAT(ideal_allreduce_ns(Problem(fabric, jobs)), ElementsAre(expected));
      // Each micro-batch crosses each edge once each way; then the first step of an epoch more.
      EXPECT_EQ(simulation.flows.size(), 2 * micro_batches * (stages - 1) + 1);
    }
}

TEST(Simulate, AnAllToAllRepeats) {
  Collective experts = collective(CollectiveKind::all_to_all, {0, 2, 1});
  experts.repeats = 6;
  const auto jobs = workload_of({job("a", 0, 0, 1, {experts})});
  EXPECT_THAT(allreduce_times(run(leaves_and_spines(2, 2, 2), jobs, Solver::weave)),
              ElementsAre(6 * (2 * kMillisecond + 1)));
}

TEST(Simulate, ATurnStartsWhenTheLastCollectiveOfTheOneBeforeHasEnded) {
  Collective pipeline = collective(CollectiveKind::pipeline, {0, 2});
  Collective longer = collective(CollectiveKind::p2p, {1, 3}, 5 * kBytesOfMillisecond);
  Collective ring = collective(CollectiveKind::ring_allreduce, {0, 2, 1});
  ring.turn = 3;
  SimulationOptions options;
  options.record_flows = true;
  const auto fabric = leaves_and_spines(2, 2, 2);
  const auto jobs = workload_of({job("a", 0, 1000, 2, {pipeline, longer, ring})});
  const Simulation simulation = run(fabric, jobs, Solver::weave, options);
  const std::uint64_t first_turn = 5 * kMillisecond + 1;
  const std::uint64_t epoch = first_turn + 4 * (kMillisecond + 1);
  EXPECT_THAT(allreduce_times(simulation), ElementsAre(epoch, epoch));
  EXPECT_THAT(ideal_allreduce_ns(Problem(fabric, jobs)), ElementsAre(epoch));
  const auto of_ring = std::ranges::find_if(simulation.flows, [](const FlowRecord& flow) { return flow.flow >= 2; });
  EXPECT_EQ(of_ring->start_ns, first_turn + 1);
  // After the last epoch comes the first step of the first turn alone.
  EXPECT_EQ(simulation.end_ns, 2 * (epoch + 1000) + first_turn);
}

TEST(Simulate, TheArtifactsControllerRoutesEachTurnForItself) {
  // Together the four flows would find a spine for two of them; turn by turn each pair has both spines.
  const auto turn = [](std::uint32_t number, EndpointId from) {
    Collective p2p = collective(CollectiveKind::p2p, {from, from + 2});
    p2p.turn = number;
    return p2p;
  };
  const auto jobs = workload_of({job("a", 0, 0, 1, {turn(0, 0), turn(0, 1), turn(1, 0), turn(1, 1)})});
  const Simulation simulation = run(leaves_and_spines(2, 2, 2), jobs, Solver::weave);
  EXPECT_THAT(allreduce_times(simulation), ElementsAre(2 * (kMillisecond + 1)));
  ASSERT_GE(simulation.recomputations.size(), 2U);
  EXPECT_EQ(simulation.recomputations[0].flows, 2U);
  EXPECT_EQ(simulation.recomputations[1].flows, 2U);
  EXPECT_EQ(simulation.recomputations[1].time_ns, kMillisecond + 1);
}

TEST(Simulate, ControllersThatRouteAllTurnsAtOnceKnowThatThoseOfAJobNeverMeet) {
  std::vector<Collective> turns = {collective(CollectiveKind::p2p, {0, 2}), collective(CollectiveKind::p2p, {1, 3})};
  turns[1].turn = 1;
  for (const auto when : {When::beforehand, When::events}) {
    const Simulation simulation =
        run(leaves_and_spines(2, 1, 2), workload_of({job("a", 0, 0, 1, turns)}), Solver::weave, with_policy(when));
    EXPECT_EQ(simulation.recomputations.front().worst_job, 1.0);
    EXPECT_EQ(simulation.recomputations.front().phases, 2U);
  }
}

TEST(Simulate, AStepEndsWithItsLastSubflow) {
  // Four subflows on four spines fill the NIC together.
  const auto jobs =
      workload_of({job("a", 0, 0, 1, {collective(CollectiveKind::ring_allreduce, {0, 2}, kBytesOfMillisecond, 4)})});
  EXPECT_THAT(allreduce_times(run(leaves_and_spines(2, 4, 2), jobs, Solver::weave)),
              ElementsAre(2 * (kMillisecond + 1)));
}

TEST(Simulate, JobsThatSayNothingPlayElevenEpochsAndAllPlayWhatIsAskedFor) {
  const auto jobs = workload_of({job("a", 0, 0, 0, {collective(CollectiveKind::p2p, {0, 2})})});
  const auto fabric = leaves_and_spines(2, 2, 2);
  EXPECT_EQ(run(fabric, jobs, Solver::ecmp).epochs.size(), kUsualEpochs);
  SimulationOptions options;
  options.epochs = 2;
  EXPECT_EQ(run(fabric, jobs, Solver::ecmp, options).epochs.size(), 2U);
}

TEST(Simulate, JobsOnOneSpineShareItWhileBothCommunicate) {
  // The second starts when the first is half through, and is alone for its second half.
  const auto jobs = workload_of({job("a", 0, 0, 1, {collective(CollectiveKind::p2p, {0, 2}, 2 * kBytesOfMillisecond)}),
                                 job("b", kMillisecond, 100 * kMillisecond, 1,
                                     {collective(CollectiveKind::p2p, {1, 3}, 2 * kBytesOfMillisecond)})});
  const Simulation simulation = run(leaves_and_spines(2, 1, 2), jobs, Solver::weave);
  ASSERT_EQ(simulation.epochs.size(), 2U);
  EXPECT_EQ(simulation.epochs[0].allreduce_ns(), 3 * kMillisecond + 1);
  // After one nanosecond alone it meets the step that the first job plays after its epoch.
  EXPECT_EQ(simulation.epochs[1].allreduce_ns(), 4 * kMillisecond);
}

TEST(Simulate, TheArtifactsMomentsAreStartsOfEpochsAndEndsBesideOthers) {
  const auto jobs = workload_of({job("a", 0, 0, 1, {collective(CollectiveKind::p2p, {0, 2}, 4 * kBytesOfMillisecond)}),
                                 job("b", kMillisecond, 0, 1, {collective(CollectiveKind::p2p, {1, 3})})});
  const Simulation simulation = run(leaves_and_spines(2, 2, 2), jobs, Solver::weave);
  std::vector<std::uint64_t> times;
  std::vector<std::uint32_t> flows;
  for (const RecomputationRecord& recomputation : simulation.recomputations) {
    times.push_back(recomputation.time_ns);
    flows.push_back(recomputation.flows);
  }
  // The end of b's epoch is also the start of its next one, and there is one routing for both.
  EXPECT_THAT(times, ElementsAre(0, kMillisecond, 2 * kMillisecond + 1, 4 * kMillisecond + 1));
  EXPECT_THAT(flows, ElementsAre(1U, 2U, 2U, 1U));
}

TEST(Simulate, RoutesAreRecomputedAtThePeriodOnEventsOrOnce) {
  const auto jobs = workload_of({job("a", 0, 0, 2, {collective(CollectiveKind::p2p, {0, 2}, 4 * kBytesOfMillisecond)}),
                                 job("b", kMillisecond, 0, 1, {collective(CollectiveKind::p2p, {1, 3})})});
  const auto fabric = leaves_and_spines(2, 2, 2);
  const auto moments = [&](const SimulationOptions& options) {
    std::vector<std::uint64_t> times;
    for (const RecomputationRecord& recomputation : run(fabric, jobs, Solver::weave, options).recomputations)
      times.push_back(recomputation.time_ns);
    return times;
  };
  EXPECT_THAT(moments(with_policy(When::beforehand)), ElementsAre(0U));
  EXPECT_THAT(moments(with_policy(When::periodic, 5 * kMillisecond)), ElementsAre(5 * kMillisecond, 10 * kMillisecond));
  // a and b start, and b ends with the step that it plays after its epoch.
  const auto on_events = moments(with_policy(When::events));
  ASSERT_EQ(on_events.size(), 3U);
  EXPECT_EQ(on_events[1], kMillisecond);
}

// Both jobs cross from leaf 0 to leaf 1, over one spine each.
std::shared_ptr<const Workload> two_crossing_jobs() {
  return workload_of({job("a", 0, 0, 1, {collective(CollectiveKind::p2p, {0, 2}, 10 * kBytesOfMillisecond)}),
                      job("b", 0, 0, 1, {collective(CollectiveKind::p2p, {1, 3}, 10 * kBytesOfMillisecond)})});
}

TEST(Simulate, AFailureLeadsFlowsAroundAtOnceUnderEveryPolicy) {
  const auto fabric = leaves_and_spines(2, 2, 2);
  for (const When when : {When::artifact, When::events, When::beforehand}) {
    SimulationOptions options = with_policy(when);
    options.fabric_events = {{5 * kMillisecond + 1, true, "spine:1"}};
    const Simulation simulation = run(fabric, two_crossing_jobs(), Solver::weave, options);
    EXPECT_THAT(allreduce_times(simulation), Each(15 * kMillisecond + 1));
    std::uint32_t moves = 0;
    for (const RecomputationRecord& recomputation : simulation.recomputations) moves += recomputation.moves;
    EXPECT_EQ(moves, 1U);
  }
}

TEST(Simulate, AFlowThatIsRoutedAnewAtOnceMovesOnce) {
  SimulationOptions options = with_policy(When::events);
  options.fabric_events = {{5 * kMillisecond, true, "spine:0,spine:1,spine:2"}};
  const Simulation simulation = run(leaves_and_spines(2, 8, 2), two_crossing_jobs(), Solver::coloring, options);
  const auto at_failure = [](const RecomputationRecord& record) { return record.time_ns == 5 * kMillisecond; };
  ASSERT_EQ(std::ranges::count_if(simulation.recomputations, at_failure), 1);
  EXPECT_LE(std::ranges::find_if(simulation.recomputations, at_failure)->moves, 2U);
}

TEST(Simulate, AfterARecoveryFlowsGoBackWhereTheyWere) {
  SimulationOptions options = with_policy(When::beforehand);
  options.fabric_events = outage(4 * kMillisecond + 1, 8 * kMillisecond + 1, "spine:1");
  const Simulation simulation = run(leaves_and_spines(2, 2, 2), two_crossing_jobs(), Solver::coloring, options);
  EXPECT_THAT(allreduce_times(simulation), Each(12 * kMillisecond + 1));
}

TEST(Simulate, AFlowWithoutAPathWaitsForTheRecoveryAndOthersDoNot) {
  SimulationOptions options;
  options.fabric_events = outage(5 * kMillisecond + 1, 20 * kMillisecond + 1, "host-1-0");
  for (const Solver solver : {Solver::ecmp, Solver::weave}) {
    const Simulation simulation = run(leaves_and_spines(2, 4, 2), two_crossing_jobs(), solver, options);
    ASSERT_EQ(simulation.epochs.size(), 2U);
    EXPECT_EQ(simulation.epochs[0].job, 1U);
    EXPECT_EQ(simulation.epochs[1].job, 0U);
    EXPECT_EQ(simulation.epochs[1].allreduce_ns(), 25 * kMillisecond + 1);
  }
}

TEST(Simulate, AJobThatIsCutOffForGoodIsNamedAsUnfinished) {
  for (const When when : {When::artifact, When::periodic}) {
    SimulationOptions options = with_policy(when, kMillisecond);
    options.fabric_events = {{5 * kMillisecond, true, "host-1-0"}};
    const Simulation simulation = run(leaves_and_spines(2, 4, 2), two_crossing_jobs(), Solver::weave, options);
    EXPECT_THAT(simulation.unfinished, ElementsAre(0U));
    EXPECT_EQ(simulation.epochs.size(), 1U);
  }
}

TEST(Simulate, AFailureAtTheStartIsTheFabricWithoutTheTarget) {
  const auto fabric = leaves_and_spines(4, 4, 4);
  const auto jobs = std::make_shared<const Workload>(build_workload(*fabric, "rings:jobs=4,size=4,seed=1"));
  SimulationOptions options;
  const auto without = run(std::make_shared<const Fabric>(with_faults(*fabric, "spine:3")), jobs, Solver::ecmp);
  options.fabric_events = {{0, true, "spine:3"}};
  EXPECT_EQ(allreduce_times(run(fabric, jobs, Solver::ecmp, options)), allreduce_times(without));
}

TEST(Simulate, NoMoreFlowsMoveThanAllowed) {
  const auto fabric = leaves_and_spines(8, 8, 8);
  const auto jobs = std::make_shared<const Workload>(
      build_workload(*fabric, "rings:jobs=8,size=8,placement=random,seed=1,bytes=1GB"));
  for (const std::uint32_t most : {0U, 1U, 3U}) {
    SimulationOptions options;
    options.max_moves = most;
    options.fabric_events = {{100 * kMillisecond, true, "spine:7"}};
    for (const RecomputationRecord& recomputation : run(fabric, jobs, Solver::weave, options).recomputations)
      EXPECT_TRUE(!recomputation.by_controller || recomputation.moves <= most) << recomputation.moves;
  }
}

// Two jobs whose communications never meet, and that share both leaves.
std::shared_ptr<const Workload> two_jobs_in_turns() {
  std::vector<Job> jobs;
  for (const EndpointId first : {0U, 1U})
    jobs.push_back(job(first == 0 ? "a" : "b", first * 5 * kMillisecond, 7 * kMillisecond, 5,
                       {collective(CollectiveKind::p2p, {first, first + 2}, 3 * kBytesOfMillisecond)}));
  return workload_of(std::move(jobs));
}

TEST(Simulate, AHorizonKnowsWhoWillNotMeet) {
  SimulationOptions options = with_policy(When::beforehand);
  EXPECT_EQ(run(leaves_and_spines(2, 1, 2), two_jobs_in_turns(), Solver::weave, options).recomputations[0].worst_job,
            2.0);
  options.horizon_ns = 20 * kMillisecond;
  const RecomputationRecord ahead =
      run(leaves_and_spines(2, 1, 2), two_jobs_in_turns(), Solver::weave, options).recomputations[0];
  EXPECT_EQ(ahead.worst_job, 1.0);
  EXPECT_EQ(ahead.phases, 2U);
}

TEST(Simulate, AHorizonRoutesJobsBeforeTheyCommunicate) {
  SimulationOptions options;
  options.horizon_ns = 6 * kMillisecond;
  const Simulation simulation = run(leaves_and_spines(2, 2, 2), two_jobs_in_turns(), Solver::weave, options);
  EXPECT_EQ(simulation.recomputations.front().flows, 2U);
  options.horizon_ns = 5 * kMillisecond;  // the second job starts just then
  EXPECT_EQ(run(leaves_and_spines(2, 2, 2), two_jobs_in_turns(), Solver::weave, options).recomputations[0].flows, 1U);
}

TEST(Simulate, AHorizonRoutesTheTurnsThatStartBeforeIt) {
  Collective later = collective(CollectiveKind::p2p, {1, 3});
  later.turn = 1;
  const auto jobs = workload_of({job("a", 0, kMillisecond, 1, {collective(CollectiveKind::p2p, {0, 2}), later})});
  SimulationOptions options;
  EXPECT_EQ(run(leaves_and_spines(2, 2, 2), jobs, Solver::weave, options).recomputations.front().flows, 1U);
  options.horizon_ns = 1;
  EXPECT_EQ(run(leaves_and_spines(2, 2, 2), jobs, Solver::weave, options).recomputations.front().flows, 1U);
  options.horizon_ns = 2 * kMillisecond;
  const Simulation ahead = run(leaves_and_spines(2, 1, 2), jobs, Solver::weave, options);
  EXPECT_EQ(ahead.recomputations.front().flows, 2U);
  EXPECT_EQ(ahead.recomputations.front().worst_job, 1.0);
}

TEST(Simulate, AHorizonInWhichNobodyCommunicatesIsRefusedWhereRoutesAreChosenOnce) {
  const auto jobs = workload_of({job("late", 7000, 0, 1, {collective(CollectiveKind::p2p, {0, 2})})});
  SimulationOptions options = with_policy(When::beforehand);
  options.horizon_ns = 7000;
  EXPECT_THAT(
      error_text(ErrorCode::bad_input, [&] { (void)run(leaves_and_spines(2, 2, 2), jobs, Solver::weave, options); }),
      HasSubstr("no job communicates within the horizon of 7000 ns, and routes are chosen once: the first job starts "
                "at 7000 ns"));
  options.horizon_ns = 7001;
  EXPECT_EQ(run(leaves_and_spines(2, 2, 2), jobs, Solver::weave, options).recomputations.size(), 1U);
}

TEST(Simulate, TheMoreMovesCostTheFewerAreMade) {
  const auto fabric = leaves_and_spines(8, 8, 8);
  const auto jobs = std::make_shared<const Workload>(
      build_workload(*fabric, "rings:jobs=8,size=8,placement=random,seed=1,bytes=1GB"));
  std::vector<std::uint64_t> moves;
  for (const std::uint64_t cost : {kMillisecond, 20 * kMillisecond, 3600'000 * kMillisecond}) {
    SimulationOptions options;
    options.move_cost_ns = cost;
    options.fabric_events = {{100 * kMillisecond, true, "spine:7"}};
    moves.push_back(0);
    for (const RecomputationRecord& recomputation : run(fabric, jobs, Solver::weave, options).recomputations)
      if (recomputation.by_controller) moves.back() += recomputation.moves;
  }
  EXPECT_GT(moves[0], 0U);
  EXPECT_GE(moves[0], moves[1]);
  EXPECT_EQ(moves[2], 0U);
}

TEST(Simulate, IsTheSameForEveryThreadCountAndBesideOthers) {
  const auto fabric = leaves_and_spines(8, 8, 8);
  const auto jobs = std::make_shared<const Workload>(
      build_workload(*fabric, "rings:jobs=8,size=8,placement=random,seed=1,bytes=1GB"));
  const std::vector<Solver> solvers = {Solver::ecmp, Solver::greedy, Solver::coloring, Solver::weave};
  SimulationOptions options;
  options.epochs = 3;
  options.fabric_events = outage(300 * kMillisecond, 900 * kMillisecond, "random:20%,seed=1");
  options.horizon_ns = 2000 * kMillisecond;
  options.move_cost_ns = kMillisecond;
  std::vector<std::uint64_t> alone;
  for (const Solver solver : solvers) alone.push_back(run(fabric, jobs, solver, options).digest);
  for (const std::uint32_t threads : {1U, 2U, 3U, 8U}) {
    const ThreadScope scope(threads);
    std::vector<std::uint64_t> digests;
    for (const Simulation& simulation : simulate(fabric, jobs, {}, solvers, options))
      digests.push_back(simulation.digest);
    EXPECT_EQ(digests, alone) << threads << " threads";
  }
}

TEST(Simulate, StopsWhenAskedToWithWhatItHas) {
  const std::atomic<bool> stop = true;
  SimulationOptions options;
  options.stop = &stop;
  const Simulation simulation = run(leaves_and_spines(2, 2, 2), two_crossing_jobs(), Solver::weave, options);
  EXPECT_TRUE(simulation.truncated);
  EXPECT_THAT(simulation.unfinished, ElementsAre(0U, 1U));
}

TEST(Simulate, TimesBeyondTheClockAreRefused) {
  const auto jobs =
      workload_of({job("late", 0, std::uint64_t{1} << 62U, 2, {collective(CollectiveKind::p2p, {0, 2})})});
  EXPECT_THAT(error_text(ErrorCode::bad_input, [&] { (void)run(leaves_and_spines(2, 2, 2), jobs, Solver::ecmp); }),
              HasSubstr("job 'late' starts at 0 ns and computes 4611686018427387904 ns in each of 2 epochs"));
}

TEST(IdealAllreduce, CountsAccessLinksOnlyAndEachJobAlone) {
  const auto fabric = leaves_and_spines(2, 1, 2);
  const auto jobs = workload_of(
      {job("a", 5, 0, 3, {collective(CollectiveKind::ring_allreduce, {0, 2}, 12'500'001)}),
       job("b", 0, 0, 1, {collective(CollectiveKind::p2p, {0, 3}), collective(CollectiveKind::p2p, {0, 2})})});
  EXPECT_THAT(ideal_allreduce_ns(Problem(fabric, jobs)), ElementsAre(2 * (kMillisecond + 1 + 1), 2 * kMillisecond + 1));
}

}  // namespace
}  // namespace spineweave::test
