// Loads of links: as a grid, and as a list.
#include <gmock/gmock.h>

#include "service/api/test_service.hpp"

namespace spineweave::service::test {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

Json put_fabric(const TestService& service, const std::string& spec) {
  EXPECT_EQ(service.ask("PUT", "/v1/fabric", spec).status, 201);
  return service.get("/v1/loads");
}

TEST(LoadsApi, AGridHasARowForEachLeafAndAColumnForEachSpine) {
  const TestService service;
  (void)service.put_fabric_and_job();
  const Json grid = service.get("/v1/loads");
  EXPECT_EQ(grid.at("layers"), Json({"access", "leaf – spine"}));
  EXPECT_EQ(grid.at("layer"), 1);
  EXPECT_EQ(grid.at("columns"), Json({"spine-0", "spine-1", "spine-2", "spine-3"}));
  EXPECT_EQ(grid.at("column_kind"), "spine");
  ASSERT_THAT(grid.at("rows"), SizeIs(4));
  EXPECT_EQ(grid.at("rows").at(1), Json({{"name", "leaf-1"}, {"first", 1}, {"count", 1}}));
  EXPECT_THAT(grid.at("up").at("now"), SizeIs(16));
}

// The ring over all endpoints sends one flow up from each leaf and one down to it.
TEST(LoadsApi, AGridHasTheLoadsOfTheRouting) {
  const TestService service;
  (void)service.put_fabric_and_job();
  for (const char* direction : {"up", "down"}) {
    const Json loads = service.get("/v1/loads").at(direction).at("now");
    for (std::size_t leaf = 0; leaf < 4; ++leaf) {
      double sum = 0;
      for (std::size_t spine = 0; spine < 4; ++spine) sum += loads.at(4 * leaf + spine).get<double>();
      EXPECT_EQ(sum, 1.0) << direction << " of leaf " << leaf;
    }
  }
  const Json access = service.get("/v1/loads?layer=0");
  EXPECT_THAT(access.at("up").at("now").get<std::vector<double>>(), Each(1.0));
  EXPECT_EQ(access.at("column_kind"), "endpoint");
}

TEST(LoadsApi, LinksThatAreDownAreCountedInTheirCell) {
  const TestService service;
  (void)service.put_fabric_and_job();
  ASSERT_EQ(service.ask("PATCH", "/v1/fabric/links/leaf-2-spine-1", R"({"state": "down"})").status, 200);
  const Json grid = service.get("/v1/loads");
  for (const char* direction : {"up", "down"})
    for (std::size_t cell = 0; cell < 16; ++cell)
      EXPECT_EQ(grid.at(direction).at("dead").at(cell), cell == 9 ? 1 : 0) << direction << ' ' << cell;
}

TEST(LoadsApi, WhatLinksReallyCarryIsShownBesideWhatTheyShould) {
  const TestService service;
  (void)service.put_fabric_and_job();
  EXPECT_FALSE(service.get("/v1/loads/links?node=leaf-0").at("links").at(0).contains("measured_gbps"));
  const auto told = [&](const std::string& body) { return service.ask("POST", "/v1/loads/links", body).status; };
  ASSERT_EQ(told(R"({"observed_at": "2026-01-01T00:00:10Z", "links": [{"id": "leaf-0->spine-2", "gbps": 37.5},
                                                                     {"id": "spine-2->leaf-0", "gbps": 0}]})"),
            204);
  int seen = 0;
  const Json loads = service.get("/v1/loads/links?node=leaf-0");
  for (const Json& link : loads.at("links")) {
    if (!link.contains("measured_gbps")) continue;
    ++seen;
    EXPECT_EQ(link.at("measured_gbps"), link.at("id") == "leaf-0->spine-2" ? 37.5 : 0.0);
    EXPECT_THAT(link.at("measured_at").get<std::string>(), StartsWith("2026-01-01T00:00:10"));
  }
  EXPECT_EQ(seen, 2);
  const std::string metrics = service.ask("GET", "/metrics").body;
  EXPECT_THAT(metrics, HasSubstr("spineweave_links_measured 2\n"));
  EXPECT_THAT(metrics, HasSubstr("spineweave_max_utilisation_measured 0.375\n"));

  EXPECT_EQ(told(R"({"observed_at": "2026-01-01T00:00:09Z", "links": [{"id": "leaf-0->spine-2", "gbps": 1},
                                                                     {"id": "leaf-1->spine-2", "gbps": 1}]})"),
            409)
      << "older than known";
  EXPECT_THAT(service.ask("GET", "/metrics").body, HasSubstr("spineweave_links_measured 2\n"))
      << "all of it or nothing";
  EXPECT_EQ(told(R"({"links": [{"id": "leaf-0->spine-9", "gbps": 1}]})"), 404);
  EXPECT_EQ(told(R"({"links": [{"id": "leaf-0-spine-2", "gbps": 1}]})"), 422) << "both directions";
  EXPECT_THAT(service.ask("POST", "/v1/loads/links", R"({"links": [{"id": "leaf-0->spine-2", "gbps": -1}]})").body,
              HasSubstr("links[0]: gbps is -1"));

  ASSERT_EQ(service.ask("PUT", "/v1/fabric", "leaf-spine:leaves=4,spines=4,hosts=4,gbps=100").status, 200);
  EXPECT_THAT(service.ask("GET", "/metrics").body, HasSubstr("spineweave_links_measured 0\n"));
}

