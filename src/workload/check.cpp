#include "workload/check.hpp"

#include <fmt/format.h>

#include <map>
#include <unordered_set>
#include <utility>

#include "spineweave/error.hpp"

namespace spineweave {
namespace {

constexpr std::uint32_t kMaxQps = 1024;
constexpr std::uint64_t kMaxFlows = std::uint64_t{1} << 32U;
constexpr std::uint64_t kMaxSteps = std::uint64_t{1} << 32U;
constexpr std::size_t kNamed = 3;

// What is wrong with the jobs, by kind: counted, the first few named.
class Complaints {
 public:
  void add(const std::string& kind, const std::string& who) {
    auto& [count, names] = kinds_[kind];
    if (count++ < kNamed) names += (names.empty() ? "" : ", ") + who;
  }

  void raise() const {
    if (kinds_.empty()) return;
    std::string text;
    for (const auto& [kind, culprits] : kinds_) {
      const auto& [count, names] = culprits;
      text += fmt::format("{}{} ({}): {}", text.empty() ? "" : "; ", kind, count, names);
      if (count > kNamed) text += fmt::format(" and {} more", count - kNamed);
    }
    throw Error(ErrorCode::bad_input, text);
  }

 private:
  std::map<std::string, std::pair<std::size_t, std::string>> kinds_;
};

class Checker {
 public:
  Checker(const Fabric& fabric, const Workload& workload)
      : fabric_(fabric), workload_(workload), seen_in_(fabric.num_nodes(), 0) {}

  std::uint64_t count() {
    std::unordered_set<std::string_view> ids;
    std::uint64_t flows = 0;
    for (const Job& job : workload_.jobs) {
      if (job.id.empty()) complaints_.add("jobs with an empty id", "''");
      if (!ids.insert(job.id).second) complaints_.add("job ids that stand twice", job.id);
      if (job.collectives.empty()) complaints_.add("jobs without a collective", job.id);
      for (std::size_t c = 0; c < job.collectives.size(); ++c) {
        check(job, c);
        flows += count_flows(job.collectives[c]);
        if (flows >= kMaxFlows) refuse_so_many(flows, job);
      }
    }
    complaints_.raise();
    if (flows == 0) throw Error(ErrorCode::bad_input, "there is no job, and so no flow; expected one at least");
    return flows;
  }

 private:
  [[noreturn]] void refuse_so_many(std::uint64_t flows, const Job& job) const {
    complaints_.raise();
    throw Error(ErrorCode::bad_input, fmt::format("the jobs make {} flows and more, with job '{}' counted in; expected "
                                                  "fewer than {} (2^32)",
                                                  flows, job.id, kMaxFlows));
  }

  void check(const Job& job, std::size_t index) {
    const Collective& collective = job.collectives[index];
    const auto where = [&] {
      return fmt::format("job '{}' collective {} ({})", job.id, index, name_of(collective.kind));
    };
    const std::size_t ranks = collective.ranks.size();
    if (collective.kind == CollectiveKind::p2p && ranks != 2)
      complaints_.add("p2p collectives without exactly 2 ranks", fmt::format("{} has {}", where(), ranks));
    else if (ranks < 2)
      complaints_.add("collectives with fewer than 2 ranks", fmt::format("{} has {}", where(), ranks));
    if (collective.bytes == 0) complaints_.add("collectives of 0 bytes", where());
    if (collective.qps == 0 || collective.qps > kMaxQps)
      complaints_.add(fmt::format("collectives with qps outside 1 to {}", kMaxQps),
                      fmt::format("{} has {}", where(), collective.qps));
    if (collective.repeats == 0) complaints_.add("collectives with 0 repeats", where());
    if (const std::uint64_t steps = count_steps(collective); steps >= kMaxSteps)
      complaints_.add("collectives of 2^32 steps and more", fmt::format("{} has {}", where(), steps));
    if (index > 0 && collective.turn < job.collectives[index - 1].turn)
      complaints_.add(
          "collectives after one of a later turn",
          fmt::format("{} is of turn {} behind turn {}", where(), collective.turn, job.collectives[index - 1].turn));
    ++stamp_;
    for (const EndpointId rank : collective.ranks) {
      if (rank >= fabric_.num_nodes()) {
        complaints_.add("ranks that are no endpoints", fmt::format("number {} in {}", rank, where()));
      } else if (rank >= fabric_.num_endpoints()) {
        complaints_.add("ranks that are no endpoints", fmt::format("{} in {}", fabric_.node(rank).name, where()));
      } else if (fabric_.node(rank).role == NodeRole::aggregation) {
        complaints_.add("ranks on aggregation nodes, which carry no jobs",
                        fmt::format("{} in {}", fabric_.node(rank).name, where()));
      } else if (std::exchange(seen_in_[rank], stamp_) == stamp_) {
        complaints_.add("ranks that stand twice in a collective, as in a flow to itself",
                        fmt::format("{} in {}", fabric_.node(rank).name, where()));
      }
    }
  }

  const Fabric& fabric_;
  const Workload& workload_;
  std::vector<std::uint64_t> seen_in_;  // [nodes] number of the last collective with this rank
  std::uint64_t stamp_ = 0;
  Complaints complaints_;
};

}  // namespace

std::uint64_t check_and_count(const Fabric& fabric, const Workload& workload) {
  return Checker(fabric, workload).count();
}

}  // namespace spineweave
