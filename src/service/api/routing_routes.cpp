// The desired routing: all of it, one host's, or what changed since a revision.
#include <fmt/format.h>

#include <algorithm>

#include "service/api/context.hpp"
#include "service/api/event_hub.hpp"
#include "service/api/json_response.hpp"
#include "service/api/moves_text.hpp"
#include "service/api/parameters.hpp"
#include "service/api/routing_view.hpp"
#include "service/api/status.hpp"
#include "util/text.hpp"

namespace spineweave::service::api {
namespace {

using http::Method;
using http::Reply;
using http::Request;
using http::Response;

Response respond_routing(const RoutingView& view, const std::optional<std::string>& host, const Request& request) {
  const Revision revision = view.snapshot().routing->revision;
  if (has_already(request, revision)) return http::respond_empty(304, {{"ETag", entity_tag(revision)}});
  Response response;
  response.body = host ? view.of_host(find_host(view.snapshot(), *host)) : view.whole();
  response.headers.emplace_back("ETag", entity_tag(revision));
  return response;
}

Changes changes_since(const Snapshot& snapshot, Revision since) {
  auto changes = Controller::routing_since(snapshot, since);
  if (!changes)
    throw GoneError(
        fmt::format("the changes since revision {} are not kept: the present one is {}, and what is kept "
                    "begins behind {}; get the whole routing",
                    since, snapshot.revision, snapshot.history->since));
  return *std::move(changes);
}

struct ChangesQuery {
  Revision since = 0;
  std::optional<std::string> host;
  std::optional<Nanoseconds> wait;
};

// Nothing while there is no news and the client may still wait.
std::optional<Response> answer_changes(const Snapshot& snapshot, const ChangesQuery& query, bool is_last) {
  std::optional<std::uint32_t> host;
  if (query.host) host = find_host(snapshot, *query.host);
  const Changes changes = changes_since(snapshot, query.since);
  const bool has_news = std::ranges::any_of(changes, [&](const auto& change) { return has_moves_of(*change, host); });
  if (!is_last && !has_news) return std::nullopt;
  return respond_resource(changes_text(snapshot, query.since, changes, host), snapshot.routing->revision);
}

Reply reply_changes(const Context& context, const ChangesQuery& query) {
  const bool may_wait = query.wait.has_value();
  if (auto response = answer_changes(*context.controller.snapshot(), query, !may_wait)) return *std::move(response);
  return http::Wait{context.events.revisions(), *query.wait, [context, query](bool is_last) {
                      return answer_changes(*context.controller.snapshot(), query, is_last);
                    }};
}

Reply get_routing(const Context& context, const Request& request) {
  const Query query(request, {"since", "host", "wait"});
  const auto host = query.text("host");
  const auto wait = query.wait();
  if (const auto since = query.number("since"))
    return http::Work{[context, asked = ChangesQuery{*since, host, wait}] { return reply_changes(context, asked); }};
  if (wait) throw Error(ErrorCode::usage, "wait needs since: the revision that the client has");

  auto snapshot = context.controller.snapshot();
  const auto view = context.routing.find(snapshot);
  if (view && host) return respond_routing(*view, host, request);
  return http::Work{[context, snapshot, host, request]() -> Reply {
    return respond_routing(*context.routing.get(snapshot), host, request);
  }};
}

// Newest first.
Response get_revisions(const Context& context, const Request& request) {
  constexpr std::uint64_t kUsually = 100;
  const Query query(request, {"limit"});
  const auto snapshot = context.controller.snapshot();
  const auto& changes = snapshot->history->changes;
  const std::size_t count = std::min<std::size_t>(query.number("limit").value_or(kUsually), changes.size());
  Document::Array list;
  for (std::size_t i = 0; i < count; ++i) list.emplace_back(change_object(*changes[changes.size() - 1 - i]));
  return respond_json(Document::Object{
      {"revision", snapshot->revision}, {"kept_since", snapshot->history->since}, {"revisions", std::move(list)}});
}

Response get_revision(const Context& context, const Request& request) {
  constexpr std::uint64_t kUsually = 100;
  const Query query(request, {"limit"});
  const auto revision = util::parse_unsigned(request.parameters[0]);
  const auto snapshot = context.controller.snapshot();
  const auto& changes = snapshot->history->changes;
  const auto change = std::ranges::find_if(changes, [&](const auto& each) { return each->revision == revision; });
  if (change == changes.end())
    throw NotFoundError(fmt::format("no change of routes is kept as revision '{}'", request.parameters[0]));
  return http::respond(200, change_text(*snapshot, **change, std::nullopt, query.number("limit").value_or(kUsually)));
}

Response get_proposal(const Context& context, const Request&) {
  const auto snapshot = context.controller.snapshot();
  if (!snapshot->proposal)
    throw NotFoundError("nothing is proposed: the service runs without --dry-run, or nothing would be better");
  return http::respond(200, changes_text(*snapshot, snapshot->routing->revision, {snapshot->proposal}, std::nullopt));
}

}  // namespace

void add_routing_routes(http::Router& router, const Context& context) {
  router.add({Method::get, "/v1/routing", [context](const Request& r) { return get_routing(context, r); }});
  router.add({Method::get, "/v1/revisions",
              http::on_worker([context](const Request& r) -> Reply { return get_revisions(context, r); })});
  router.add({Method::get, "/v1/revisions/{id}",
              http::on_worker([context](const Request& r) -> Reply { return get_revision(context, r); })});
  add_plain(router, context, Method::get, "/v1/proposal", get_proposal);
}

}  // namespace spineweave::service::api