TEST(LoadsApi, ManyLeavesAreGroupedAndOpenIntoTheirMembers) {
  const TestService service;
  const Json grid = put_fabric(service, "leaf-spine:leaves=130,spines=70,hosts=1,gbps=100");
  ASSERT_THAT(grid.at("rows"), SizeIs(44));  // threes: the least that makes no more than 64
  EXPECT_EQ(grid.at("rows").at(43), Json({{"name", "leaf-129"}, {"first", 129}, {"count", 1}}));
  EXPECT_EQ(grid.at("rows").at(1).at("name"), "leaf-3 – leaf-5");
  ASSERT_THAT(grid.at("columns"), SizeIs(35));
  EXPECT_EQ(grid.at("columns").at(0), "spine-0 – spine-1");
  const Json part = service.get("/v1/loads?layer=1&first=3&count=3");
  EXPECT_EQ(part.at("rows").at(2), Json({{"name", "leaf-5"}, {"first", 5}, {"count", 1}}));
}

TEST(LoadsApi, LeavesOfThreeTiersAreGroupedByPod) {
  const TestService service;
  const Json grid = put_fabric(service, "fat-tree:k=12,gbps=100");
  EXPECT_EQ(grid.at("layers"), Json({"access", "leaf – aggregation", "aggregation – core"}));
  ASSERT_THAT(grid.at("rows"), SizeIs(36));  // 72 leaves, two by two
  const Json big = [&] {
    EXPECT_EQ(service.ask("PUT", "/v1/fabric", "fat-tree:k=32,gbps=100").status, 200);
    return service.get("/v1/loads?layer=2");
  }();
  ASSERT_THAT(big.at("rows"), SizeIs(64));  // halves of 32 pods
  EXPECT_EQ(big.at("column_kind"), "aggregation");
  EXPECT_THAT(big.at("columns"), SizeIs(16));
}

TEST(LoadsApi, LinksComeFullestFirst) {
  const TestService service;
  (void)service.put_fabric_and_job();
  const Json all = service.get("/v1/loads/links?limit=100");
  EXPECT_EQ(all.at("of"), 48);
  ASSERT_THAT(all.at("links"), SizeIs(48));
  for (std::size_t i = 1; i < 48; ++i)
    EXPECT_GE(all.at("links").at(i - 1).at("load").get<double>(), all.at("links").at(i).at("load").get<double>());
  EXPECT_EQ(service.get("/v1/loads/links?node=spine-0").at("of"), 8);
  EXPECT_EQ(service.get("/v1/loads/links?job=ring").at("of"),
            16 + 8);  // access links, and one up and down for each leaf
}

TEST(LoadsApi, WhatIsNotThereIsRefused) {
  const TestService service;
  EXPECT_EQ(service.ask("GET", "/v1/loads").status, 404);
  (void)service.put_fabric_and_job();
  EXPECT_EQ(service.ask("GET", "/v1/loads?layer=2").status, 404);
  EXPECT_EQ(service.ask("GET", "/v1/loads?first=4").status, 404);
  EXPECT_EQ(service.ask("GET", "/v1/loads?rows=4").status, 400);
  EXPECT_EQ(service.ask("GET", "/v1/loads/links?node=leaf-9").status, 404);
  EXPECT_EQ(service.ask("GET", "/v1/loads/links?job=none").status, 404);
  EXPECT_EQ(service.ask("GET", "/v1/loads/links?job=ring&node=leaf-1").status, 400);
}

TEST(LoadsApi, ARevisionHasItsFirstMoves) {
  const TestService service;
  const std::string revision = std::to_string(service.put_fabric_and_job());
  EXPECT_THAT(service.get("/v1/revisions/" + revision).at("moves"), SizeIs(8));
  EXPECT_THAT(service.get("/v1/revisions/" + revision + "?limit=3").at("moves"), SizeIs(3));
  EXPECT_EQ(service.ask("GET", "/v1/revisions/1").status, 404);
  EXPECT_EQ(service.ask("GET", "/v1/revisions/x").status, 404);
  EXPECT_THAT(service.get("/v1/hosts?limit=2").at("hosts"), SizeIs(2));
}

TEST(Pages, TheDashboardIsServedOrSaidToBeMissing) {
  const TestService service;
  const Answer page = service.ask("GET", "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.headers.at("content-security-policy"), testing::HasSubstr("default-src 'none'"));
  const bool is_page = page.headers.at("content-type").starts_with("text/html");
  EXPECT_EQ(service.ask("GET", "/assets/app.js").status, is_page ? 200 : 404);
  EXPECT_NE(is_page, page.body.find("not built in") != std::string::npos);
  EXPECT_EQ(service.ask("GET", "/assets/index.htm").status, 404);
}

}  // namespace
}  // namespace spineweave::service::test
