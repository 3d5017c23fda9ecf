// Fabric, jobs, links, hosts and routes over HTTP.
#include <gmock/gmock.h>

#include "service/api/test_service.hpp"

namespace spineweave::service::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

std::string tag_of(const Answer& answer) { return answer.headers.at("etag"); }

// The first link between switches that the routes of the host take.
std::string link_in_use(const TestService& service, const std::string& host) {
  const Json routes = service.get("/v1/routing?host=" + host);
  for (const Json& route : routes.at("routes"))
    if (route.at("links").size() > 2) return route.at("links").at(1);
  return "";
}

std::string encoded(std::string link) {
  const std::size_t arrow = link.find('>');
  return arrow == std::string::npos ? link : link.replace(arrow, 1, "%3E");
}

TEST(RoutingApi, AFabricAndAJobGetRoutes) {
  const TestService service;
  EXPECT_EQ(service.ask("PUT", "/v1/fabric", "leaf-spine:leaves=4,spines=4,hosts=2,gbps=100").status, 201);
  EXPECT_EQ(service.ask("PUT", "/v1/jobs/ring", service.ring_of_all()).status, 201);
  (void)service.wait_for_routes_after(0);
  const Json routing = service.get("/v1/routing");
  EXPECT_EQ(routing.at("routes").size(), 8U);
  EXPECT_EQ(routing.at("digest").get<std::string>().size(), 16U);
  const Json first = routing.at("routes").at(0);
  const Json host = service.get("/v1/routing?host=" + first.at("src").get<std::string>());
  EXPECT_EQ(host.at("routes"), Json::array({first}));
  EXPECT_EQ(host.at("revision"), routing.at("revision"));
}

TEST(RoutingApi, PutsAnswerWithRevisionsThatIfMatchChecks) {
  const TestService service;
  (void)service.put_fabric_and_job();
  const std::string tag = tag_of(service.ask("GET", "/v1/jobs/ring"));
  const std::string job = service.ring_of_all();
  const Answer changed = service.ask("PUT", "/v1/jobs/ring", job, "If-Match: " + tag + "\r\n");
  EXPECT_EQ(changed.status, 200);
  EXPECT_EQ(tag_of(changed), '"' + std::to_string(Json::parse(changed.body).at("revision").get<Revision>()) + '"');
  const Answer stale = service.ask("PUT", "/v1/jobs/ring", job, "If-Match: " + tag + "\r\n");
  EXPECT_EQ(stale.status, 412);
  EXPECT_THAT(stale.body, HasSubstr("urn:spineweave:problem:revision"));
  EXPECT_EQ(service.ask("PUT", "/v1/jobs/ring", job, "If-Match: \"x\"\r\n").status, 400);
  EXPECT_EQ(service.ask("DELETE", "/v1/jobs/ring", "", "If-Match: 999\r\n").status, 412);
  EXPECT_EQ(service.ask("DELETE", "/v1/jobs/ring").status, 200);
  EXPECT_EQ(service.ask("GET", "/v1/jobs/ring").status, 404);
  EXPECT_EQ(service.ask("DELETE", "/v1/jobs/ring").status, 404);
}

// Only the fabric, the phases and each job have a revision of their own.
TEST(RoutingApi, OfTheRestIfMatchAsksThatNothingHasChanged) {
  const TestService service;
  (void)service.put_fabric_and_job();
  const std::string host = Json::parse(service.ask("GET", "/v1/hosts").body).at("hosts").at(0).at("id");
  struct Case {
    const char* read;
    const char* method;
    std::string target, body;
  };
  const Case cases[] = {{"/v1/fabric/reports", "PATCH", "/v1/fabric/links/leaf-0-spine-0", R"({"state": "down"})"},
                        {"/v1/fabric/reports", "PATCH", "/v1/fabric/switches/spine-1", R"({"state": "down"})"},
                        {"/v1/status", "POST", "/v1/freeze", ""},
                        {"/v1/hosts", "POST", "/v1/hosts/" + host + "/applied", R"({"revision": 1})"},
                        {"/v1/status", "POST", "/v1/unfreeze", ""}};
  ASSERT_EQ(service.ask("POST", "/v1/freeze").status, 200) << "no routing comes in between";
  for (const Case& change : cases) {
    SCOPED_TRACE(change.target);
    const std::string if_match = "If-Match: " + tag_of(service.ask("GET", change.read)) + "\r\n";
    ASSERT_EQ(service.ask("PATCH", "/v1/fabric/links/leaf-3-spine-3", R"({"state": "up"})").status, 200);
    const Answer refused = service.ask(change.method, change.target, change.body, if_match);
    EXPECT_EQ(refused.status, 412);
    EXPECT_THAT(refused.body, HasSubstr("the state has revision"));
  }
  EXPECT_EQ(service.ask("POST", "/v1/rollback", R"({"revision": 1})", "If-Match: 1\r\n").status, 412);
}

