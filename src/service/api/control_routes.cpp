// What an operator tells the loop.
#include "service/api/changing.hpp"
#include "service/api/context.hpp"
#include "service/api/json_body.hpp"
#include "service/api/json_response.hpp"
#include "service/api/status.hpp"
#include "spineweave/error.hpp"

namespace spineweave::service::api {
namespace {

using http::Method;
using http::Request;
using http::Response;

void refuse_body(const Request& request) {
  if (!request.body.empty()) throw Error(ErrorCode::bad_input, "body: is not empty; expected none");
}

Response get_status(const Context& context, const Request& /*request*/) {
  const auto snapshot = context.controller.snapshot();
  return respond_resource(write_json_line(status_document(*snapshot)), snapshot->revision);
}

Response post_freeze(const Context& context, const Request& request) {
  refuse_body(request);
  return respond_to_change(request, [&](auto expected) { return context.controller.freeze(true, expected); });
}

Response post_unfreeze(const Context& context, const Request& request) {
  refuse_body(request);
  return respond_to_change(request, [&](auto expected) { return context.controller.freeze(false, expected); });
}

Response post_rollback(const Context& context, const Request& request) {
  const JsonBody body(request.body, {"revision"});
  const auto revision = body.required("revision", body.number("revision"));
  return respond_to_change(request, [&](auto expected) { return context.controller.rollback(revision, expected); });
}

// Telemetry that has nothing new to tell is still alive.
Response post_heartbeat(const Context& context, const Request& request) {
  refuse_body(request);
  context.controller.heartbeat();
  return http::respond_empty(204);
}

}  // namespace

void add_control_routes(http::Router& router, const Context& context) {
  add_plain(router, context, Method::get, "/v1/status", get_status);
  add_plain(router, context, Method::post, "/v1/freeze", post_freeze);
  add_plain(router, context, Method::post, "/v1/unfreeze", post_unfreeze);
  add_plain(router, context, Method::post, "/v1/rollback", post_rollback);
  add_plain(router, context, Method::post, "/v1/heartbeat", post_heartbeat);
}

}  // namespace spineweave::service::api
