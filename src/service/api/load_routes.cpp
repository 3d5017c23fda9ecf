// How full links are, now and before the last change of routes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "service/api/context.hpp"
#include "service/api/json_body.hpp"
#include "service/api/json_response.hpp"
#include "service/api/load_grid.hpp"
#include "service/api/measurement.hpp"
#include "service/api/status.hpp"
#include "service/api/time_text.hpp"
#include "service/control/measured_loads.hpp"
#include "service/control/observation.hpp"

namespace spineweave::service::api {
namespace {

using http::Method;
using http::Reply;
using http::Request;
using http::Response;
using Array = Document::Array;
using Object = Document::Object;

// Four decimals are more than an eye sees, and keep answers short.
double short_number(float load) { return std::round(static_cast<double>(load) * 1e4) / 1e4; }

// Null where there is no link, or it is not known.
void add_load(Array& loads, bool has_links, float load) {
  if (has_links)
    loads.emplace_back(short_number(load));
  else
    loads.emplace_back();
}

Object cells_object(const std::vector<LoadGrid::Cell>& cells, bool knows_before) {
  Array now, before, mean, dead;
  for (const LoadGrid::Cell& cell : cells) {
    const bool has_links = cell.links > 0;
    add_load(now, has_links, cell.most);
    add_load(before, has_links && knows_before, cell.most_before);
    add_load(mean, has_links, cell.sum / static_cast<float>(cell.links));
    dead.emplace_back(cell.dead);
  }
  return {{"now", std::move(now)}, {"before", std::move(before)}, {"mean", std::move(mean)}, {"dead", std::move(dead)}};
}

std::uint32_t number_below(const Query& query, std::string_view name, std::uint32_t usually, std::uint32_t end) {
  const std::uint64_t number = query.number(name).value_or(usually);
  if (number >= end) throw NotFoundError(fmt::format("{} is {}; there are {}", name, number, end));
  return static_cast<std::uint32_t>(number);
}

Response get_loads(const Context& context, const Request& request) {
  const Query query(request, {"layer", "first", "count"});
  const auto snapshot = context.controller.snapshot();
  const std::vector<LinkLayer> layers = layers_of(fabric_of(*snapshot));
  const auto num_layers = static_cast<std::uint32_t>(layers.size());
  const std::uint32_t place = number_below(query, "layer", std::min(1U, num_layers - 1), num_layers);
  const LinkLayer& layer = layers[place];
  const std::uint32_t first = number_below(query, "first", 0, layer.count);
  const auto count = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(query.number("count").value_or(layer.count), layer.count - first));
  const bool knows_before = !LinkLoads(*snapshot).before.empty();
  const LoadGrid grid = make_load_grid(*snapshot, layer, first, count);