TEST(RoutingApi, AFabricComesInAnyFormatAndCompressed) {
  const TestService service;
  (void)service.put_fabric_and_job();
  const Answer fabric = service.ask("GET", "/v1/fabric");
  EXPECT_EQ(service.ask("PUT", "/v1/fabric", gzip(fabric.body)).status, 200);
  EXPECT_EQ(service.ask("GET", "/v1/fabric").body, fabric.body);
  const std::string floodns =
      "num_nodes=7\nnum_undirected_edges=6\nswitches=incl_range(0,2)\nswitches_which_are_tors=incl_range(0,1)\n"
      "cores=set(2)\nservers=incl_range(3,6)\nundirected_edges=incl_range(0:1-2,3:4-0,5:6-1)\n"
      "link_data_rate_bit_per_ns=100\n";
  const Answer conflict = service.ask("PUT", "/v1/fabric", floodns);
  EXPECT_EQ(conflict.status / 100, 4) << "the job's endpoints are not in it";
  EXPECT_EQ(service.ask("DELETE", "/v1/jobs/ring").status, 200);
  EXPECT_EQ(service.ask("PUT", "/v1/fabric", floodns).status, 200);
  EXPECT_EQ(service.get("/v1/status").at("fabric").at("endpoints"), 4);
}

TEST(RoutingApi, AJobComesBackAsItWasPut) {
  const TestService service;
  (void)service.put_fabric_and_job();
  Json job = service.get("/v1/jobs/ring");
  EXPECT_EQ(job.at("id"), "ring");
  job.erase("id");
  EXPECT_EQ(job, Json::parse(service.ring_of_all()));
  const Json list = service.get("/v1/jobs");
  EXPECT_EQ(list.at("jobs").at(0).at("id"), "ring");
  EXPECT_EQ(list.at("jobs").at(0).at("flows"), 8);
}

TEST(RoutingApi, ADeadLinkIsLeftAndItsFlowsAreTheChangesSince) {
  const TestService service;
  const Revision before = service.put_fabric_and_job();
  const Json routes = service.get("/v1/routing").at("routes");
  const std::string host = routes.at(1).at("src");
  const std::string link = link_in_use(service, host);
  ASSERT_FALSE(link.empty());
  EXPECT_EQ(service.ask("PATCH", "/v1/fabric/links/" + encoded(link), R"({"state": "down"})").status, 200);
  const Json changes = service.get("/v1/routing?since=" + std::to_string(before) + "&wait=20s&host=" + host);
  ASSERT_FALSE(changes.at("changes").empty());
  const Json move = changes.at("changes").at(0).at("moves").at(0);
  EXPECT_EQ(move.at("src"), host);
  EXPECT_THAT(move.at("from"), Contains(link));
  EXPECT_THAT(move.at("to"), testing::Not(Contains(link)));
  EXPECT_EQ(link_in_use(service, host), move.at("to").at(1));
  const Json reports = service.get("/v1/fabric/reports");
  EXPECT_EQ(reports.at("links").at(0).at("believed"), "down");
  EXPECT_EQ(service.get("/v1/status").at("fabric").at("links_down"), 1);
}

TEST(RoutingApi, ChangesThatAreNotKeptAreGone) {
  ServiceOptions options = quick_options();
  options.history = 1;
  const TestService service(options);
  Revision last = service.put_fabric_and_job();
  for (const char* state : {"down", "up"}) {
    (void)service.ask("PATCH", "/v1/fabric/switches/spine-0", R"({"state": ")" + std::string(state) + R"("})");
    (void)service.ask("PUT", std::string("/v1/jobs/") + state, service.ring_of_all());
    last = service.wait_for_routes_after(last);
  }
  const Answer answer = service.ask("GET", "/v1/routing?since=0");
  EXPECT_EQ(answer.status, 410);
  EXPECT_THAT(answer.body, HasSubstr("get the whole routing"));
  EXPECT_EQ(service.ask("GET", "/v1/routing?since=999999").status, 410) << "a revision that never was";
  EXPECT_EQ(service.ask("GET", "/v1/routing?since=" + std::to_string(last)).status, 200);
}

