// The loop's rules, one by one, in simulated time.
#include <gmock/gmock.h>

#include "service/control/simulation.hpp"
#include "support/error_text.hpp"

namespace spineweave::service::test {
namespace {

using spineweave::test::error_text;
using testing::AllOf;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;

constexpr PortState kUp = {LinkState::up, 0};

// Routed, and every host has acknowledged that.
void settle(Simulated& simulated) {
  simulated.pass(100ms);
  for (const std::string& host : simulated.snapshot()->hosts->names)
    simulated->acknowledge(host, simulated.snapshot()->revision);
}

void build(Simulated& simulated, const char* fabric, const char* jobs) {
  simulated->put_fabric(build_fabric(fabric));
  simulated.put_jobs(jobs);
  settle(simulated);
}

// The first link between switches that a flow takes.
std::string a_used_link(const Snapshot& snapshot) {
  for (const auto& routes : snapshot.routing->jobs)
    for (const LinkId link : routes->paths.links())
      if (snapshot.fabric->link(link).from >= snapshot.fabric->num_endpoints() &&
          snapshot.fabric->link(link).to >= snapshot.fabric->num_endpoints())
        return snapshot.fabric->link_name(link);
  return {};
}

std::size_t count_improvements(const Snapshot& snapshot) {
  return static_cast<std::size_t>(
      std::ranges::count_if(snapshot.history->changes, [](const auto& change) { return change->improvement; }));
}

TEST(Loop, JobsAreRoutedAsOneRevisionAfterTheWindow) {
  Simulated simulated;
  simulated->put_fabric(build_fabric(kPaper));
  simulated.put_jobs("paper:jobs=5,ring=4,seed=1");
  simulated.pass(49ms);
  EXPECT_EQ(simulated.snapshot()->routing->revision, 0U);
  simulated.pass(1ms);
  const auto snapshot = simulated.snapshot();
  EXPECT_EQ(snapshot->routing->revision, snapshot->revision);
  EXPECT_TRUE(is_complete(*snapshot));
  ASSERT_NE(snapshot->summary, nullptr);
  EXPECT_TRUE(snapshot->summary->certificate.vector_proved);
  EXPECT_EQ(snapshot->history->changes.size(), 1U);
}

TEST(Loop, TheWindowStartsAtTheFirstChangeAndIsNotExtended) {
  Simulated simulated;
  simulated->put_fabric(build_fabric(kSmall));
  simulated.pass(1s);
  simulated.put_jobs("rings:jobs=1,size=8,seed=1");
  const Revision job = simulated.snapshot()->revision;
  simulated.pass(40ms);
  simulated->set_link("leaf-0->spine-0", kDown);
  simulated.pass(10ms);
  const auto snapshot = simulated.snapshot();
  EXPECT_GT(snapshot->routing->revision, job) << "it waited for the second change";
  EXPECT_EQ(snapshot->summary->inputs, job + 1) << "the second change was left out";
}

TEST(Loop, FlowsLeaveADeadLinkAtOnceWhateverTheMarginAndTheBound) {
  ControllerOptions options = timeless_options();
  options.max_moved.flows = 0;
  options.margin = 1000;
  Simulated simulated(options);
  build(simulated, kPaper, "paper:jobs=5,ring=4,seed=1");
  simulated->set_switch("spine-7", false);
  EXPECT_FALSE(is_clear_of_dead_links(*simulated.snapshot()));
  simulated.pass(50ms);
  EXPECT_TRUE(is_clear_of_dead_links(*simulated.snapshot()));
  EXPECT_TRUE(is_complete(*simulated.snapshot()));
  const RoutingChange& change = *simulated.snapshot()->history->changes.back();
  EXPECT_FALSE(change.improvement);
  for (std::size_t i = 0; i < change.moves.size(); ++i)
    EXPECT_FALSE(is_alive(*simulated.snapshot(), change.from[i])) << "a flow moved that did not have to";
}

TEST(Loop, ALinkThatComesBackIsUsedAfterItHasHeld) {
  Simulated simulated;
  build(simulated, kSmall, "rings:jobs=2,size=8,seed=1");
  const std::string link = a_used_link(*simulated.snapshot());
  const LinkId id = find_links(*simulated.snapshot()->fabric, link).front();
  simulated->set_link(link, kDown);
  EXPECT_EQ(link_state(*simulated.snapshot(), id), kDown) << "worse is believed at once";
  simulated.pass(10s);
  simulated->set_link(link, kUp);
  simulated.pass(29s);
  EXPECT_EQ(link_state(*simulated.snapshot(), id), kDown);
  const Revision before = simulated.snapshot()->revision;
  simulated.pass(1s);
  EXPECT_EQ(link_state(*simulated.snapshot(), id), kUp);
  EXPECT_GT(simulated.snapshot()->revision, before) << "that is a change like others";
}

TEST(Loop, AFlappingLinkCausesFewRevisions) {
  Simulated simulated;
  build(simulated, kPaper, "paper:jobs=5,ring=4,seed=1");
  const std::string link = a_used_link(*simulated.snapshot());
  const std::size_t before = simulated.snapshot()->history->changes.size();
  for (int second = 0; second < 600; ++second) {
    simulated->set_link(link, kDown);
    simulated.pass(500ms);
    simulated->set_link(link, kUp);
    simulated.pass(500ms);
    ASSERT_TRUE(is_clear_of_dead_links(*simulated.snapshot()));
  }
  simulated.pass(1h);
  EXPECT_LE(count_improvements(*simulated.snapshot()), 10U);
  EXPECT_LE(simulated.snapshot()->history->changes.size() - before, 20U);
}

TEST(Loop, WhileFrozenOnlyWhatMustMoveMoves) {
  Simulated simulated;
  build(simulated, kPaper, "paper:jobs=5,ring=4,seed=1");
  simulated->freeze(true);
  simulated->set_switch("spine-3", false);
  simulated.pass(1min);
  EXPECT_TRUE(is_clear_of_dead_links(*simulated.snapshot()));
  EXPECT_EQ(count_improvements(*simulated.snapshot()), 0U);
  const double frozen = simulated.snapshot()->summary->worst_job;
  simulated->freeze(false);
  settle(simulated);
  simulated.pass(1h);
  EXPECT_LE(simulated.snapshot()->summary->worst_job, frozen);
}

TEST(Loop, WithoutReportsNothingIsImproved) {
  ControllerOptions options = timeless_options();
  options.stale_after = 10s;
  Simulated simulated(options);
  build(simulated, kPaper, "paper:jobs=5,ring=4,seed=1");
  EXPECT_FALSE(simulated.snapshot()->health.stale);
  simulated.pass(11s);
  EXPECT_TRUE(simulated.snapshot()->health.stale);
  simulated.put_job(build_workload(*simulated.snapshot()->fabric, "rings:jobs=1,size=8,seed=3").jobs.front());
  simulated.pass(1s);
  EXPECT_TRUE(is_complete(*simulated.snapshot())) << "new jobs are placed all the same";
  EXPECT_EQ(count_improvements(*simulated.snapshot()), 0U);
  simulated->heartbeat();
  simulated.pass(0s);
  simulated->advance();
  EXPECT_FALSE(simulated.snapshot()->health.stale);
}

TEST(Loop, ADryRunShowsWhatItWouldDo) {
  ControllerOptions options = timeless_options();
  options.dry_run = true;
  Simulated simulated(options);
  build(simulated, kSmall, "rings:jobs=2,size=8,seed=1");
  const auto snapshot = simulated.snapshot();
  EXPECT_EQ(snapshot->routing->revision, 0U);
  EXPECT_THAT(snapshot->history->changes, IsEmpty());
  ASSERT_NE(snapshot->proposal, nullptr);
  EXPECT_EQ(snapshot->proposal->moves.size(), 16U);
  EXPECT_NE(snapshot->summary, nullptr);
}

TEST(Loop, AProposalIsGoneWithTheFabricThatItIsOf) {
  ControllerOptions options = timeless_options();
  options.dry_run = true;
  Simulated simulated(options);
  build(simulated, kSmall, "rings:jobs=2,size=8,seed=1");
  ASSERT_NE(simulated.snapshot()->proposal, nullptr);
  simulated->put_fabric(build_fabric("leaf-spine:leaves=8,spines=1,hosts=4,gbps=100"));
  EXPECT_EQ(simulated.snapshot()->proposal, nullptr) << "its links have other numbers, or none, in the new fabric";
}

TEST(Loop, RollbackBringsRoutesBackAndFreezesThem) {
  Simulated simulated;
  build(simulated, kSmall, "rings:jobs=2,size=8,seed=1");
  const auto old = simulated.snapshot();
  const std::string link = a_used_link(*old);
  simulated->set_link(link, kDown);
  settle(simulated);
  EXPECT_NE(simulated.snapshot()->routing->digest, old->routing->digest);
  EXPECT_THAT(error_text(ErrorCode::bad_input, [&] { simulated->rollback(old->revision); }),
              AllOf(HasSubstr("down now"), HasSubstr(link)));
  simulated->set_link(link, kUp);
  simulated.pass(1min);
  simulated->rollback(old->revision);
  EXPECT_EQ(simulated.snapshot()->routing->digest, old->routing->digest);
  EXPECT_TRUE(simulated.snapshot()->frozen);
  EXPECT_EQ(simulated.snapshot()->history->changes.back()->kind, ChangeKind::rollback);
  simulated.pass(1min);
  EXPECT_EQ(simulated.snapshot()->routing->digest, old->routing->digest);
  EXPECT_THROW(simulated->rollback(simulated.snapshot()->revision + 1), NotFoundError);
}

TEST(Loop, AFlowWithoutAnyPathIsNamedAndTheOthersGoOn) {
  Simulated simulated;
  build(simulated, kSmall, "rings:jobs=2,size=8,seed=1");
  const Job job = simulated.snapshot()->jobs->front()->job;
  const std::string& endpoint = simulated.snapshot()->fabric->node(job.collectives.front().ranks.front()).name;
  const std::string leaf =
      simulated.snapshot()
          ->fabric->node(simulated.snapshot()->fabric->links_from(job.collectives[0].ranks[0])[0].to)
          .name;
  const auto before = simulated.snapshot();
  simulated->set_link(endpoint + "-" + leaf, kDown);
  settle(simulated);
  EXPECT_THAT(simulated.snapshot()->summary->unreachable_jobs, ElementsAre(job.id));
  EXPECT_EQ(simulated.snapshot()->summary->unreachable_flows, 2U);
  EXPECT_TRUE(is_clear_of_dead_links(*simulated.snapshot()));
  simulated->set_link(endpoint + "-" + leaf, kUp);
  simulated.pass(1min);
  EXPECT_TRUE(is_complete(*simulated.snapshot()));
  int others = 0;
  for (std::size_t j = 0; j < before->routing->jobs.size(); ++j)
    for (FlowId flow = 0; flow < before->routing->jobs[j]->paths.size(); ++flow)
      others += !std::ranges::equal(before->routing->jobs[j]->paths[flow],
                                    simulated.snapshot()->routing->jobs[j]->paths[flow]);
  EXPECT_LE(others, 2) << "a flow that kept its path was moved";
}

TEST(Loop, AJobThatGoesTakesItsRoutesAlong) {
  Simulated simulated;
  build(simulated, kSmall, "rings:jobs=2,size=8,seed=1");
  const auto before = simulated.snapshot();
  const std::string id = before->jobs->front()->job.id;
  simulated->delete_job(id);
  EXPECT_EQ(simulated.snapshot()->find_routes(id), nullptr);
  const auto changes = Controller::routing_since(*simulated.snapshot(), before->revision);
  ASSERT_TRUE(changes && changes->size() == 1);
  EXPECT_EQ(changes->front()->kind, ChangeKind::job_removed);
  EXPECT_EQ(changes->front()->moves.size(), 8U);
  EXPECT_THAT(changes->front()->to.links(), IsEmpty());
}

TEST(Loop, HistoryIsKeptWithinItsBound) {
  ControllerOptions options = timeless_options();
  options.history = 5;
  Simulated simulated(options);
  build(simulated, kSmall, "rings:jobs=1,size=8,seed=1");
  const Revision first = simulated.snapshot()->routing->revision;
  for (int i = 0; i < 10; ++i) {
    simulated->set_link(a_used_link(*simulated.snapshot()), kDown);
    settle(simulated);
    simulated->put_fabric(build_fabric(kSmall));
    settle(simulated);
  }
  const auto snapshot = simulated.snapshot();
  EXPECT_EQ(snapshot->history->changes.size(), 5U);
  EXPECT_FALSE(Controller::routing_since(*snapshot, first));
  EXPECT_TRUE(Controller::routing_since(*snapshot, snapshot->history->since));
  EXPECT_THROW(simulated->rollback(first), GoneError);
  EXPECT_THROW(simulated->acknowledge(snapshot->hosts->names.front(), first), GoneError);
}

TEST(Loop, TheIntervalImprovesByAFewMovesAtATime) {
  ControllerOptions options = timeless_options();
  options.max_moved.flows = 4;
  Simulated simulated(options);
  build(simulated, kPaper, "paper:jobs=5,ring=4,seed=1");
  for (int spine = 0; spine < 4; ++spine) simulated->set_switch("spine-" + std::to_string(spine), false);
  settle(simulated);
  for (int i = 0; i < 20; ++i) {
    simulated.pass(10s);
    settle(simulated);
  }
  for (const auto& change : simulated.snapshot()->history->changes)
    if (change->improvement) {
      EXPECT_LE(change->moves.size(), 4U);
    }
}

}  // namespace
}  // namespace spineweave::service::test
