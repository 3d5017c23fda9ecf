#include "spineweave/routing.hpp"

#include <fmt/format.h>

#include "problem/route_names.hpp"
#include "spineweave/error.hpp"
#include "util/hash.hpp"
#include "util/parallel.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

constexpr std::size_t kDigestChunk = 8192;

}  // namespace

RoutingFile name_routes(const Problem& problem, const Routing& routing) {
  RoutingFile file;
  file.fabric_digest = problem.fabric().digest();
  file.jobs_digest = digest_of(problem.workload(), problem.fabric());
  file.routes.reserve(problem.num_flows());
  for (FlowId f = 0; f < problem.num_flows(); ++f) file.routes.push_back(name_route(problem, f, routing[f]));
  return file;
}

Routing resolve_routes(const Problem& problem, const RoutingFile& file) {
  check_digests(problem, file.fabric_digest, file.jobs_digest, "the routing belongs");
  const RouteNames names(problem);
  Routing routing(problem.num_flows(), kNone);
  std::vector<bool> seen(problem.num_flows(), false);
  Complaints complaints;
  for (const NamedRoute& route : file.routes) {
    const RouteNames::Place place = names.find(route, complaints);
    if (place.flow == kNone) continue;
    if (seen[place.flow]) complaints.add(kTwice, [&] { return describe_flow(problem, place.flow); });
    seen[place.flow] = true;
    if (place.path != kNone) routing[place.flow] = place.path;
  }
  for (FlowId f = 0; f < problem.num_flows(); ++f)
    if (!seen[f]) complaints.add(kWithout, [&] { return describe_flow(problem, f); });
  complaints.raise("the routing does not fit");
  return routing;
}

Routing match_routes(const Problem& problem, const RoutingFile& file) {
  const RouteNames names(problem);
  Routing routing(problem.num_flows(), kNone);
  Complaints ignored;
  for (const NamedRoute& route : file.routes)
    if (const auto [flow, path] = names.find(route, ignored); path != kNone) routing[flow] = path;
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
  // Finding the links takes longer than adding them up, and goes in any order.
  std::vector<std::vector<LinkId>> links((problem.num_flows() + kDigestChunk - 1) / kDigestChunk);
  util::parallel_chunks(problem.num_flows(), kDigestChunk, [&](std::size_t begin, std::size_t end) {
    for (auto f = static_cast<FlowId>(begin); f < end; ++f)
      problem.append_links(f, routing[f], links[begin / kDigestChunk]);
  });
  for (const std::vector<LinkId>& chunk : links)
    for (const LinkId link : chunk) digest.add(link);
  for (const std::uint64_t n : score.normalised) digest.add(n);
  for (const std::uint32_t n : score.at_bottleneck) digest.add(n);
  digest.add(score.pressure);
  return digest.value();
}

}  // namespace spineweave
