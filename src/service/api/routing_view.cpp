#include "service/api/routing_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "io/quoted.hpp"
#include "service/api/status.hpp"
#include "service/api/time_text.hpp"

namespace spineweave::service::api {
namespace {

// Longer ones are rendered anew for each who asks, which are few.
constexpr std::size_t kLongestKept = std::size_t{64} << 20U;

}  // namespace

void append_links(std::string& text, const Fabric& fabric, std::span<const LinkId> links) {
  text += '[';
  const char* separator = "";
  for (const LinkId link : links) {
    text += separator;
    text += io::quoted(fabric.link_name(link));
    separator = ",";
  }
  text += ']';
}

void append_flow(std::string& text, const Fabric& fabric, const JobEntry& job, const FlowSpec& flow) {
  fmt::format_to(std::back_inserter(text), "\"job\":{},\"collective\":{},\"index\":{},\"src\":{},\"dst\":{}",
                 io::quoted(job.job.id), flow.collective, flow.index, io::quoted(fabric.node(flow.src).name),
                 io::quoted(fabric.node(flow.dst).name));
}

RoutingView::RoutingView(std::shared_ptr<const Snapshot> snapshot, const RoutingView* previous)
    : snapshot_(std::move(snapshot)), host_texts_(snapshot_->hosts->names.size()) {
  index_ = previous != nullptr && previous->lends_index_to(*snapshot_) ? previous->index_ : build_index();
}

bool RoutingView::shows(const Snapshot& snapshot) const {
  return snapshot.routing == snapshot_->routing && snapshot.fabric == snapshot_->fabric &&
         snapshot.hosts == snapshot_->hosts;
}

bool RoutingView::lends_index_to(const Snapshot& snapshot) const {
  const auto job_of = [](const auto& routes) { return routes->job; };
  return snapshot.hosts == snapshot_->hosts && std::ranges::equal(index_->jobs, snapshot.routing->jobs, {}, {}, job_of);
}

std::shared_ptr<const RoutingView::Index> RoutingView::build_index() const {
  auto index = std::make_shared<Index>();
  for (const auto& routes : snapshot_->routing->jobs) index->jobs.push_back(routes->job);
  index->begin.assign(snapshot_->hosts->names.size() + 1, 0);
  for (const auto& job : index->jobs)
    for (const std::uint32_t host : job->host_of_flow) ++index->begin[host + 1];
  for (std::size_t h = 1; h < index->begin.size(); ++h) index->begin[h] += index->begin[h - 1];
  index->flows.resize(index->begin.back());
  std::vector<std::uint32_t> next(index->begin.begin(), index->begin.end() - 1);
  for (std::uint32_t j = 0; j < index->jobs.size(); ++j)
    for (FlowId f = 0; f < index->jobs[j]->host_of_flow.size(); ++f)
      index->flows[next[index->jobs[j]->host_of_flow[f]]++] = {j, f};
  return index;
}

std::string RoutingView::head_text() const {
  const DesiredRouting& routing = *snapshot_->routing;
  return fmt::format("\"revision\":{},\"digest\":\"{}\",\"published_at\":\"{}\",\"routes\":[", routing.revision,
                     digest_text(routing.digest), time_text(routing.published_at));
}

void RoutingView::append(std::string& text, FlowPlace place) const {
  const JobRoutes& routes = *snapshot_->routing->jobs[place.job];
  text += '{';
  append_flow(text, *snapshot_->fabric, *routes.job, routes.job->flows[place.flow]);
  text += ",\"links\":";
  append_links(text, *snapshot_->fabric, routes.paths[place.flow]);
  text += '}';
}

RoutingView::Text RoutingView::of_host(std::uint32_t host) const {
  const std::scoped_lock lock(mutex_);
  Text& kept = host_texts_[host];
  if (kept) return kept;
  std::string text = fmt::format("{{\"host\":{},{}", io::quoted(snapshot_->hosts->names[host]), head_text());
  for (std::uint32_t i = index_->begin[host]; i < index_->begin[host + 1]; ++i) {
    if (i > index_->begin[host]) text += ',';
    append(text, index_->flows[i]);
  }
  text += "]}";
  return kept = std::make_shared<const std::string>(std::move(text));
}

RoutingView::Text RoutingView::whole() const {
  {
    const std::scoped_lock lock(mutex_);
    if (whole_) return whole_;
  }
  std::string text = '{' + head_text();
  const char* separator = "";
  const auto& jobs = snapshot_->routing->jobs;
  for (std::uint32_t j = 0; j < jobs.size(); ++j) {
    for (FlowId f = 0; f < jobs[j]->paths.size(); ++f) {
      text += separator;
      append(text, {j, f});
      separator = ",\n";
    }
  }
  text += "]}";
  auto shared = std::make_shared<const std::string>(std::move(text));
  const std::scoped_lock lock(mutex_);
  if (shared->size() <= kLongestKept) whole_ = shared;
  return shared;
}

std::shared_ptr<const RoutingView> RoutingViews::find(const std::shared_ptr<const Snapshot>& snapshot) {
  const auto newest = newest_.load();
  if (!newest || newest->shows(*snapshot)) return newest;
  if (!newest->lends_index_to(*snapshot)) return nullptr;
  const std::unique_lock lock(building_, std::try_to_lock);
  return lock ? build(snapshot) : nullptr;
}

std::shared_ptr<const RoutingView> RoutingViews::get(const std::shared_ptr<const Snapshot>& snapshot) {
  const std::scoped_lock lock(building_);
  return build(snapshot);
}

std::shared_ptr<const RoutingView> RoutingViews::build(const std::shared_ptr<const Snapshot>& snapshot) {
  const auto newest = newest_.load();
  if (newest && newest->shows(*snapshot)) return newest;  // built while this one waited
  auto view = std::make_shared<const RoutingView>(snapshot, newest.get());
  newest_.store(view);
  return view;
}

}  // namespace spineweave::service::api
