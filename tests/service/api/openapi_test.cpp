// The document that the service serves, held against its routes.
#include <gmock/gmock.h>

#include <regex>
#include <set>

#include "service/api/assets.hpp"
#include "service/api/context.hpp"
#include "service/api/event_hub.hpp"
#include "service/api/metrics.hpp"
#include "service/api/routing_view.hpp"
#include "service/api/test_service.hpp"
#include "service/control/controller.hpp"
#include "service/control/measured_loads.hpp"
#include "service/store/store.hpp"
#include "service/tasks/task_desk.hpp"

namespace spineweave::service::test {
namespace {

const std::set<std::string> kMethods = {"get", "put", "post", "patch", "delete"};

Json document() { return Json::parse(api::openapi_document()); }

// "GET /v1/jobs/{id}"
std::set<std::string> documented() {
  std::set<std::string> found;
  const Json all = document();
  for (const auto& [path, item] : all.at("paths").items())
    for (const auto& [method, operation] : item.items())
      if (kMethods.contains(method)) {
        std::string name = method;
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
        found.insert(name + ' ' + path);
      }
  return found;
}

std::set<std::string> served() {
  const StateDirectory state;
  SystemClock clock;
  Controller controller({}, open_store(state.path()), clock);
  api::EventHub events(controller);
  api::RoutingViews views;
  TaskDesk tasks({}, clock, api::explain);
  api::Metrics metrics(controller);
  http::Router router;
  MeasuredLoads measured;
  api::add_routes(router,
                  {controller, clock, events, views, tasks, measured, metrics, [] { return http::Load{}; }, 1, 1});
  std::set<std::string> found;
  for (const http::Route& route : router.routes())
    found.insert(std::string(http::name_of(route.method)) + ' ' + route.path);
  return found;
}

void visit(const Json& value, const std::function<void(const Json&)>& visitor) {
  visitor(value);
  for (const Json& child : value)
    if (child.is_structured()) visit(child, visitor);
}

TEST(OpenApi, TheDocumentAndTheRoutesNameTheSameOperations) { EXPECT_EQ(documented(), served()); }

TEST(OpenApi, EveryReferenceLeadsSomewhere) {
  const Json all = document();
  std::size_t references = 0;
  visit(all, [&](const Json& value) {
    if (!value.is_object() || !value.contains("$ref")) return;
    const std::string target = value.at("$ref");
    ++references;
    ASSERT_TRUE(target.starts_with("#/")) << target;
    EXPECT_TRUE(all.contains(Json::json_pointer(target.substr(1)))) << target;
  });
  EXPECT_GT(references, 100U);
}

TEST(OpenApi, EveryOperationIsCompleteAndHasItsParameters) {
  const Json all = document();
  EXPECT_EQ(all.at("openapi"), "3.1.0");
  std::set<std::string> ids;
  const std::regex parameter("\\{([a-z]+)\\}");
  for (const auto& [path, item] : all.at("paths").items()) {
    std::set<std::string> declared;
    for (Json entry : item.value("parameters", Json::array())) {
      if (entry.contains("$ref")) entry = all.at(Json::json_pointer(entry.at("$ref").get<std::string>().substr(1)));
      if (entry.at("in") == "path") declared.insert(entry.at("name"));
    }
    std::set<std::string> used;
    for (std::sregex_iterator it(path.begin(), path.end(), parameter), end; it != end; ++it) used.insert((*it)[1]);
    EXPECT_EQ(declared, used) << path;
    for (const auto& [method, operation] : item.items()) {
      if (!kMethods.contains(method)) continue;
      EXPECT_TRUE(ids.insert(operation.at("operationId")).second) << operation.at("operationId");
      EXPECT_FALSE(operation.at("summary").get<std::string>().empty());
      EXPECT_FALSE(operation.at("responses").empty());
    }
  }
}

TEST(OpenApi, TheServiceServesIt) {
  const TestService service;
  EXPECT_EQ(service.get("/openapi.json"), document());
}

}  // namespace
}  // namespace spineweave::service::test
