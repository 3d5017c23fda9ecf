#include <array>

#include "spineweave/workload.hpp"
#include "util/hash.hpp"

namespace spineweave {
namespace {

constexpr std::array<std::string_view, 7> kNames = {"ring_allreduce", "all_gather", "reduce_scatter", "all_to_all",
                                                    "tree_allreduce", "p2p",        "pipeline"};

constexpr std::uint64_t kHasSchedule = std::uint64_t{1} << 63U;  // in the digest: repeats and turn follow

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
    case CollectiveKind::pipeline:
      return (ranks - 1) * collective.qps;
  }
  return 0;
}

std::uint64_t count_steps(const Collective& collective) {
  const std::uint64_t ranks = collective.ranks.size(), repeats = collective.repeats;
  if (ranks < 2) return 0;
  switch (collective.kind) {
    case CollectiveKind::ring_allreduce:
      return repeats * 2 * (ranks - 1);
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
      return repeats * (ranks - 1);
    case CollectiveKind::all_to_all:
    case CollectiveKind::tree_allreduce:
    case CollectiveKind::p2p:
      return repeats;
    case CollectiveKind::pipeline:
      return repeats + ranks - 2;
  }
  return 0;
}

StepRange steps_of_flow(const Collective& collective, std::uint32_t index) {
  if (collective.kind != CollectiveKind::pipeline) return {0, static_cast<std::uint32_t>(count_steps(collective))};
  const std::uint32_t edge = index / collective.qps;
  return {edge, edge + collective.repeats};
}

// Lists go in with their length, so that no two workloads run together into one stream of words. What a collective
// leaves at its default goes in as if there were no such key.
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
      const bool is_plain = collective.repeats == 1 && collective.turn == 0;
      digest.add((is_plain ? 0 : kHasSchedule) | (static_cast<std::uint64_t>(collective.kind) << 32U) | collective.qps);
      if (!is_plain) digest.add((std::uint64_t{collective.repeats} << 32U) | collective.turn);
      digest.add(collective.bytes);
      digest.add(collective.ranks.size());
      for (const EndpointId rank : collective.ranks) digest.add(fabric.node(rank).name);
    }
  }
  return digest.value();
}

}  // namespace spineweave
