#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "spineweave/error.hpp"
#include "spineweave/workload.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

constexpr std::uint32_t kMaxQps = 1024;
constexpr std::uint64_t kMaxFlows = std::uint64_t{1} << 32U;

// What is wrong with the jobs, by kind: counted, the first few named.
class Complaints {
 public:
  void add(const std::string& kind, std::string who) { kinds_[kind].push_back(std::move(who)); }
  void raise() const {
    if (kinds_.empty()) return;
    std::string text;
    for (const auto& [kind, names] : kinds_)
      text += fmt::format("{}{} {}: {}", text.empty() ? "" : "; ", names.size(), kind, util::join_names(names, 3));
    throw Error(ErrorCode::bad_input, text);
  }

 private:
  std::map<std::string, std::vector<std::string>> kinds_;
};

class Checker {
 public:
  Checker(const Fabric& fabric, const Workload& workload) : fabric_(fabric), workload_(workload), seen_in_(fabric.num_nodes(), 0) {}

  std::uint64_t count() {
    std::set<std::string_view> ids;
    std::uint64_t flows = 0;
    for (const Job& job : workload_.jobs) {
      if (!ids.insert(job.id).second) complaints_.add("job ids stand twice", job.id);
      if (job.collectives.empty()) complaints_.add("jobs have no collective", job.id);
      for (std::size_t c = 0; c < job.collectives.size(); ++c) {
        check(job, c);
        flows += count_flows(job.collectives[c]);
        if (flows >= kMaxFlows) {
          complaints_.raise();
          throw Error(ErrorCode::bad_input, fmt::format("the jobs make more than {} flows by job '{}'; expected fewer than 2^32",
                                                        flows - 1, job.id));
        }
      }
    }
    complaints_.raise();
    if (flows == 0) throw Error(ErrorCode::bad_input, "there is no job with a flow");
    return flows;
  }

 private:
  void check(const Job& job, std::size_t index) {
    const Collective& collective = job.collectives[index];
    const auto where = [&] { return fmt::format("job '{}' collective {} ({})", job.id, index, name_of(collective.kind)); };
    const bool is_p2p = collective.kind == CollectiveKind::p2p;
    if (collective.ranks.size() < 2 || (is_p2p && collective.ranks.size() != 2))
      complaints_.add(is_p2p ? "p2p collectives without exactly 2 ranks" : "collectives with fewer than 2 ranks",
                      fmt::format("{} has {}", where(), collective.ranks.size()));
    if (collective.bytes == 0) complaints_.add("collectives of 0 bytes", where());
    if (collective.qps == 0 || collective.qps > kMaxQps)
      complaints_.add(fmt::format("collectives with a qps outside 1 to {}", kMaxQps),
                      fmt::format("{} has {}", where(), collective.qps));
    ++stamp_;
    for (const EndpointId rank : collective.ranks) {
      if (rank >= fabric_.num_endpoints()) {
        complaints_.add("ranks that are no endpoints", fmt::format("{} in {}", rank < fabric_.num_nodes() ? fabric_.node(rank).name : fmt::to_string(rank), where()));
      } else if (fabric_.node(rank).role == NodeRole::aggregation) {
        complaints_.add("ranks on aggregation nodes, which carry no jobs", fmt::format("{} in {}", fabric_.node(rank).name, where()));
      } else if (std::exchange(seen_in_[rank], stamp_) == stamp_) {
        complaints_.add("ranks that stand twice (a flow to itself)", fmt::format("{} in {}", fabric_.node(rank).name, where()));
      }
    }
  }

  const Fabric& fabric_;
  const Workload& workload_;
  std::vector<std::uint64_t> seen_in_;  // [nodes] number of the last collective with this rank
  std::uint64_t stamp_ = 0;
  Complaints complaints_;
};

// Calls visit(source rank, destination rank) for each flow in order.
template <class Visit>
void visit_flows(const Collective& collective, Visit&& visit) {
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
      for (std::uint32_t child = 1; child < ranks; ++child) {
        visit(child, (child - 1) / 2);
        visit((child - 1) / 2, child);
      }
      return;
    case CollectiveKind::p2p:
      visit(0, 1);
      return;
  }
}

}  // namespace

std::vector<FlowSpec> expand_flows(const Fabric& fabric, const Workload& workload) {
  std::vector<FlowSpec> flows;
  flows.reserve(Checker(fabric, workload).count());
  for (JobId j = 0; j < workload.jobs.size(); ++j) {
    const auto& collectives = workload.jobs[j].collectives;
    for (std::uint32_t c = 0; c < collectives.size(); ++c) {
      const Collective& collective = collectives[c];
      const std::uint64_t bytes = (collective.bytes + collective.qps - 1) / collective.qps;
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
