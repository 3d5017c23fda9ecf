// Jobs, and the phases that they name.
#include <fmt/format.h>

#include <map>

#include "service/api/changing.hpp"
#include "service/api/context.hpp"
#include "service/api/json_response.hpp"
#include "service/api/status.hpp"
#include "spineweave/io.hpp"

namespace spineweave::service::api {
namespace {

using http::Method;
using http::Request;
using http::Response;

Response put_job(const Context& context, const Request& request) {
  const auto snapshot = context.controller.snapshot();
  if (!snapshot->fabric) throw ConflictError("there is no fabric yet for jobs to run on: PUT /v1/fabric");
  Job job = parse_job(*snapshot->fabric, *snapshot->phases, request.parameters[0], request.body, "body");
  return respond_to_change(
      request, [&](auto expected) { return context.controller.put_job(std::move(job), *snapshot, expected); });
}

Response delete_job(const Context& context, const Request& request) {
  return respond_to_change(
      request, [&](auto expected) { return context.controller.delete_job(request.parameters[0], expected); });
}

// As it was put, in spineweave.jobs/1.
Response get_job(const Context& context, const Request& request) {
  const auto snapshot = context.controller.snapshot();
  const JobEntry* entry = snapshot->find_job(request.parameters[0]);
  if (entry == nullptr) throw NotFoundError(fmt::format("there is no job '{}'", request.parameters[0]));
  return respond_resource(write_job_json(*snapshot->fabric, *snapshot->phases, entry->job), entry->revision);
}

Document::Object job_object(const JobEntry& entry, const Summary* summary, std::optional<std::size_t> place) {
  Document::Object object = {{"id", entry.job.id},
                             {"model", entry.job.model},
                             {"flows", static_cast<std::uint64_t>(entry.flows.size())},
                             {"revision", entry.revision}};
  if (!place) return object;
  object.emplace_back("bottleneck", summary->jobs[*place].bottleneck);
  object.emplace_back("bound", summary->jobs[*place].bound);
  if (summary->assessment) {
    object.emplace_back("slowdown", summary->assessment->jobs[*place].slowdown);
    object.emplace_back("rate_gbps", summary->assessment->jobs[*place].rate_bps / 1e9);
  }
  return object;
}

// How each is doing. What the routing was chosen for may be a little older than the jobs.
Response get_jobs(const Context& context, const Request& /*request*/) {
  const auto snapshot = context.controller.snapshot();
  const Summary* summary = snapshot->summary.get();
  std::map<std::string_view, std::size_t> places;
  if (summary != nullptr)
    for (std::size_t i = 0; i < summary->jobs.size(); ++i) places.emplace(summary->jobs[i].id, i);
  Document::Array jobs;
  for (const auto& entry : *snapshot->jobs) {
    const auto found = places.find(entry->job.id);
    jobs.emplace_back(job_object(*entry, summary, found == places.end() ? std::nullopt : std::optional(found->second)));
  }
  return respond_json(Document::Object{{"revision", snapshot->revision}, {"jobs", std::move(jobs)}});
}

Response put_phases(const Context& context, const Request& request) {
  std::vector<Phase> phases = parse_phases(request.body, "body");
  return respond_to_change(request,
                           [&](auto expected) { return context.controller.put_phases(std::move(phases), expected); });
}

Response get_phases(const Context& context, const Request& /*request*/) {
  const auto snapshot = context.controller.snapshot();
  Document::Array phases;
  for (const Phase& phase : *snapshot->phases)
    phases.emplace_back(Document::Object{{"id", phase.id}, {"length_ns", phase.length_ns}});
  return respond_resource(write_json_line(Document::Object{{"phases", std::move(phases)}}), snapshot->phases_revision);
}

}  // namespace

void add_job_routes(http::Router& router, const Context& context) {
  add_plain(router, context, Method::get, "/v1/jobs", get_jobs);
  add_plain(router, context, Method::get, "/v1/jobs/{id}", get_job);
  add_plain(router, context, Method::put, "/v1/jobs/{id}", put_job);
  add_plain(router, context, Method::delete_, "/v1/jobs/{id}", delete_job);
  add_plain(router, context, Method::get, "/v1/phases", get_phases);
  add_plain(router, context, Method::put, "/v1/phases", put_phases);
}

}  // namespace spineweave::service::api
