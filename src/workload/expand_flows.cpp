#include "spineweave/workload.hpp"
#include "workload/check.hpp"

namespace spineweave {
namespace {

// Calls visit(source rank, destination rank) for each flow in order.
template <class Visit>
void visit_flows(const Collective& collective, Visit visit) {
  const auto ranks = static_cast<std::uint32_t>(collective.ranks.size());
  switch (collective.kind) {
    case CollectiveKind::ring_allreduce:
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
      for (std::uint32_t r = 0; r < ranks; ++r) visit(r, (r + 1) % ranks);
      return;
    case CollectiveKind::all_to_all:
      for (std::uint32_t a = 0; a < ranks; ++a)
        for (std::uint32_t b = 0; b < ranks; ++b)
          if (a != b) visit(a, b);
      return;
    case CollectiveKind::tree_allreduce:
      // Numbered like a heap: the children of rank r are 2r + 1 and 2r + 2.
      for (std::uint32_t child = 1; child < ranks; ++child) {
        const std::uint32_t parent = (child - 1) / 2;
        visit(child, parent);
        visit(parent, child);
      }
      return;
    case CollectiveKind::p2p:
      visit(0, 1);
      return;
    case CollectiveKind::pipeline:
      for (std::uint32_t r = 0; r + 1 < ranks; ++r) visit(r, r + 1);
      return;
  }
}

}  // namespace

std::vector<FlowSpec> expand_flows(const Fabric& fabric, const Workload& workload) {
  std::vector<FlowSpec> flows;
  flows.reserve(check_and_count(fabric, workload));
  for (JobId j = 0; j < workload.jobs.size(); ++j) {
    const auto& collectives = workload.jobs[j].collectives;
    for (std::uint32_t c = 0; c < collectives.size(); ++c) {
      const Collective& collective = collectives[c];
      const std::uint64_t bytes = collective.bytes / collective.qps + (collective.bytes % collective.qps > 0 ? 1 : 0);
      std::uint32_t index = 0;
      visit_flows(collective, [&](std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t q = 0; q < collective.qps; ++q)
          flows.push_back({collective.ranks[from], collective.ranks[to], j, c, index++, bytes});
      });
    }
  }
  return flows;
}

}  // namespace spineweave
