// Many routings over one table of routes.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "problem/route_names.hpp"
#include "spineweave/error.hpp"

namespace spineweave {
namespace {

using Rows = std::vector<RouteNames::Place>;

// Every routing takes one row of the table for each flow.
void check_entries(const Problem& problem, const Rows& rows, std::span<const RoutingSetFile::Entry> entries) {
  Complaints complaints;
  const std::string outside = fmt::format("numbers of routes outside the table of {}", rows.size());
  // The routing that took a row for the flow last, counted from 1.
  std::vector<std::size_t> taken_by(problem.num_flows(), 0);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto of_this = [&](std::string_view what) { return fmt::format("routing '{}' {}", entries[k].name, what); };
    std::size_t routed = 0;
    for (const std::uint32_t row : entries[k].routes) {
      if (row >= rows.size()) {
        complaints.add(outside, [&] { return of_this(fmt::to_string(row)); });
        continue;
      }
      const FlowId flow = rows[row].flow;
      if (taken_by[flow] == k + 1) {
        complaints.add(kTwice, [&] { return of_this(describe_flow(problem, flow)); });
      } else {
        ++routed;
      }
      taken_by[flow] = k + 1;
    }
    if (routed == problem.num_flows()) continue;
    for (FlowId f = 0; f < problem.num_flows(); ++f)
      if (taken_by[f] != k + 1) complaints.add(kWithout, [&] { return of_this(describe_flow(problem, f)); });
  }
  complaints.raise("the routings do not fit");
}

}  // namespace

RoutingSetFile name_routings(const Problem& problem, std::span<const std::string> names,
                             std::span<const PathIndex> routings) {
  const std::size_t num_flows = problem.num_flows();
  if (routings.size() != names.size() * num_flows)
    throw Error(ErrorCode::internal, "name_routings: the routings do not fill the names");
  RoutingSetFile file;
  file.fabric_digest = problem.fabric().digest();
  file.jobs_digest = digest_of(problem.workload(), problem.fabric());
  for (const std::string& name : names) file.routings.push_back({name, std::vector<std::uint32_t>(num_flows)});
  std::vector<PathIndex> paths;
  for (FlowId f = 0; f < num_flows; ++f) {
    paths.clear();
    for (std::size_t k = 0; k < names.size(); ++k) paths.push_back(routings[k * num_flows + f]);
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    const std::size_t first_row = file.routes.size();
    for (const PathIndex path : paths) file.routes.push_back(name_route(problem, f, path));
    for (std::size_t k = 0; k < names.size(); ++k) {
      const auto at = std::lower_bound(paths.begin(), paths.end(), routings[k * num_flows + f]);
      file.routings[k].routes[f] = static_cast<std::uint32_t>(first_row + static_cast<std::size_t>(at - paths.begin()));
    }
  }
  return file;
}

RoutingSource resolve_routings(const Problem& problem, RoutingSetFile file) {
  check_digests(problem, file.fabric_digest, file.jobs_digest, "the routings belong");
  const auto rows = std::make_shared<Rows>();
  rows->reserve(file.routes.size());
  const RouteNames names(problem);
  Complaints complaints;
  for (const NamedRoute& route : file.routes) rows->push_back(names.find(route, complaints));
  complaints.raise("the table of routes does not fit");
  check_entries(problem, *rows, file.routings);

  RoutingSource source;
  for (const RoutingSetFile::Entry& entry : file.routings) source.names.push_back(entry.name);
  const auto entries = std::make_shared<const std::vector<RoutingSetFile::Entry>>(std::move(file.routings));
  source.write = [rows, entries](std::size_t k, std::span<PathIndex> out) {
    for (const std::uint32_t row : (*entries)[k].routes) out[(*rows)[row].flow] = (*rows)[row].path;
  };
  return source;
}

}  // namespace spineweave
