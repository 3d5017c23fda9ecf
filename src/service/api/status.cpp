#include "service/api/status.hpp"

#include <fmt/format.h>

#include "service/api/time_text.hpp"

namespace spineweave::service::api {
namespace {

using Object = Document::Object;

Document fabric_object(const Snapshot& snapshot) {
  if (!snapshot.fabric) return {};
  const Fabric& fabric = *snapshot.fabric;
  const LinkCounts counts = count_links(snapshot);
  return Object{{"revision", snapshot.fabric_revision},
                {"endpoints", fabric.num_endpoints()},
                {"switches", fabric.num_switches()},
                {"links", fabric.num_links()},
                {"links_down", counts.down},
                {"links_degraded", counts.degraded}};
}

Document routing_object(const Snapshot& snapshot) {
  const DesiredRouting& routing = *snapshot.routing;
  if (routing.revision == 0) return {};
  return Object{{"revision", routing.revision},
                {"digest", digest_text(routing.digest)},
                {"published_at", time_text(routing.published_at)}};
}

Object certificate_object(const Certificate& certificate) {
  return {{"max", certificate.max_proved ? "proved" : "open"},
          {"vector", certificate.vector_proved ? "proved" : "open"},
          {"jobs_at_bound", certificate.jobs_at_bound}};
}

Document score_object(const Summary* summary) {
  if (summary == nullptr) return {};
  Object object = {{"inputs", summary->inputs},
                   {"routing", summary->routing},
                   {"digest", digest_text(summary->digest)},
                   {"worst_job", summary->worst_job},
                   {"lower_bound", summary->lower_bound},
                   {"gap", summary->certificate.gap},
                   {"certificate", certificate_object(summary->certificate)},
                   {"max_utilisation", summary->max_utilisation},
                   {"unreachable_flows", summary->unreachable_flows},
                   {"solve_us", summary->solve_us},
                   {"truncated", summary->truncated},
                   {"backend", summary->backend},
                   {"device", summary->device}};
  if (const auto& assessed = summary->assessment) {
    object.emplace_back("efficiency", Object{{"network", assessed->network_efficiency},
                                             {"worst_job", assessed->worst_job_efficiency},
                                             {"jain", assessed->jain},
                                             {"fluid_bound", assessed->fluid_bound}});
  }
  return object;
}

Object transition_object(const Transition& transition) {
  return {{"max_utilisation", transition.max_utilisation},
          {"max_before", transition.max_before},
          {"max_all_at_once", transition.max_all_at_once},
          {"batches", transition.num_batches}};
}

}  // namespace

const Fabric& fabric_of(const Snapshot& snapshot) {
  if (!snapshot.fabric) throw NotFoundError("there is no fabric yet: PUT /v1/fabric");
  return *snapshot.fabric;
}

std::uint32_t find_host(const Snapshot& snapshot, std::string_view name) {
  const auto host = snapshot.hosts->find(name);
  if (!host) throw NotFoundError(fmt::format("the fabric has no host '{}'", name));
  return *host;
}

std::string_view name_of(LinkState state) {
  switch (state) {
    case LinkState::up:
      return "up";
    case LinkState::down:
      return "down";
    case LinkState::degraded:
      break;
  }
  return "degraded";
}

std::string digest_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

LinkCounts count_links(const Snapshot& snapshot) {
  LinkCounts counts;
  if (!snapshot.fabric) return counts;
  const bool has_reports = !snapshot.reports->links.empty() || !snapshot.reports->switches.empty();
  for (LinkId link = 0; link < snapshot.fabric->num_links(); ++link) {
    const LinkState state = has_reports ? link_state(snapshot, link).state : snapshot.fabric->link(link).state;
    if (state == LinkState::down) ++counts.down;
    if (state == LinkState::degraded) ++counts.degraded;
  }
  return counts;
}

Object health_object(const Health& health) {
  const bool is_degraded = health.stale || health.backend_lost || !health.error.empty();
  return {{"state", is_degraded ? "degraded" : "ok"}, {"telemetry_stale", health.stale},
          {"backend_lost", health.backend_lost},      {"hosts_behind", health.hosts_behind},
          {"hosts_pinned", health.hosts_pinned},      {"error", health.error}};
}

Object progress_object(const Progress& progress) {
  return {{"stage", std::string(progress.stage)},
          {"step", progress.step},
          {"worst_job", progress.worst_job},
          {"jobs_at_bound", progress.jobs_at_bound}};
}

Object change_object(const RoutingChange& change) {
  return {{"revision", change.revision},
          {"kind", std::string(name_of(change.kind))},
          {"at", time_text(change.at)},
          {"digest", digest_text(change.digest)},
          {"worst_job", change.worst_job},
          {"gap", change.gap},
          {"improvement", change.improvement},
          {"moves", static_cast<std::uint64_t>(change.moves.size())},
          {"transition", transition_object(change.transition)}};
}

Document status_document(const Snapshot& snapshot) {
  return Object{{"revision", snapshot.revision},
                {"frozen", snapshot.frozen},
                {"fabric", fabric_object(snapshot)},
                {"jobs", static_cast<std::uint64_t>(snapshot.jobs->size())},
                {"hosts", static_cast<std::uint64_t>(snapshot.hosts->names.size())},
                {"routing", routing_object(snapshot)},
                {"score", score_object(snapshot.summary.get())},
                {"health", health_object(snapshot.health)}};
}

}  // namespace spineweave::service::api
