// The fabric, and what is reported about its links and switches.
#include <fmt/format.h>

#include "service/api/changing.hpp"
#include "service/api/context.hpp"
#include "service/api/json_body.hpp"
#include "service/api/json_response.hpp"
#include "service/api/measurement.hpp"
#include "service/api/status.hpp"
#include "service/api/time_text.hpp"
#include "spineweave/io.hpp"
#include "util/text.hpp"

namespace spineweave::service::api {
namespace {

using http::Method;
using http::Request;
using http::Response;

// A file of any format that can be read, or a spec.
Fabric fabric_in(const Request& request) {
  const std::string_view text = util::trim(request.body);
  if (text.empty()) throw Error(ErrorCode::bad_input, "body: is empty; expected a fabric");
  return is_fabric_spec(text) ? build_fabric(text) : parse_fabric(request.body, "body");
}

Response put_fabric(const Context& context, const Request& request) {
  Fabric fabric = fabric_in(request);
  return respond_to_change(request,
                           [&](auto expected) { return context.controller.put_fabric(std::move(fabric), expected); });
}

// With what is believed of its links at present.
Response get_fabric(const Context& context, const Request& /*request*/) {
  const auto snapshot = context.controller.snapshot();
  (void)fabric_of(*snapshot);
  return respond_resource(write_fabric_json(present_fabric(*snapshot)), snapshot->fabric_revision);
}

PortState port_state(const JsonBody& body) {
  const std::string state = body.required("state", body.text("state"));
  const auto bps = bits_per_second(body, "degraded_gbps");
  if (bps.has_value() != (state == "degraded"))
    body.fail("degraded_gbps goes with the state degraded, and with no other");
  if (state == "up") return {};
  if (state == "down") return {LinkState::down, 0};
  if (state != "degraded") body.fail(fmt::format("state is '{}'; expected up, down or degraded", state));
  if (*bps == 0) body.fail("degraded_gbps is 0; expected more");
  return {LinkState::degraded, *bps};
}

Response patch_link(const Context& context, const Request& request) {
  const JsonBody body(request.body, {"state", "degraded_gbps", "observed_at"});
  return respond_to_change(request, [&](auto expected) {
    return context.controller.set_link(request.parameters[0], port_state(body), observed_at(body), expected);
  });
}

Response patch_switch(const Context& context, const Request& request) {
  const JsonBody body(request.body, {"state", "observed_at"});
  const PortState state = port_state(body);
  if (state.state == LinkState::degraded) body.fail("state is 'degraded'; a switch is up or down");
  return respond_to_change(request, [&](auto expected) {
    return context.controller.set_switch(request.parameters[0], state.state == LinkState::up, observed_at(body),
                                         expected);
  });
}

Document::Object report_object(std::string id, const PortReport& report) {
  Document::Object object = {{"id", std::move(id)},
                             {"reported", std::string(name_of(report.reported.state))},
                             {"believed", std::string(name_of(report.believed.state))},
                             {"observed_at", time_text(report.observed_at)},
                             {"flaps", report.flaps}};
  if (report.reported.state == LinkState::degraded)
    object.emplace_back("degraded_gbps", static_cast<double>(report.reported.degraded_bps) / 1e9);
  if (report.reported != report.believed) object.emplace_back("held_until", time_text(report.held_until));
  return object;
}

// Everything that was reported since the fabric was put.
Response get_reports(const Context& context, const Request& /*request*/) {
  const auto snapshot = context.controller.snapshot();
  const Fabric& fabric = fabric_of(*snapshot);
  Document::Array links;
  for (const auto& [link, report] : snapshot->reports->links)
    links.emplace_back(report_object(fabric.link_name(link), report));
  Document::Array switches;
  for (const auto& [node, report] : snapshot->reports->switches)
    switches.emplace_back(report_object(fabric.node(node).name, report));
  return respond_resource(
      write_json_line(Document::Object{
          {"revision", snapshot->revision}, {"links", std::move(links)}, {"switches", std::move(switches)}}),
      snapshot->revision);
}

}  // namespace

void add_fabric_routes(http::Router& router, const Context& context) {
  add_plain(router, context, Method::put, "/v1/fabric", put_fabric);
  add_plain(router, context, Method::get, "/v1/fabric", get_fabric);
  add_plain(router, context, Method::get, "/v1/fabric/reports", get_reports);
  add_plain(router, context, Method::patch, "/v1/fabric/links/{id}", patch_link);
  add_plain(router, context, Method::patch, "/v1/fabric/switches/{id}", patch_switch);
}

}  // namespace spineweave::service::api
