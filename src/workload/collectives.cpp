#include <array>

#include "spineweave/workload.hpp"
#include "util/hash.hpp"

namespace spineweave {
namespace {

constexpr std::array<std::string_view, 6> kNames = {"ring_allreduce", "all_gather",     "reduce_scatter",
                                                    "all_to_all",     "tree_allreduce", "p2p"};

}  // namespace

std::string_view name_of(CollectiveKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<CollectiveKind> collective_kind(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<CollectiveKind>(i);
  return std::nullopt;
}

std::uint64_t count_flows(const Collective& collective) {
  const std::uint64_t ranks = collective.ranks.size();
  if (ranks < 2) return 0;
  switch (collective.kind) {
    case CollectiveKind::ring_allreduce:
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
      return ranks * collective.qps;
    case CollectiveKind::all_to_all:
      return ranks * (ranks - 1) * collective.qps;
    case CollectiveKind::tree_allreduce:
      return 2 * (ranks - 1) * collective.qps;
    case CollectiveKind::p2p:
      return collective.qps;
  }
  return 0;
}

std::uint32_t count_steps(const Collective& collective) {
  const auto ranks = static_cast<std::uint32_t>(collective.ranks.size());
  if (ranks < 2) return 0;
  switch (collective.kind) {
    case CollectiveKind::ring_allreduce:
      return 2 * (ranks - 1);
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
      return ranks - 1;
    case CollectiveKind::all_to_all:
    case CollectiveKind::tree_allreduce:
    case CollectiveKind::p2p:
      return 1;
  }
  return 0;
}

// Lists go in with their length, so that no two workloads run together into one stream of words.
std::uint64_t digest_of(const Workload& workload, const Fabric& fabric) {
  util::Digest digest;
  digest.add(workload.phases.size());
  for (const Phase& phase : workload.phases) digest.add(phase.length_ns);
  digest.add(workload.jobs.size());
  for (const Job& job : workload.jobs) {
    digest.add(job.id);
    digest.add(job.start_ns);
    digest.add(job.compute_ns);
    digest.add(job.epochs);
    digest.add(job.phase_mask);
    digest.add(job.collectives.size());
    for (const Collective& collective : job.collectives) {
      digest.add((static_cast<std::uint64_t>(collective.kind) << 32U) | collective.qps);
      digest.add(collective.bytes);
      digest.add(collective.ranks.size());
      for (const EndpointId rank : collective.ranks) digest.add(fabric.node(rank).name);
    }
  }
  return digest.value();
}

}  // namespace spineweave
