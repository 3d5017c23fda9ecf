// For those who watch the service: is it alive, can it work, how is it doing.
#include "service/api/context.hpp"
#include "service/api/event_hub.hpp"
#include "service/api/json_response.hpp"
#include "service/api/metrics.hpp"
#include "service/api/status.hpp"
#include "service/tasks/task_desk.hpp"

namespace spineweave::service::api {
namespace {

using http::Access;
using http::Method;
using http::Reply;
using http::Request;
using http::Response;

// The process: as long as it answers.
Response get_healthz() { return respond_json(Document::Object{{"state", "ok"}}); }

// 503 where it cannot take work; a degraded service can, and says what is wrong.
Response get_readyz(const Context& context) {
  const http::Load load = context.load();
  const auto snapshot = context.controller.snapshot();
  Document::Object object = health_object(snapshot->health);
  object.emplace_back("revision", snapshot->revision);
  object.emplace_back("queued", load.queued);
  const bool is_full = load.queued >= context.most_queued;
  if (is_full) object.emplace_back("not_ready", "the queue is full");
  if (load.draining) object.emplace_back("not_ready", "the service is stopping");
  return respond_json(object, is_full || load.draining ? 503 : 200);
}

Response get_metrics(const Context& context) {
  constexpr std::string_view kText = "text/plain; version=0.0.4; charset=utf-8";
  const auto snapshot = context.controller.snapshot();
  const Metrics::Levels levels = {context.load(), context.tasks.num_waiting(), context.events.num_streams(),
                                  context.measured.totals(*snapshot)};
  return http::respond(200, context.metrics.text(*snapshot, levels), kText);
}

}  // namespace

void add_probe_routes(http::Router& router, const Context& context) {
  // Not on a worker: they must answer when all of those are busy.
  router.add({Method::get, "/healthz", [](const Request&) -> Reply { return get_healthz(); }, Access::open});
  router.add(
      {Method::get, "/readyz", [context](const Request&) -> Reply { return get_readyz(context); }, Access::open});
  router.add(
      {Method::get, "/metrics", http::on_worker([context](const Request&) -> Reply { return get_metrics(context); })});
}

}  // namespace spineweave::service::api
