// Changes: what is refused, and that it changes nothing; from many threads at once.
#include <gmock/gmock.h>

#include <thread>

#include "service/control/loop_thread.hpp"
#include "service/control/simulation.hpp"
#include "support/error_text.hpp"

namespace spineweave::service::test {
namespace {

using spineweave::test::error_text;
using testing::AllOf;
using testing::HasSubstr;

Job a_job(const Snapshot& snapshot, std::string id, EndpointId first = 0) {
  Job job;
  job.id = std::move(id);
  const std::uint32_t all = snapshot.fabric->num_endpoints();
  job.collectives.push_back(
      {CollectiveKind::ring_allreduce, 1, 1000, {first % all, (first + 5) % all, (first + 10) % all}});
  return job;
}

class Changes : public testing::Test {
 protected:
  void SetUp() override { simulated_->put_fabric(build_fabric(kSmall)); }
  [[nodiscard]] Job job(std::string id) const { return a_job(*simulated_.snapshot(), std::move(id)); }
  // The call throws that, and nothing is another after it.
  template <class Refusal, class Call>
  void expect_refusal(Call&& call) {
    const auto before = simulated_.snapshot();
    EXPECT_THROW(call(), Refusal);
    EXPECT_EQ(simulated_.snapshot()->revision, before->revision);
    EXPECT_EQ(simulated_.snapshot()->jobs, before->jobs);
    EXPECT_EQ(simulated_.snapshot()->reports, before->reports);
  }

