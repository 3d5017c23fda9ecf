// Jobs from built-in specs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "spineweave/error.hpp"
#include "spineweave/workload.hpp"
#include "util/hash.hpp"
#include "util/text.hpp"
#include "workload/hosts.hpp"
#include "workload/paper.hpp"

namespace spineweave {
namespace {

constexpr std::array<std::string_view, 5> kKinds = {"permutation", "rings", "all-reduce", "all-to-all", "paper"};
constexpr std::uint64_t kDefaultBytes = 1000000000;

std::uint64_t bytes_of(util::SpecReader& spec) {
  const auto text = spec.text("bytes");
  if (!text) return kDefaultBytes;
  const auto bytes = util::parse_bytes(*text);
  if (!bytes || *bytes == 0)
    throw Error(ErrorCode::usage, fmt::format("{}: bytes is '{}'; expected a size with its unit, as 1GB or 512MiB", spec.kind(), *text));
  return *bytes;
}

// One job that sends from every endpoint to one other, and to every endpoint from one other.
Workload build_permutation(const Fabric& fabric, util::SpecReader& spec) {
  const std::uint64_t seed = spec.number_or("seed", 1, 0, ~0ULL);
  const std::uint64_t bytes = bytes_of(spec);
  const auto qps = static_cast<std::uint32_t>(spec.number_or("qps", 1, 1, 1024));
  spec.finish();
  const std::vector<EndpointId> from = placeable_endpoints(fabric);
  if (from.size() < 2) throw Error(ErrorCode::usage, "permutation: the fabric has fewer than two endpoints that jobs can use");
  std::vector<EndpointId> to = from;
  shuffle(to, seed);
  // Whoever would send to itself swaps with its neighbour, which then does not either.
  for (std::size_t i = 0; i < to.size(); ++i)
    if (to[i] == from[i]) std::swap(to[i], to[(i + 1) % to.size()]);
  Workload workload;
  Job& job = workload.jobs.emplace_back();
  job.id = "permutation";
  job.collectives.reserve(from.size());
  for (std::size_t i = 0; i < from.size(); ++i)
    job.collectives.push_back({CollectiveKind::p2p, qps, bytes, {from[i], to[i]}});
  return workload;
}

struct GroupSpec {
  CollectiveKind kind = CollectiveKind::ring_allreduce;
  std::optional<std::uint64_t> jobs, size;
  bool shuffled = false;
  std::uint64_t seed = 1, bytes = kDefaultBytes;
  std::uint32_t qps = 1;
};

GroupSpec read_groups(util::SpecReader& spec) {
  GroupSpec groups;
  if (spec.kind() == "all-to-all") groups.kind = CollectiveKind::all_to_all;
  groups.jobs = spec.number("jobs", 1, 1U << 20U);
  groups.size = spec.number("size", 2, 1U << 24U);
  groups.seed = spec.number_or("seed", 1, 0, ~0ULL);
  groups.bytes = bytes_of(spec);
  groups.qps = static_cast<std::uint32_t>(spec.number_or("qps", 1, 1, 1024));
  const std::string placement = spec.text("placement").value_or("packed");
  if (placement != "packed" && placement != "random")
    throw Error(ErrorCode::usage, fmt::format("{}: placement is '{}'; expected packed or random", spec.kind(), placement));
  const std::string order = spec.text("order").value_or("natural");
  if (order != "natural" && order != "shuffled")
    throw Error(ErrorCode::usage, fmt::format("{}: order is '{}'; expected natural or shuffled", spec.kind(), order));
  groups.shuffled = placement == "random" || order == "shuffled";
  spec.finish();
  if (!groups.size && groups.jobs != 1)
    throw Error(ErrorCode::usage, fmt::format("{}: size=N is missing (only jobs=1 may leave it out, and takes all)", spec.kind()));
  return groups;
}

// Group i of `members` gets [i * size, (i + 1) * size). Returns the number of groups.
std::size_t count_groups(const util::SpecReader& spec, const GroupSpec& groups, std::size_t members, std::string_view unit) {
  const std::size_t size = groups.size.value_or(members);
  const std::size_t fit = size == 0 ? 0 : members / size;
  const std::size_t jobs = groups.jobs.value_or(fit);
  if (jobs == 0 || jobs > fit)
    throw Error(ErrorCode::usage, fmt::format("{}: {} jobs of {} {} asked for; the fabric has {} {} that jobs can use", spec.kind(),
                                              std::max<std::size_t>(jobs, 1), size, unit, members, unit));
  return jobs;
}

Workload build_groups(const Fabric& fabric, util::SpecReader& spec) {
  const GroupSpec groups = read_groups(spec);
  Workload workload;
  const auto note_tail = [&](std::size_t used, auto&& names) {
    if (groups.jobs || names.size() == used) return;
    workload.findings.push_back({fmt::format("left over, fewer than a group of {}", *groups.size), {names.begin() + static_cast<std::ptrdiff_t>(used), names.end()}});
  };
  if (const auto table = host_table(fabric, workload.findings); !table.empty()) {
    std::vector<std::uint32_t> order(table.size());
    std::iota(order.begin(), order.end(), 0U);
    if (groups.shuffled) shuffle(order, groups.seed);
    const std::size_t size = groups.size.value_or(table.size());
    const std::size_t jobs = count_groups(spec, groups, table.size(), "hosts");
    Finding lacking{"hosts left out of a ring because they lack its rail", {}};
    for (std::size_t j = 0; j < jobs; ++j) {
      Job& job = workload.jobs.emplace_back();
      job.id = fmt::to_string(j);
      for (const std::uint32_t rail : rails_of(table)) {
        Collective collective{groups.kind, groups.qps, groups.bytes, {}};
        for (std::size_t i = j * size; i < (j + 1) * size; ++i) {
          const Host& host = table[order[i]];
          const auto adapter = host.adapter_of_rail.find(rail);
          if (adapter == host.adapter_of_rail.end()) {
            lacking.names.push_back(fmt::format("{} (rail {})", host.name, rail));
          } else {
            collective.ranks.push_back(adapter->second);
          }
        }
        if (collective.ranks.size() >= 2) job.collectives.push_back(std::move(collective));
      }
    }
    // A job whose hosts share no rail has nothing to send.
    Finding silent{"jobs dropped because their hosts share no rail", {}};
    for (const Job& job : workload.jobs)
      if (job.collectives.empty()) silent.names.push_back(job.id);
    std::erase_if(workload.jobs, [](const Job& job) { return job.collectives.empty(); });
    std::vector<std::string> names;
    for (const std::uint32_t h : order) names.push_back(table[h].name);
    note_tail(jobs * size, names);
    if (!lacking.names.empty()) workload.findings.push_back(std::move(lacking));
    if (!silent.names.empty()) workload.findings.push_back(std::move(silent));
    return workload;
  }
  std::vector<EndpointId> order = placeable_endpoints(fabric);
  if (groups.shuffled) shuffle(order, groups.seed);
  const std::size_t size = groups.size.value_or(order.size());
  const std::size_t jobs = count_groups(spec, groups, order.size(), "endpoints");
  for (std::size_t j = 0; j < jobs; ++j) {
    Job& job = workload.jobs.emplace_back();
    job.id = fmt::to_string(j);
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(j * size);
    job.collectives.push_back({groups.kind, groups.qps, groups.bytes, {first, first + static_cast<std::ptrdiff_t>(size)}});
  }
  std::vector<std::string> names;
  for (const EndpointId e : order) names.push_back(fabric.node(e).name);
  note_tail(jobs * size, names);
  return workload;
}

}  // namespace

std::vector<EndpointId> placeable_endpoints(const Fabric& fabric) {
  std::vector<EndpointId> endpoints;
  for (EndpointId e = 0; e < fabric.num_endpoints(); ++e)
    if (fabric.node(e).role == NodeRole::endpoint && !fabric.links_from(e).empty()) endpoints.push_back(e);
  return endpoints;
}

bool is_workload_spec(std::string_view text) {
  const std::string_view kind = text.substr(0, text.find(':'));
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end() ||
         (text.find(':') != std::string_view::npos && text.find('=') != std::string_view::npos && text.find('/') == std::string_view::npos);
}

Workload build_workload(const Fabric& fabric, std::string_view text) {
  util::SpecReader spec(util::parse_spec(text));
  if (spec.kind() == "permutation") return build_permutation(fabric, spec);
  if (spec.kind() == "paper") return build_paper_jobs(fabric, spec);
  if (spec.kind() == "rings" || spec.kind() == "all-reduce" || spec.kind() == "all-to-all") return build_groups(fabric, spec);
  const std::string hint = util::suggest(spec.kind(), kKinds);
  throw Error(ErrorCode::usage, fmt::format("unknown jobs '{}'; {}", spec.kind(),
                                            hint.empty() ? fmt::format("the kinds are {}", fmt::join(kKinds, ", ")) : hint));
}

}  // namespace spineweave