TEST(RoutingApi, ALongPollEndsEmptyWhenItsTimeIsOver) {
  const TestService service;
  const Revision now = service.put_fabric_and_job();
  const Json changes = service.get("/v1/routing?since=" + std::to_string(now) + "&wait=10ms");
  EXPECT_EQ(changes.at("changes"), Json::array());
  EXPECT_EQ(changes.at("revision"), now);
}

TEST(RoutingApi, WhoHasTheRevisionGetsNoBody) {
  const TestService service;
  (void)service.put_fabric_and_job();
  const std::string host = service.get("/v1/hosts").at("hosts").at(0).at("id");
  const std::string target = "/v1/routing?host=" + host;
  const Answer first = service.ask("GET", target);
  const Answer second = service.ask("GET", target, "", "If-None-Match: " + tag_of(first) + "\r\n");
  EXPECT_EQ(second.status, 304);
  EXPECT_EQ(second.body, "");
}

TEST(RoutingApi, HostsAcknowledgeWhatTheyUse) {
  const TestService service;
  const Revision revision = service.put_fabric_and_job();
  const std::string host = service.get("/v1/routing").at("routes").at(0).at("src");
  const std::string body = R"({"revision": )" + std::to_string(revision) + "}";
  EXPECT_EQ(service.ask("POST", "/v1/hosts/" + host + "/applied", body).status, 200);
  const Json state = service.get("/v1/hosts/" + host);
  EXPECT_EQ(state.at("acknowledged"), revision);
  EXPECT_EQ(state.at("detours"), Json::array());
  EXPECT_EQ(service.ask("POST", "/v1/hosts/nobody/applied", body).status, 404);
  EXPECT_EQ(service.ask("POST", "/v1/hosts/" + host + "/applied", R"({"revision": 99999})").status / 100, 4);
}

TEST(RoutingApi, RollbackBringsRoutesBackUnlessTheirLinksAreDead) {
  const TestService service;
  const Revision first = service.put_fabric_and_job();
  const Json before = service.get("/v1/routing").at("routes");
  const std::string link = before.at(1).at("links").at(1);
  (void)service.ask("PATCH", "/v1/fabric/links/" + encoded(link), R"({"state": "down"})");
  const Revision second = service.wait_for_routes_after(first);
  const std::string body = R"({"revision": )" + std::to_string(first) + "}";
  const Answer refused = service.ask("POST", "/v1/rollback", body);
  EXPECT_EQ(refused.status, 409);
  EXPECT_THAT(refused.body, HasSubstr("urn:spineweave:problem:conflict"));
  (void)second;
  EXPECT_EQ(service.ask("POST", "/v1/freeze").status, 200);
  EXPECT_TRUE(service.get("/v1/status").at("frozen"));
  EXPECT_EQ(service.ask("POST", "/v1/unfreeze").status, 200);
  EXPECT_FALSE(service.get("/v1/status").at("frozen"));
}