  Simulated simulated_;
};

TEST_F(Changes, EachRaisesTheRevisionByOne) {
  const Revision first = simulated_.snapshot()->revision;
  EXPECT_EQ(first, 1U);
  const Change created = simulated_.put_job(job("a"));
  EXPECT_TRUE(created.created);
  EXPECT_EQ(created.revision, 2U);
  EXPECT_FALSE(simulated_.put_job(job("a")).created);
  EXPECT_EQ(simulated_->set_link("leaf-0-spine-0", kDown).revision, 4U);
  EXPECT_EQ(simulated_->freeze(true).revision, 5U);
  EXPECT_EQ(simulated_->freeze(true).revision, 5U) << "frozen already";
}

TEST_F(Changes, AnotherRevisionThanExpectedIsAConflict) {
  const Revision revision = simulated_.put_job(job("a")).revision;
  expect_refusal<RevisionError>([&] { simulated_->put_job(job("a"), *simulated_.snapshot(), revision + 1); });
  expect_refusal<RevisionError>([&] { simulated_->delete_job("a", revision + 1); });
  expect_refusal<RevisionError>([&] { simulated_->put_job(job("b"), *simulated_.snapshot(), 7); });
  expect_refusal<RevisionError>([&] { simulated_->put_fabric(build_fabric(kSmall), 99); });
  EXPECT_NO_THROW(simulated_->delete_job("a", revision));
}

TEST_F(Changes, OfWhatHasNoRevisionOfItsOwnExpectThatNothingHasChanged) {
  const Revision revision = simulated_.put_job(job("a")).revision;
  const Revision stale = revision - 1;
  expect_refusal<RevisionError>([&] { simulated_->set_link("leaf-0-spine-0", kDown, {}, stale); });
  expect_refusal<RevisionError>([&] { simulated_->set_switch("spine-0", false, {}, stale); });
  expect_refusal<RevisionError>(
      [&] { simulated_->acknowledge(simulated_.snapshot()->hosts->names.front(), revision, stale); });
  expect_refusal<RevisionError>([&] { simulated_->freeze(true, stale); });
  expect_refusal<RevisionError>([&] { simulated_->rollback(revision, stale); });
  EXPECT_EQ(simulated_.snapshot()->revision, revision) << "nothing was changed";
  EXPECT_EQ(simulated_->set_link("leaf-0-spine-0", kDown, {}, revision).revision, revision + 1);
  EXPECT_EQ(simulated_->set_switch("spine-1", false, {}, revision + 1).revision, revision + 2);
  EXPECT_EQ(simulated_->acknowledge(simulated_.snapshot()->hosts->names.front(), revision, revision + 2).revision,
            revision + 2);
  EXPECT_EQ(simulated_->freeze(true, revision + 2).revision, revision + 3);
}

TEST_F(Changes, WhatIsNotThereIsNotFound) {
  expect_refusal<NotFoundError>([&] { simulated_->delete_job("nobody"); });
  expect_refusal<NotFoundError>([&] { simulated_->set_link("leaf-0-spine-99", kDown); });
  expect_refusal<NotFoundError>([&] { simulated_->set_switch("leaf-99", false); });
  expect_refusal<NotFoundError>([&] { simulated_->acknowledge("host99", 1); });
}

TEST_F(Changes, AnOlderReportThanKnownIsRefused) {
  simulated_->set_link("leaf-0-spine-0", kDown, 100s);
  expect_refusal<ConflictError>([&] { simulated_->set_link("leaf-0->spine-0", {LinkState::up, 0}, 99s); });
  EXPECT_NO_THROW(simulated_->set_link("leaf-0->spine-0", {LinkState::up, 0}, 100s));
}

TEST_F(Changes, AReportFromTheFutureIsRefused) {
  const Nanoseconds now = simulated_.clock().wall_now();
  EXPECT_NO_THROW(simulated_->set_link("leaf-0-spine-0", kDown, now + 30s));
  expect_refusal<Error>([&] { simulated_->set_link("leaf-0-spine-0", kDown, now + 2min); });
}

TEST_F(Changes, ALinkIsNotDegradedToMoreThanItHas) {
  expect_refusal<Error>([&] { simulated_->set_link("leaf-0-spine-0", {LinkState::degraded, 100'000'000'000}); });
  EXPECT_NO_THROW(simulated_->set_link("leaf-0-spine-0", {LinkState::degraded, 50'000'000'000}));
}

TEST_F(Changes, AJobThatNoFabricCouldServeIsRefused) {
  Job twice = job("twice");
  twice.collectives.front().ranks[1] = twice.collectives.front().ranks[0];
  expect_refusal<Error>([&] { simulated_.put_job(twice); });
  expect_refusal<Error>([&] { simulated_->acknowledge(simulated_.snapshot()->hosts->names[0], 1000); });
}

TEST_F(Changes, AFabricWithoutEndpointsThatJobsUseIsRefused) {
  simulated_.put_job(a_job(*simulated_.snapshot(), "a", 15));
  const auto text = error_text(ErrorCode::bad_input, [&] {
    simulated_->put_fabric(build_fabric("leaf-spine:leaves=2,spines=4,hosts=4,gbps=100"));
  });
  EXPECT_THAT(text, AllOf(HasSubstr("job 'a'"), HasSubstr("does not have")));
}

TEST_F(Changes, AJobReadWithAnotherFabricIsAConflict) {
  const auto before = simulated_.snapshot();
  simulated_->put_fabric(build_fabric("leaf-spine:leaves=5,spines=4,hosts=4,gbps=100"));
  expect_refusal<ConflictError>([&] { simulated_->put_job(a_job(*before, "a"), *before); });
}

TEST_F(Changes, OnALargerFabricJobsKeepTheirRoutesByName) {
  simulated_.put_jobs("rings:jobs=2,size=8,seed=1");
  simulated_.pass(100ms);
  const auto before = simulated_.snapshot();
  simulated_->put_fabric(build_fabric("leaf-spine:leaves=6,spines=5,hosts=4,gbps=100"));
  const auto after = simulated_.snapshot();
  ASSERT_EQ(after->routing->jobs.size(), 2U);
  const auto name_of_links = [](const Snapshot& snapshot) {
    std::vector<std::string> names;
    for (const auto& routes : snapshot.routing->jobs)
      for (const LinkId link : routes->paths.links()) names.push_back(snapshot.fabric->link_name(link));
    return names;
  };
  EXPECT_EQ(name_of_links(*before), name_of_links(*after));
  EXPECT_FALSE(Controller::routing_since(*after, before->revision)) << "older moves mean other links";
}

TEST_F(Changes, JobsKeepTheirPhasesByName) {
  simulated_->put_phases({{"day", 1000}, {"night", 2000}});
  Job nightly = job("nightly");
  nightly.phase_mask = 2;
  simulated_.put_job(nightly);
  simulated_->put_phases({{"night", 1000}, {"noon", 10}});
  EXPECT_EQ(simulated_.snapshot()->find_job("nightly")->job.phase_mask, 1U);
  expect_refusal<ConflictError>([&] { simulated_->put_phases({{"noon", 10}}); });
}

TEST_F(Changes, FromManyThreadsAtOnceAllArriveAndRevisionsAreInOrder) {
  constexpr int kThreads = 8, kJobs = 20;
  std::vector<Revision> heard;
  const Subscription subscription = simulated_->subscribe([&](const Event& event) {
    if (event.kind == Event::Kind::changed) heard.push_back(event.revision);
  });
  const auto basis = simulated_.snapshot();
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int j = 0; j < kJobs; ++j) {
        const std::string id = std::to_string(t) + "-" + std::to_string(j);
        simulated_->put_job(a_job(*basis, id, static_cast<EndpointId>(t * kJobs + j)), *basis);
        EXPECT_THROW(simulated_->delete_job("nobody"), NotFoundError) << "others in its batch are not harmed";
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(simulated_.snapshot()->jobs->size(), std::size_t{kThreads * kJobs});
  ASSERT_EQ(heard.size(), std::size_t{kThreads * kJobs});
  for (std::size_t i = 0; i < heard.size(); ++i) EXPECT_EQ(heard[i], basis->revision + 1 + i);
  simulated_.restart();
  EXPECT_EQ(simulated_.snapshot()->jobs->size(), std::size_t{kThreads * kJobs});
  EXPECT_TRUE(
      std::ranges::is_sorted(*simulated_.snapshot()->jobs, {}, [](const auto& entry) { return entry->job.id; }));
}

TEST_F(Changes, TheLoopsThreadPublishesInRealTime) {
  const SystemClock clock;
  const QuickFolder folder;
  SystemClock system_clock;
  Controller controller(timeless_options(), open_store(folder.file("state")), system_clock);
  std::atomic<bool> routed = false;
  const Subscription subscription = controller.subscribe([&](const Event& event) {
    if (event.kind == Event::Kind::routed) routed = true, routed.notify_all();
  });
  {
    const LoopThread loop(controller, clock);
    controller.put_fabric(build_fabric(kSmall));
    const auto basis = controller.snapshot();
    controller.put_job(a_job(*basis, "a"), *basis);
    routed.wait(false);
  }
  EXPECT_TRUE(is_complete(*controller.snapshot()));
}

}  // namespace
}  // namespace spineweave::service::test
