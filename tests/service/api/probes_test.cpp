#include <gmock/gmock.h>

#include "service/api/test_service.hpp"

namespace spineweave::service::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Probes, TheServiceIsAliveAndReady) {
  const TestService service;
  EXPECT_EQ(service.get("/healthz").at("state"), "ok");
  const Json ready = service.get("/readyz");
  EXPECT_EQ(ready.at("state"), "ok");
  EXPECT_EQ(ready.at("revision"), 0);
}

TEST(Probes, ThePageIsTheDashboardOrSaysThatItIsNotBuiltIn) {
  const TestService service;
  EXPECT_THAT(service.ask("GET", "/").body,
              HasSubstr(SPINEWEAVE_HAS_DASHBOARD ? "<title>Spineweave</title>" : "not built in"));
}

TEST(Probes, MetricsCountRequestsAndShowTheLevels) {
  const TestService service;
  (void)service.put_fabric_and_job();
  (void)service.ask("GET", "/nowhere");
  const std::string text = service.ask("GET", "/metrics").body;
  EXPECT_THAT(text, AllOf(HasSubstr(R"(spineweave_http_requests_total{route="/v1/jobs/{id}",status="201"} 1)"),
                          HasSubstr(R"(spineweave_http_requests_total{route="none",status="404"} 1)"),
                          HasSubstr("spineweave_http_request_seconds_bucket"), HasSubstr("spineweave_jobs 1"),
                          HasSubstr("spineweave_moves_total 8"), HasSubstr("spineweave_worst_job 1"),
                          HasSubstr("spineweave_backend_info{backend=\"")));
}

TEST(Probes, StaleTelemetryMakesItDegradedAndAHeartbeatWell) {
  ServiceOptions options = quick_options();
  options.stale_after = std::chrono::milliseconds(1500);
  const TestService service(options);
  (void)service.put_fabric_and_job();
  while (service.get("/readyz").at("state") == "ok") std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(service.ask("GET", "/readyz").status, 200) << "degraded is ready";
  EXPECT_TRUE(service.get("/readyz").at("telemetry_stale"));
  EXPECT_EQ(service.ask("POST", "/v1/heartbeat").status, 204);
  while (service.get("/readyz").at("state") != "ok") std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace
}  // namespace spineweave::service::test