TEST(RoutingApi, WhatIsWrongWithABodyIsSaidInTheLibrarysWords) {
  const TestService service;
  const auto refusal = [&](std::string_view method, std::string_view target, std::string_view body) {
    const Answer answer = service.ask(method, target, body);
    EXPECT_EQ(answer.status, 422) << answer.body;
    return answer.body;
  };
  EXPECT_THAT(refusal("PUT", "/v1/fabric", "{\"schema\": \"spineweave.fabric/1\",\n x"),
              HasSubstr("body:2: is no valid JSON"));
  EXPECT_THAT(refusal("PUT", "/v1/fabric", "nonsense"), HasSubstr("expected a fabric"));
  EXPECT_THAT(refusal("PUT", "/v1/fabric", ""), HasSubstr("is empty"));
  EXPECT_EQ(service.ask("PUT", "/v1/jobs/j", "{}").status, 409) << "no fabric yet";
  (void)service.put_fabric_and_job();
  EXPECT_THAT(refusal("PUT", "/v1/jobs/j", R"({"collectives": [], "epoch": 1})"),
              AllOf(HasSubstr("unknown key 'epoch'"), HasSubstr("epochs")));
  EXPECT_THAT(refusal("PUT", "/v1/jobs/j", R"({"collectives": [{"kind": "p2p", "bytes": 1, "ranks": ["x", "y"]}]})"),
              HasSubstr("are no endpoints of the fabric"));
  EXPECT_THAT(refusal("PUT", "/v1/jobs/j", std::string(100, '[') + std::string(100, ']')), HasSubstr("nests deeper"));
  EXPECT_THAT(refusal("PATCH", "/v1/fabric/switches/spine-0", R"({"state": "broken"})"),
              HasSubstr("up, down or degraded"));
  EXPECT_THAT(refusal("PATCH", "/v1/fabric/switches/spine-0", R"({"state": "up", "observed_at": "yesterday"})"),
              HasSubstr("observed_at is 'yesterday'"));
  EXPECT_EQ(service.ask("PATCH", "/v1/fabric/switches/nothing", R"({"state": "up"})").status, 404);
  EXPECT_EQ(service.ask("GET", "/v1/routing?host=nobody").status, 404);
}

TEST(RoutingApi, QueriesAreReadStrictly) {
  const TestService service;
  EXPECT_THAT(service.ask("GET", "/v1/routing?hots=a").body,
              AllOf(HasSubstr("unknown parameter 'hots'"), HasSubstr("host")));
  EXPECT_EQ(service.ask("GET", "/v1/routing?since=-1").status, 400);
  EXPECT_EQ(service.ask("GET", "/v1/routing?since=1&since=2").status, 400);
  EXPECT_EQ(service.ask("GET", "/v1/routing?wait=30s").status, 400) << "wait without since";
  EXPECT_EQ(service.ask("GET", "/v1/routing?since=0&wait=30").status, 400) << "no unit";
  EXPECT_EQ(service.ask("GET", "/v1/routing?since=0&wait=2h").status, 400);
  EXPECT_EQ(service.ask("GET", "/v1/jobs?x=1").status, 400);
}

TEST(RoutingApi, DryRunsProposeAndPublishNothing) {
  ServiceOptions options = quick_options();
  options.dry_run = true;
  const TestService service(options);
  EXPECT_EQ(service.ask("GET", "/v1/proposal").status, 404);
  (void)service.ask("PUT", "/v1/fabric", "leaf-spine:leaves=4,spines=4,hosts=2,gbps=100");
  (void)service.ask("PUT", "/v1/jobs/ring", service.ring_of_all());
  Answer proposal;
  while ((proposal = service.ask("GET", "/v1/proposal")).status == 404) std::this_thread::yield();
  EXPECT_EQ(Json::parse(proposal.body).at("changes").at(0).at("moves").size(), 8U);
  EXPECT_EQ(service.get("/v1/status").at("routing"), Json());
}

TEST(RoutingApi, StateOutlivesTheService) {
  const StateDirectory state;
  ServiceOptions options = quick_options();
  options.state_dir = state.path();
  Log log(false, "error");
  std::string before;
  for (int run = 0; run < 2; ++run) {
    Service service(options, log);
    std::thread thread([&] { service.run(); });
    if (run == 0) {
      (void)ask(service.port(), "PUT", "/v1/fabric", "leaf-spine:leaves=4,spines=4,hosts=2,gbps=100");
      const std::string job = R"({"collectives": [{"kind": "p2p", "bytes": 8, "ranks": ["host-0-0", "host-3-1"]}]})";
      EXPECT_EQ(ask(service.port(), "PUT", "/v1/jobs/a", job).status, 201);
      (void)ask(service.port(), "GET", "/v1/routing?since=0&wait=20s");
      before = ask(service.port(), "GET", "/v1/routing").body;
    } else {
      EXPECT_EQ(ask(service.port(), "GET", "/v1/routing").body, before);
    }
    service.drain();
    thread.join();
  }
}

TEST(RoutingApi, ASecondServiceOnTheStateIsRefused) {
  const StateDirectory state;
  ServiceOptions options = quick_options();
  options.state_dir = state.path();
  Log log(false, "error");
  const Service first(options, log);
  EXPECT_THROW(Service(options, log), Error);
}

}  // namespace
}  // namespace spineweave::service::test
