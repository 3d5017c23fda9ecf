#include "problem/route_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "spineweave/error.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

constexpr std::string_view kArrow = "->";

std::string describe(const NamedRoute& route) {
  return fmt::format("job {} collective {} flow {} ({} to {})", route.job, route.collective, route.index, route.src,
                     route.dst);
}

// Everything but the links.
NamedRoute name_flow(const Problem& problem, FlowId flow) {
  const Fabric& fabric = problem.fabric();
  const FlowSpec& spec = problem.flows()[flow];
  return {problem.workload().jobs[spec.job].id,
          spec.collective,
          spec.index,
          fabric.node(spec.src).name,
          fabric.node(spec.dst).name,
          {}};
}

// The link out of a node that Fabric::link_name calls so; the first where two are called alike, since a
// node may be named as a parallel cable is.
LinkId find_link_from(const Fabric& fabric, NodeId from, std::string_view name) {
  const std::string_view own = fabric.node(from).name;
  if (!name.starts_with(own) || !name.substr(own.size()).starts_with(kArrow)) return kNone;
  const std::string_view target = name.substr(own.size() + kArrow.size());
  const auto link_to = [&](std::string_view to, std::uint32_t parallel) {
    const auto node = fabric.find(to);
    return node ? fabric.find_link(from, *node, parallel).value_or(kNone) : kNone;
  };
  const LinkId plain = link_to(target, 0);
  const auto hash = target.rfind('#');
  if (hash == std::string_view::npos) return plain;
  const std::string_view digits = target.substr(hash + 1);
  const auto parallel = digits.starts_with('0') ? std::nullopt : util::parse_unsigned(digits);
  if (!parallel || *parallel >= kNone) return plain;
  return std::min(plain, link_to(target.substr(0, hash), static_cast<std::uint32_t>(*parallel)));
}

}  // namespace

void Complaints::raise(std::string_view what) const {
  if (kinds_.empty()) return;
  std::string text(what);
  for (const auto& [kind, culprits] : kinds_) {
    text += fmt::format("; {} {}: {}", culprits.count, kind, fmt::join(culprits.names, ", "));
    if (culprits.count > culprits.names.size()) text += ", ...";
  }
  throw Error(ErrorCode::bad_input, text);
}

void check_digests(const Problem& problem, std::uint64_t fabric_digest, std::uint64_t jobs_digest,
                   std::string_view who) {
  const std::uint64_t fabric = problem.fabric().digest();
  if (fabric_digest != fabric)
    throw Error(ErrorCode::bad_input,
                fmt::format("{} to another fabric (its digest {:016x}, this fabric's {:016x}); links that are down "
                            "count too",
                            who, fabric_digest, fabric));
  const std::uint64_t jobs = digest_of(problem.workload(), problem.fabric());
  if (jobs_digest != jobs)
    throw Error(ErrorCode::bad_input,
                fmt::format("{} to other jobs (their digest {:016x}, these jobs' {:016x})", who, jobs_digest, jobs));
}

NamedRoute name_route(const Problem& problem, FlowId flow, PathIndex path) {
  NamedRoute route = name_flow(problem, flow);
  std::vector<LinkId> links;
  problem.append_links(flow, path, links);
  route.links.reserve(links.size());
  for (const LinkId link : links) route.links.push_back(problem.fabric().link_name(link));
  return route;
}

std::string describe_flow(const Problem& problem, FlowId flow) { return describe(name_flow(problem, flow)); }

RouteNames::RouteNames(const Problem& problem)
    : problem_(problem), job_begin_(problem.num_jobs() + 1, problem.num_flows()) {
  for (JobId j = 0; j < problem.num_jobs(); ++j) jobs_.emplace(problem.workload().jobs[j].id, j);
  for (FlowId f = problem.num_flows(); f-- > 0;) job_begin_[problem.flows()[f].job] = f;
  for (JobId j = problem.num_jobs(); j-- > 0;) job_begin_[j] = std::min(job_begin_[j], job_begin_[j + 1]);
}

FlowId RouteNames::find_flow(const NamedRoute& route) const {
  const auto job = jobs_.find(route.job);
  if (job == jobs_.end()) return kNone;
  const auto flows =
      problem_.flows().subspan(job_begin_[job->second], job_begin_[job->second + 1] - job_begin_[job->second]);
  const auto wanted = std::pair{route.collective, route.index};
  const auto at = std::lower_bound(flows.begin(), flows.end(), wanted, [](const FlowSpec& flow, const auto& key) {
    return std::pair{flow.collective, flow.index} < key;
  });
  if (at == flows.end() || std::pair{at->collective, at->index} != wanted) return kNone;
  const Fabric& fabric = problem_.fabric();
  if (fabric.node(at->src).name != route.src || fabric.node(at->dst).name != route.dst) return kNone;
  return static_cast<FlowId>(at - problem_.flows().begin());
}

PathIndex RouteNames::find_path(FlowId flow, const std::vector<std::string>& links) const {
  const Fabric& fabric = problem_.fabric();
  std::vector<LinkId> ids;
  ids.reserve(links.size());
  NodeId at = problem_.flows()[flow].src;
  for (const std::string& name : links) {
    const LinkId link = find_link_from(fabric, at, name);
    if (link == kNone) return kNone;
    ids.push_back(link);
    at = fabric.link(link).to;
  }
  return problem_.find_path(flow, ids);
}

RouteNames::Place RouteNames::find(const NamedRoute& route, Complaints& complaints) const {
  const auto complain = [&](std::string_view kind) { complaints.add(kind, [&] { return describe(route); }); };
  const FlowId flow = find_flow(route);
  if (flow == kNone) {
    complain("routes for flows that these jobs do not have");
    return {};
  }
  const PathIndex path = find_path(flow, route.links);
  if (path == kNone) {
    complain("routes over links that are no candidate path of the flow");
  } else if (!problem_.is_alive(flow, path)) {
    complain("routes over links that are down");
  } else {
    return {flow, path};
  }
  return {flow, kNone};
}

}  // namespace spineweave