  Array names, rows, columns;
  for (const LinkLayer& each : layers) names.emplace_back(each.name());
  for (const LoadGrid::Row& row : grid.rows)
    rows.emplace_back(Object{{"name", row.name}, {"first", row.first}, {"count", row.count}});
  for (const std::string& column : grid.columns) columns.emplace_back(column);
  return respond_json(Object{{"revision", snapshot->revision},
                             {"routing_revision", snapshot->routing->revision},
                             {"layers", std::move(names)},
                             {"layer", place},
                             {"first", first},
                             {"count", count},
                             {"of", layer.count},
                             {"rows", std::move(rows)},
                             {"columns", std::move(columns)},
                             {"column_kind", grid.column_kind},
                             {"up", cells_object(grid.up, knows_before)},
                             {"down", cells_object(grid.down, knows_before)}});
}

std::vector<LinkId> links_of_job(const Snapshot& snapshot, const std::string& id) {
  const JobRoutes* routes = snapshot.find_routes(id);
  if (routes == nullptr) throw NotFoundError(fmt::format("there is no job '{}' with routes", id));
  std::vector<bool> is_used(snapshot.fabric->num_links());
  for (FlowId flow = 0; flow < routes->paths.size(); ++flow)
    for (const LinkId link : routes->paths[flow]) is_used[link] = true;
  std::vector<LinkId> links;
  for (LinkId link = 0; link < is_used.size(); ++link)
    if (is_used[link]) links.push_back(link);
  return links;
}

// Both directions.
std::vector<LinkId> links_of_node(const Fabric& fabric, const std::string& name) {
  const auto node = fabric.find(name);
  if (!node) throw NotFoundError(fmt::format("the fabric has no switch or endpoint '{}'", name));
  std::vector<LinkId> links;
  for (LinkId link = fabric.first_link(*node); link < fabric.first_link(*node + 1); ++link) {
    links.push_back(link);
    links.push_back(fabric.reverse(link));
  }
  return links;
}

std::vector<LinkId> links_asked_for(const Snapshot& snapshot, const Query& query) {
  const auto job = query.text("job");
  const auto node = query.text("node");
  if (job && node) throw Error(ErrorCode::usage, "job and node stand together; expected one of them, or none");
  if (job) return links_of_job(snapshot, *job);
  if (node) return links_of_node(fabric_of(snapshot), *node);
  std::vector<LinkId> links(fabric_of(snapshot).num_links());
  std::iota(links.begin(), links.end(), LinkId{0});
  return links;
}

// Fullest first.
Response get_links(const Context& context, const Request& request) {
  constexpr std::uint64_t kUsually = 20;
  const Query query(request, {"job", "node", "limit"});
  const auto snapshot = context.controller.snapshot();
  std::vector<LinkId> links = links_asked_for(*snapshot, query);
  const std::size_t total = links.size();
  const std::size_t count = std::min<std::size_t>(query.number("limit").value_or(kUsually), total);
  const LinkLoads loads(*snapshot);
  const auto is_fuller = [&](LinkId a, LinkId b) {
    return std::pair(loads.now_of(b), a) < std::pair(loads.now_of(a), b);
  };
  std::partial_sort(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(count), links.end(), is_fuller);
  links.resize(count);

  Array list;
  for (const LinkId link : links) {
    Object object = {{"id", snapshot->fabric->link_name(link)},
                     {"gbps", static_cast<double>(snapshot->fabric->link(link).nominal_bps) / 1e9},
                     {"state", std::string(name_of(link_state(*snapshot, link).state))},
                     {"load", short_number(loads.now_of(link))}};
    if (!loads.before.empty()) object.emplace_back("before", short_number(loads.before_of(link)));
    if (const auto measured = context.measured.of(*snapshot, link)) {
      object.emplace_back("measured_gbps", static_cast<double>(measured->bps) / 1e9);
      object.emplace_back("measured_at", time_text(measured->observed_at));
    }
    list.emplace_back(std::move(object));
  }
  return respond_json(Object{{"revision", snapshot->revision},
                             {"routing_revision", snapshot->routing->revision},
                             {"of", static_cast<std::uint64_t>(total)},
                             {"links", std::move(list)}});
}

// Of one direction: "A->B".
MeasuredLoad measured_load(const Fabric& fabric, const JsonBody& entry) {
  const std::string name = entry.required("id", entry.text("id"));
  const std::vector<LinkId> links = links_named(fabric, name);
  if (links.size() != 1)
    entry.fail(fmt::format("'{}' names {} links; expected one, such as {}", name, links.size(),
                           fabric.link_name(links.front())));
  return {links.front(), entry.required("gbps", bits_per_second(entry, "gbps"))};
}

// What links really carry. That telemetry is alive, it says as well.
Response post_links(const Context& context, const Request& request) {
  const JsonBody body(request.body, {"observed_at", "links"});
  const auto snapshot = context.controller.snapshot();
  const Fabric& fabric = fabric_of(*snapshot);
  std::vector<MeasuredLoad> loads;
  for (const Document& entry : body.array("links"))
    loads.push_back(
        measured_load(fabric, JsonBody(entry, fmt::format("body: links[{}]", loads.size()), {"id", "gbps"})));
  const Nanoseconds now = context.clock.wall_now();
  context.measured.take(*snapshot, loads, observed_at(body).value_or(now), now);
  context.controller.heartbeat();
  return http::respond_empty(204);
}

}  // namespace

void add_load_routes(http::Router& router, const Context& context) {
  router.add({Method::get, "/v1/loads",
              http::on_worker([context](const Request& r) -> Reply { return get_loads(context, r); })});
  router.add({Method::get, "/v1/loads/links",
              http::on_worker([context](const Request& r) -> Reply { return get_links(context, r); })});
  add_plain(router, context, Method::post, "/v1/loads/links", post_links);
}

}  // namespace spineweave::service::api
