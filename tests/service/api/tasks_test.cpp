// Evaluations and optimizations.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "service/api/test_service.hpp"
#include "service/tasks/request.hpp"
#include "spineweave/optimize.hpp"

namespace spineweave::service::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kFabric = "leaf-spine:leaves=4,spines=4,hosts=4,gbps=100";
const std::string kJobs = "rings:jobs=4,size=4,placement=random,seed=1";

std::string request(Json more = Json::object()) {
  more["fabric"] = kFabric;
  more["jobs"] = kJobs;
  return more.dump();
}

std::string digest_of_the_library() {
  const auto fabric = std::make_shared<const Fabric>(build_fabric(kFabric));
  const auto jobs = std::make_shared<const Workload>(build_workload(*fabric, kJobs));
  const auto evaluator = make_evaluator(std::make_shared<const Problem>(fabric, jobs));
  return fmt::format("{:016x}", solve(*evaluator, {}).digest);
}

// Large enough to run until it is cancelled.
std::string endless() {
  return Json{{"fabric", "fat-tree:k=8,gbps=400"},
              {"jobs", "permutation:seed=1"},
              {"solver", "annealing"},
              {"rounds", 1000000000}}
      .dump();
}

TEST(Tasks, AnOptimizationIsAcceptedDoneAndFetched) {
  const TestService service;
  const Answer accepted = service.ask("POST", "/v1/optimizations", request());
  EXPECT_THAT(accepted.status, testing::AnyOf(200, 202));
  const std::string place = accepted.headers.at("location");
  const Json done = service.get(place + "?wait=30s");
  EXPECT_EQ(done.at("state"), "done");
  EXPECT_EQ(done.at("report").at("digest"), digest_of_the_library());
  const Json routing = service.get(place + "/routing");
  EXPECT_EQ(routing.at("schema"), "spineweave.routing/1");
  EXPECT_EQ(routing.at("digest"), digest_of_the_library());
}

TEST(Tasks, WaitingMakesItSynchronous) {
  const TestService service;
  const Answer answer = service.ask("POST", "/v1/optimizations?wait=30s", request());
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(Json::parse(answer.body).at("report").at("digest"), digest_of_the_library());
}

TEST(Tasks, AnEvaluationRatesTheRoutingThatAnOptimizationFound) {
  const TestService service;
  const Answer optimized = service.ask("POST", "/v1/optimizations?wait=30s", request());
  const Json routing = service.get(optimized.headers.at("location") + "/routing");
  const Answer rated = service.ask("POST", "/v1/evaluations?wait=30s", request({{"routing", routing}}));
  EXPECT_EQ(rated.status, 200) << rated.body;
  EXPECT_EQ(Json::parse(rated.body).at("report").at("digest"), digest_of_the_library());
  const Answer ecmp = service.ask("POST", "/v1/evaluations?wait=30s", request({{"solver", "ecmp"}}));
  EXPECT_NE(Json::parse(ecmp.body).at("report").at("digest"), digest_of_the_library());
}

TEST(Tasks, ValidationChecksAndKeepsNothing) {
  const TestService service;
  const Answer answer = service.ask("POST", "/v1/optimizations?validate_only=true", request());
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(Json::parse(answer.body).at("problem").at("jobs"), 4);
  EXPECT_EQ(service.ask("GET", "/v1/optimizations/1").status, 404);
  EXPECT_EQ(
      service.ask("POST", "/v1/optimizations?validate_only=true", R"({"fabric": "leaf-spine:leaves=1"})").status / 100,
      4);
}

TEST(Tasks, WhatIsWrongIsSaidAtOnce) {
  const TestService service;
  const auto refusal = [&](const std::string& body) {
    const Answer answer = service.ask("POST", "/v1/optimizations", body);
    EXPECT_EQ(answer.status / 100, 4) << answer.body;
    return answer.body;
  };
  EXPECT_THAT(refusal("{}"), HasSubstr("'fabric' is missing"));
  EXPECT_THAT(refusal("[]"), HasSubstr("no JSON object"));
  EXPECT_THAT(refusal(request({{"solver", "magic"}})), HasSubstr("solver is 'magic'"));
  EXPECT_THAT(refusal(request({{"sover", "weave"}})), AllOf(HasSubstr("sover"), HasSubstr("solver")));
  EXPECT_THAT(refusal(request({{"time_limit", 5}})), HasSubstr("expected a text"));
  EXPECT_THAT(refusal(request({{"backend", "abacus"}})), HasSubstr("abacus"));
  EXPECT_EQ(service.ask("POST", "/v1/evaluations", request()).status, 422) << "neither routing nor solver";
}

TEST(Tasks, ATimeLimitIsRoundedUpForNoneIsUnlimited) {
  EXPECT_EQ(parse_optimization(request({{"time_limit", "500ns"}})).options.time_limit_us, 1U);
  EXPECT_EQ(parse_optimization(request({{"time_limit", "2ms"}})).options.time_limit_us, 2000U);
  EXPECT_EQ(parse_optimization(request()).options.time_limit_us, 0U);
}

TEST(Tasks, ACancelledOneEndsAndMakesRoomForTheNext) {
  ServiceOptions options = quick_options();
  options.most_tasks = 1;
  const TestService service(options);
  const std::string first = service.ask("POST", "/v1/optimizations", endless()).headers.at("location");
  while (service.get(first).at("state") == "queued") std::this_thread::yield();
  EXPECT_EQ(service.ask("GET", first).status, 202);
  EXPECT_EQ(service.ask("GET", first + "/routing").status, 409);
  EXPECT_EQ(service.ask("POST", "/v1/optimizations", endless()).status, 202) << "the one that may wait";
  const Answer refused = service.ask("POST", "/v1/optimizations", endless());
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(refused.body, HasSubstr("task-queue-full"));
  for (const char* task : {"/v1/optimizations/2", "/v1/optimizations/1"}) {
    const Answer cancelled = service.ask("DELETE", task);
    EXPECT_EQ(Json::parse(cancelled.body).at("state"), "cancelled");
  }
  EXPECT_EQ(service.ask("POST", "/v1/optimizations?wait=30s", request()).status, 200);
}

}  // namespace
}  // namespace spineweave::service::test
