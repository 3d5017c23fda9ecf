// Hosts: where each is on its way to the desired routing.
#include <fmt/format.h>

#include <limits>

#include "service/api/changing.hpp"
#include "service/api/context.hpp"
#include "service/api/json_body.hpp"
#include "service/api/json_response.hpp"
#include "service/api/status.hpp"
#include "service/api/time_text.hpp"

namespace spineweave::service::api {
namespace {

using http::Method;
using http::Request;
using http::Response;

const std::vector<Detour>& detours_of(const HostState& state) {
  static const std::vector<Detour> none;
  return state.detours ? *state.detours : none;
}

Document::Object host_object(const std::string& name, const HostState& state) {
  Document::Object object = {{"id", name},
                             {"acknowledged", state.acknowledged},
                             {"behind", static_cast<std::uint64_t>(detours_of(state).size())},
                             {"pinned", state.pinned}};
  if (state.acknowledged_at != Nanoseconds(0)) object.emplace_back("acknowledged_at", time_text(state.acknowledged_at));
  if (state.detours) object.emplace_back("behind_since", time_text(state.behind_since));
  return object;
}

Document::Array links_array(const Fabric& fabric, const std::vector<LinkId>& links) {
  Document::Array names;
  for (const LinkId link : links) names.emplace_back(fabric.link_name(link));
  return names;
}

// The flows that still take another path than they should.
Document::Array detours_array(const Snapshot& snapshot, const HostState& state) {
  Document::Array detours;
  for (const Detour& detour : detours_of(state)) {
    const JobEntry* job = snapshot.find_job(detour.job);
    if (job == nullptr || detour.flow >= job->flows.size()) continue;
    const FlowSpec& flow = job->flows[detour.flow];
    detours.emplace_back(Document::Object{{"job", detour.job},
                                          {"collective", flow.collective},
                                          {"index", flow.index},
                                          {"src", snapshot.fabric->node(flow.src).name},
                                          {"dst", snapshot.fabric->node(flow.dst).name},
                                          {"links", links_array(*snapshot.fabric, detour.path)}});
  }
  return detours;
}

Response get_hosts(const Context& context, const Request& request) {
  const Query query(request, {"behind", "limit"});
  const bool only_behind = query.flag("behind");
  const std::uint64_t limit = query.number("limit").value_or(std::numeric_limits<std::uint64_t>::max());
  const auto snapshot = context.controller.snapshot();
  Document::Array hosts;
  for (std::size_t h = 0; h < snapshot->hosts->names.size() && hosts.size() < limit; ++h) {
    const HostState& state = (*snapshot->host_states)[h];
    if (!only_behind || state.detours) hosts.emplace_back(host_object(snapshot->hosts->names[h], state));
  }
  return respond_resource(
      write_json_line(Document::Object{{"routing_revision", snapshot->routing->revision}, {"hosts", std::move(hosts)}}),
      snapshot->revision);
}

Response get_host(const Context& context, const Request& request) {
  const auto snapshot = context.controller.snapshot();
  const std::uint32_t host = find_host(*snapshot, request.parameters[0]);
  const HostState& state = (*snapshot->host_states)[host];
  Document::Object object = host_object(snapshot->hosts->names[host], state);
  object.emplace_back("routing_revision", snapshot->routing->revision);
  object.emplace_back("detours", detours_array(*snapshot, state));
  return respond_resource(write_json_line(std::move(object)), snapshot->revision);
}

Response post_applied(const Context& context, const Request& request) {
  const JsonBody body(request.body, {"revision"});
  const auto revision = body.required("revision", body.number("revision"));
  return respond_to_change(request, [&](auto expected) {
    return context.controller.acknowledge(request.parameters[0], revision, expected);
  });
}

}  // namespace

void add_host_routes(http::Router& router, const Context& context) {
  router.add({Method::get, "/v1/hosts",
              http::on_worker([context](const Request& r) -> http::Reply { return get_hosts(context, r); })});
  add_plain(router, context, Method::get, "/v1/hosts/{id}", get_host);
  add_plain(router, context, Method::post, "/v1/hosts/{id}/applied", post_applied);
}

}  // namespace spineweave::service::api
