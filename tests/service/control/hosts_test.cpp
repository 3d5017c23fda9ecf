// What hosts really use, apart from what they should.
#include <gmock/gmock.h>

#include "service/control/simulation.hpp"

namespace spineweave::service::test {
namespace {

const HostState& state_of(const Snapshot& snapshot, std::uint32_t host) { return (*snapshot.host_states)[host]; }

void acknowledge_all(Simulated& simulated, std::uint32_t but_every = kNone) {
  const auto snapshot = simulated.snapshot();
  for (std::uint32_t host = 0; host < snapshot->hosts->names.size(); ++host)
    if (host % but_every != 0 || but_every == kNone)
      simulated->acknowledge(snapshot->hosts->names[host], snapshot->revision);
}

class Hosts : public testing::Test {
 protected:
  void SetUp() override {
    simulated_->put_fabric(build_fabric(kPaper));
    simulated_.put_jobs("paper:jobs=5,ring=4,seed=1");
    simulated_.pass(100ms);
  }
  // A host that sends a flow over links between switches.
  [[nodiscard]] std::uint32_t a_sender() const {
    const JobRoutes& routes = *simulated_.snapshot()->routing->jobs.front();
    for (FlowId flow = 0; flow < routes.paths.size(); ++flow)
      if (routes.paths[flow].size() > 2) return routes.job->host_of_flow[flow];
    return kNone;
  }
  [[nodiscard]] std::string a_link_of(std::uint32_t host) const {
    const auto snapshot = simulated_.snapshot();
    for (const auto& routes : snapshot->routing->jobs)
      for (FlowId flow = 0; flow < routes->paths.size(); ++flow)
        if (routes->job->host_of_flow[flow] == host && routes->paths[flow].size() > 2)
          return snapshot->fabric->link_name(routes->paths[flow][1]);
    return {};
  }

  Simulated simulated_;
};

TEST_F(Hosts, AHostIsBehindUntilItAcknowledges) {
  const std::uint32_t host = a_sender();
  const auto behind = simulated_.snapshot();
  EXPECT_NE(state_of(*behind, host).detours, nullptr);
  EXPECT_GT(behind->health.hosts_behind, 0U);
  acknowledge_all(simulated_);
  const auto snapshot = simulated_.snapshot();
  EXPECT_EQ(state_of(*snapshot, host).detours, nullptr);
  EXPECT_EQ(state_of(*snapshot, host).acknowledged, behind->revision);
  EXPECT_EQ(snapshot->health.hosts_behind, 0U);
  EXPECT_EQ(snapshot->revision, behind->revision) << "an acknowledgement changes nothing that was wanted";
}

TEST_F(Hosts, AnOldAcknowledgementTellsWhatPathsAHostUses) {
  acknowledge_all(simulated_);
  const std::uint32_t host = a_sender();
  const auto before = simulated_.snapshot();
  simulated_->set_link(a_link_of(host), kDown);
  simulated_.pass(100ms);
  const auto after = simulated_.snapshot();
  ASSERT_NE(state_of(*after, host).detours, nullptr);
  const auto detours = *state_of(*after, host).detours;
  simulated_->acknowledge(after->hosts->names[host], after->revision);
  EXPECT_EQ(state_of(*simulated_.snapshot(), host).detours, nullptr);
  simulated_->acknowledge(after->hosts->names[host], before->revision);
  ASSERT_NE(state_of(*simulated_.snapshot(), host).detours, nullptr);
  EXPECT_EQ(state_of(*simulated_.snapshot(), host).detours->size(), detours.size());
  EXPECT_EQ(state_of(*simulated_.snapshot(), host).detours->front().path, detours.front().path);
}

TEST_F(Hosts, ASilentHostIsPinnedAndListedUntilItSpeaks) {
  acknowledge_all(simulated_);
  const std::uint32_t host = a_sender();
  simulated_->set_link(a_link_of(host), kDown);
  simulated_.pass(29s);
  EXPECT_FALSE(state_of(*simulated_.snapshot(), host).pinned);
  simulated_.pass(2s);
  EXPECT_TRUE(state_of(*simulated_.snapshot(), host).pinned);
  EXPECT_GT(simulated_.snapshot()->health.hosts_pinned, 0U);
  EXPECT_TRUE(is_clear_of_dead_links(*simulated_.snapshot())) << "what it uses is dead: it is no place to stay";
  simulated_->acknowledge(simulated_.snapshot()->hosts->names[host], simulated_.snapshot()->revision);
  EXPECT_FALSE(state_of(*simulated_.snapshot(), host).pinned);
}

TEST_F(Hosts, WhatHostsUseSurvivesARestart) {
  acknowledge_all(simulated_, 3);
  simulated_->set_switch("spine-5", false);
  simulated_.pass(100ms);
  const auto before = simulated_.snapshot();
  simulated_.restart();
  const auto after = simulated_.snapshot();
  ASSERT_EQ(before->host_states->size(), after->host_states->size());
  for (std::uint32_t host = 0; host < before->host_states->size(); ++host) {
    const HostState& a = state_of(*before, host);
    const HostState& b = state_of(*after, host);
    EXPECT_EQ(a.acknowledged, b.acknowledged);
    EXPECT_EQ(a.behind_since, b.behind_since);
    ASSERT_EQ(a.detours == nullptr, b.detours == nullptr) << host;
    if (!a.detours) continue;
    ASSERT_EQ(a.detours->size(), b.detours->size());
    for (std::size_t i = 0; i < a.detours->size(); ++i) EXPECT_EQ((*a.detours)[i].path, (*b.detours)[i].path);
  }
}

TEST(SilentHosts, DoNotKeepFlowsOnDeadLinksNorOthersFromGoingOn) {
  ControllerOptions options = timeless_options();
  options.max_moved.flows = 8;
  Simulated simulated(options);
  simulated->put_fabric(build_fabric(kPaper));
  simulated.put_jobs("paper:jobs=5,ring=4,seed=1");
  simulated.pass(100ms);
  const auto acknowledge = [&] {  // 7 of 10
    const auto snapshot = simulated.snapshot();
    for (std::uint32_t host = 0; host < snapshot->hosts->names.size(); ++host)
      if (host % 10 >= 3) simulated->acknowledge(snapshot->hosts->names[host], snapshot->revision);
  };
  acknowledge();
  simulated.pass(40s);
  EXPECT_GT(simulated.snapshot()->health.hosts_pinned, 0U);
  simulated->set_switch("spine-0", false);
  simulated->set_switch("spine-1", false);
  simulated.pass(50ms);
  const auto snapshot = simulated.snapshot();
  EXPECT_TRUE(is_clear_of_dead_links(*snapshot));
  EXPECT_TRUE(is_complete(*snapshot));
  const RoutingChange& change = *snapshot->history->changes.back();
  EXPECT_GT(change.moves.size(), 8U) << "more flows were on dead links than may move to get better";
  EXPECT_GE(change.transition.max_utilisation, change.transition.max_before);
  EXPECT_GE(change.transition.num_batches, 1U);
  for (int i = 0; i < 30; ++i) {
    acknowledge();
    simulated.pass(10s);
  }
  const auto later = simulated.snapshot();
  for (const auto& each : later->history->changes) {
    if (each->revision <= change.revision) continue;
    for (std::size_t i = 0; i < each->moves.size(); ++i) {
      const bool silent = each->moves[i].host % 10 < 3;
      EXPECT_FALSE(silent && is_alive(*later, each->from[i])) << "a pinned host was told to leave a live path";
    }
  }
  EXPECT_TRUE(is_clear_of_dead_links(*later));
}

}  // namespace
}  // namespace spineweave::service::test
