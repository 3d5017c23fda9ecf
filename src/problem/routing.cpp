#include "spineweave/routing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "spineweave/error.hpp"
#include "util/hash.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

std::string describe(const NamedRoute& route) {
  return fmt::format("job {} collective {} flow {} ({} to {})", route.job, route.collective, route.index, route.src,
                     route.dst);
}

// Link names to ids; a name that the fabric does not know maps to nothing.
class LinkNames {
 public:
  explicit LinkNames(const Fabric& fabric) {
    ids_.reserve(fabric.num_links());
    for (LinkId id = 0; id < fabric.num_links(); ++id) ids_.emplace(fabric.link_name(id), id);
  }
  // False where one of the names is unknown.
  bool resolve(const std::vector<std::string>& names, std::vector<LinkId>& out) const {
    out.clear();
    for (const std::string& name : names) {
      const auto at = ids_.find(name);
      if (at == ids_.end()) return false;
      out.push_back(at->second);
    }
    return true;
  }

 private:
  std::unordered_map<std::string, LinkId> ids_;
};

// Finds the flow that a route belongs to.
class FlowNames {
 public:
  explicit FlowNames(const Problem& problem)
      : problem_(problem), job_begin_(problem.num_jobs() + 1, problem.num_flows()) {
    for (JobId j = 0; j < problem.num_jobs(); ++j) jobs_.emplace(problem.workload().jobs[j].id, j);
    for (FlowId f = problem.num_flows(); f-- > 0;) job_begin_[problem.flows()[f].job] = f;
    for (JobId j = problem.num_jobs(); j-- > 0;) job_begin_[j] = std::min(job_begin_[j], job_begin_[j + 1]);
  }

  [[nodiscard]] FlowId find(const NamedRoute& route) const {
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

 private:
  const Problem& problem_;
  std::unordered_map<std::string, JobId> jobs_;
  std::vector<FlowId> job_begin_;
};

// Culprits by kind: counted, the first few named.
class Complaints {
 public:
  void add(std::string_view kind, const std::string& who) {
    auto& [count, names] = kinds_[std::string(kind)];
    if (++count <= 3) names.push_back(who);
  }
  void raise(std::string_view what) const {
    if (kinds_.empty()) return;
    std::string text(what);
    for (const auto& [kind, entry] : kinds_) {
      text += fmt::format("; {} {}: {}", entry.first, kind, fmt::join(entry.second, ", "));
      if (entry.first > entry.second.size()) text += ", ...";
    }
    throw Error(ErrorCode::bad_input, text);
  }

 private:
  std::map<std::string, std::pair<std::size_t, std::vector<std::string>>> kinds_;
};

}  // namespace

RoutingFile name_routes(const Problem& problem, const Routing& routing) {
  const Fabric& fabric = problem.fabric();
  RoutingFile file;
  file.fabric_digest = fabric.digest();
  file.jobs_digest = digest_of(problem.workload(), fabric);
  file.routes.reserve(problem.num_flows());
  std::vector<LinkId> links;
  for (FlowId f = 0; f < problem.num_flows(); ++f) {
    const FlowSpec& flow = problem.flows()[f];
    NamedRoute route;
    route.job = problem.workload().jobs[flow.job].id;
    route.collective = flow.collective;
    route.index = flow.index;
    route.src = fabric.node(flow.src).name;
    route.dst = fabric.node(flow.dst).name;
    links.clear();
    problem.append_links(f, routing[f], links);
    for (const LinkId link : links) route.links.push_back(fabric.link_name(link));
    file.routes.push_back(std::move(route));
  }
  return file;
}

Routing resolve_routes(const Problem& problem, const RoutingFile& file) {
  if (file.fabric_digest != problem.fabric().digest())
    throw Error(
        ErrorCode::bad_input,
        fmt::format("the routing belongs to another fabric (its digest {:016x}, this fabric's {:016x}); links that are "
                    "down count too",
                    file.fabric_digest, problem.fabric().digest()));
  const std::uint64_t jobs_digest = digest_of(problem.workload(), problem.fabric());
  if (file.jobs_digest != jobs_digest)
    throw Error(ErrorCode::bad_input,
                fmt::format("the routing belongs to other jobs (their digest {:016x}, these jobs' {:016x})",
                            file.jobs_digest, jobs_digest));
  const FlowNames flow_names(problem);
  const LinkNames link_names(problem.fabric());
  Routing routing(problem.num_flows(), kNone);
  std::vector<bool> seen(problem.num_flows(), false);
  std::vector<LinkId> links;
  Complaints complaints;
  for (const NamedRoute& route : file.routes) {
    const FlowId f = flow_names.find(route);
    if (f == kNone) {
      complaints.add("routes for flows that these jobs do not have", describe(route));
      continue;
    }
    if (seen[f]) complaints.add("flows routed twice", describe(route));
    seen[f] = true;
    const PathIndex path = link_names.resolve(route.links, links) ? problem.find_path(f, links) : kNone;
    if (path == kNone) {
      complaints.add("routes over links that are no candidate path of the flow", describe(route));
    } else if (!problem.is_alive(f, path)) {
      complaints.add("routes over links that are down", describe(route));
    } else {
      routing[f] = path;
    }
  }
  const Fabric& fabric = problem.fabric();
  for (FlowId f = 0; f < problem.num_flows(); ++f) {
    const FlowSpec& flow = problem.flows()[f];
    if (!seen[f])
      complaints.add("flows without a route", fmt::format("job {} ({} to {})", problem.workload().jobs[flow.job].id,
                                                          fabric.node(flow.src).name, fabric.node(flow.dst).name));
  }
  complaints.raise("the routing does not fit");
  return routing;
}

Routing match_routes(const Problem& problem, const RoutingFile& file) {
  const FlowNames flow_names(problem);
  const LinkNames link_names(problem.fabric());
  Routing routing(problem.num_flows(), kNone);
  std::vector<LinkId> links;
  for (const NamedRoute& route : file.routes) {
    const FlowId f = flow_names.find(route);
    if (f == kNone || !link_names.resolve(route.links, links)) continue;
    const PathIndex path = problem.find_path(f, links);
    if (path != kNone && problem.is_alive(f, path)) routing[f] = path;
  }
  return routing;
}

void check_routing(const Problem& problem, const Routing& routing) {
  if (routing.size() != problem.num_flows())
    throw Error(ErrorCode::bad_input, fmt::format("the routing has {} paths; expected one for each of {} flows",
                                                  routing.size(), problem.num_flows()));
  std::vector<std::string> dead;
  for (FlowId f = 0; f < problem.num_flows(); ++f)
    if (!problem.is_alive(f, routing[f])) dead.push_back(fmt::format("flow {} (path {})", f, routing[f]));
  if (!dead.empty())
    throw Error(ErrorCode::bad_input,
                fmt::format("{} flows have no live path: {}", dead.size(), util::join_names(dead, 3)));
}

std::uint64_t result_digest(const Problem& problem, const Routing& routing, const Score& score) {
  util::Digest digest;
  digest.add(problem.precision_bits());
  std::vector<LinkId> links;
  for (FlowId f = 0; f < problem.num_flows(); ++f) {
    links.clear();
    problem.append_links(f, routing[f], links);
    for (const LinkId link : links) digest.add(link);
  }
  for (const std::uint64_t n : score.normalised) digest.add(n);
  for (const std::uint32_t n : score.at_bottleneck) digest.add(n);
  digest.add(score.pressure);
  return digest.value();
}

}  // namespace spineweave
