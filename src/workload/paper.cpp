#include "workload/paper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "spineweave/error.hpp"
#include "workload/hosts.hpp"

namespace spineweave {
namespace {

struct Model {
  std::string_view name;
  std::uint64_t parameters;  // billions
  std::uint32_t copies;
  std::uint64_t compute_ns;
};
constexpr Model kBloom{"BLOOM", 176, 48, 1238769231};
constexpr Model kGpt3{"GPT_3", 175, 64, 1009615385};
constexpr Model kLlama2{"LLaMA2_70B", 70, 128, 2692307693};

// The models that the artifact trains together, in its order, by ring size.
std::array<Model, 5> models_for(std::uint64_t ring) {
  if (ring <= 2) return {kBloom, kLlama2, kLlama2, kBloom, kGpt3};
  if (ring >= 8) return {kBloom, kGpt3, kLlama2, kGpt3, kBloom};
  return {kBloom, kLlama2, kGpt3, kLlama2, kGpt3};
}

// Hands out endpoints leaf by leaf.
class Placer {
 public:
  Placer(const Fabric& fabric, std::uint64_t seed) {
    std::map<NodeId, std::vector<EndpointId>> by_leaf;
    for (const EndpointId e : placeable_endpoints(fabric)) by_leaf[fabric.links_from(e).front().to].push_back(e);
    for (auto& [leaf, endpoints] : by_leaf) free_.push_back(std::move(endpoints));
    for (auto& endpoints : free_) std::reverse(endpoints.begin(), endpoints.end());  // taken from the back
    shuffle(free_, seed);
    owner_.assign(free_.size(), kNone);
  }

  void next_job() { std::fill(owner_.begin(), owner_.end(), kNone); }

  // `count` endpoints on leaves that no other column of the present job uses; leaves that an earlier
  // job has begun come first. Empty where there is no room.
  std::vector<EndpointId> take(std::uint32_t column, std::uint32_t count) {
    std::vector<EndpointId> taken;
    for (std::size_t leaf = 0; leaf < free_.size() && taken.size() < count; ++leaf) {
      if (free_[leaf].empty() || (owner_[leaf] != kNone && owner_[leaf] != column)) continue;
      owner_[leaf] = column;
      while (!free_[leaf].empty() && taken.size() < count) {
        taken.push_back(free_[leaf].back());
        free_[leaf].pop_back();
      }
    }
    if (taken.size() < count) taken.clear();
    return taken;
  }

 private:
  std::vector<std::vector<EndpointId>> free_;  // by leaf, in shuffled order
  std::vector<std::uint32_t> owner_;           // column of the present job
};

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}  // namespace

Workload build_paper_jobs(const Fabric& fabric, util::SpecReader& spec) {
  const std::uint64_t jobs = spec.number_or("jobs", 5, 1, 5);
  const std::uint64_t ring = spec.number_or("ring", 4, 2, 1024);
  const std::uint64_t seed = spec.number_or("seed", 1, 0, ~0ULL);
  const auto qps = static_cast<std::uint32_t>(spec.number_or("qps", 1, 1, 1024));
  spec.finish();
  Placer placer(fabric, seed);
  Workload workload;
  for (std::uint64_t j = 0; j < jobs; ++j) {
    const Model model = models_for(ring)[j];
    Job job;
    job.id = fmt::to_string(j);
    job.model = model.name;
    job.start_ns = 2000000000 + util::random_at(seed, 1, j) % 10500000000ULL;
    job.compute_ns = model.compute_ns;
    job.epochs = 11;
    placer.next_job();
    job.collectives.resize(model.copies);
    for (Collective& collective : job.collectives) {
      collective.bytes = divide_up(divide_up(4000000000ULL * model.parameters, model.copies), ring);
      collective.qps = qps;
    }
    for (std::uint32_t column = 0; column < ring; ++column) {
      const std::vector<EndpointId> members = placer.take(column, model.copies);
      if (members.empty())
        throw Error(ErrorCode::usage,
                    fmt::format("paper: job {} ({}) needs {} endpoints for each of {} ring members, on leaves of their own; the "
                                "fabric has no room left for member {}",
                                j, model.name, model.copies, ring, column));
      for (std::uint32_t i = 0; i < model.copies; ++i) job.collectives[i].ranks.push_back(members[i]);
    }
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

}  // namespace spineweave
