// Jobs of training that split a model in several ways at once.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "spineweave/error.hpp"
#include "workload/presets.hpp"
#include "workload/specs.hpp"
#include "workload/tensor_groups.hpp"
#include "workload/training_traffic.hpp"

namespace spineweave {
namespace {

constexpr std::uint64_t kMostRanks = 1U << 20U;  // of each kind of parallelism
constexpr std::uint64_t kMostMicroBatches = 1U << 20U;
constexpr std::uint64_t kMostSequences = 1U << 16U;
// From four micro-batches a stage on the pipeline's bubble hardly counts (Huang et al., "GPipe", 2019, section 3).
constexpr std::uint64_t kMicroBatchesPerStage = 4;

// All micro-batches go forward, then back; the gradients of all of them follow.
constexpr std::uint32_t kForwardTurn = 0, kBackwardTurn = 1, kGradientTurn = 2;

struct HybridKeys {
  const ModelPreset* model = nullptr;
  Parallelism split;
  std::optional<std::uint64_t> jobs;
  std::uint32_t qps = 1;
  std::uint64_t compute_ns = 0;
  bool shuffled = false;
  std::uint64_t seed = 1;
};

[[noreturn]] void refuse(std::string_view message) {
  throw Error(ErrorCode::usage, fmt::format("hybrid: {}", message));
}

const ModelPreset& read_model(util::SpecReader& spec) {
  const auto name = spec.text("model");
  if (!name) refuse(fmt::format("model is missing; expected one of {}", fmt::join(preset_names(), ", ")));
  return find_preset(*name);
}

void check_experts(const ModelPreset& model, const Parallelism& split) {
  if (split.experts == 1) return;
  if (!model.has_experts()) {
    std::vector<std::string_view> mixtures;
    for (const ModelPreset& preset : model_presets())
      if (preset.has_experts()) mixtures.push_back(preset.name);
    refuse(fmt::format("ep is {}, and {} has no experts to spread; models that have some are {}", split.experts,
                       model.name, fmt::join(mixtures, ", ")));
  }
  if (split.data % split.experts != 0)
    refuse(fmt::format("ep is {}; expected a divisor of dp, which is {}", split.experts, split.data));
  if (model.experts.experts % split.experts != 0)
    refuse(fmt::format("ep is {}; expected a divisor of the {} experts in each layer of {}", split.experts,
                       model.experts.experts, model.name));
}

HybridKeys read_keys(util::SpecReader& spec) {
  HybridKeys keys;
  keys.model = &read_model(spec);
  Parallelism& split = keys.split;
  split.data = spec.number_or("dp", 1, 1, kMostRanks);
  split.pipeline = spec.number_or("pp", 1, 1, kMostRanks);
  split.tensor = spec.number_or("tp", 1, 1, kMostRanks);
  split.experts = spec.number_or("ep", 1, 1, kMostRanks);
  split.micro_batches = spec.number_or("micro_batches", kMicroBatchesPerStage * split.pipeline, 1, kMostMicroBatches);
  split.micro_batch = spec.number_or("micro_batch", 1, 1, kMostSequences);
  keys.jobs = spec.number("jobs", 1, kNone);
  keys.shuffled = read_choice(spec, "placement", "packed", "random").value_or(false);
  keys.seed = read_seed(spec);
  keys.qps = read_qps(spec);
  if (const auto compute = spec.text("compute")) {
    const auto duration = util::parse_duration_ns(*compute);
    if (!duration) refuse(fmt::format("compute is '{}'; expected a duration with a unit, such as 500ms", *compute));
    keys.compute_ns = *duration;
  }
  spec.finish();
  if (split.pipeline > keys.model->layers)
    refuse(fmt::format("pp is {}; {} has {} layers to split", split.pipeline, keys.model->name, keys.model->layers));
  check_experts(*keys.model, split);
  if (split.data == 1 && split.pipeline == 1)
    refuse("dp and pp are 1: no traffic leaves a host; expected one of them to be 2 or more");
  return keys;
}

// One job on its tensor-parallel groups: group p * dp + d holds stage p of copy d.
class HybridJob {
 public:
  HybridJob(const HybridKeys& keys, std::span<const std::vector<EndpointId>> groups)
      : keys_(keys), split_(keys.split), groups_(groups), traffic_(traffic_of(*keys.model, keys.split)) {}

  std::vector<Collective> collectives() && {
    for (const std::uint32_t turn : {kForwardTurn, kBackwardTurn}) {
      if (split_.pipeline > 1) add_pipelines(turn);
      if (split_.experts > 1) add_exchanges(turn);
    }
    if (split_.data > 1) add_all_reduces();
    return std::move(collectives_);
  }

 private:
  // Groups of a job: every `stride`-th from the first.
  struct Members {
    std::uint64_t first = 0, stride = 1, size = 0;
  };

  void add_pipelines(std::uint32_t turn) {
    for (std::uint64_t copy = 0; copy < split_.data; ++copy)
      add({CollectiveKind::pipeline, keys_.qps, traffic_.activations, {}, micro_batches(), turn},
          {copy, split_.data, split_.pipeline});
  }

  void add_exchanges(std::uint32_t turn) {
    const auto exchanges = static_cast<std::uint32_t>(traffic_.exchanges);
    for (std::uint64_t first = 0; first < groups_.size(); first += split_.experts)
      add({CollectiveKind::all_to_all, keys_.qps, traffic_.tokens, {}, exchanges, turn}, {first, 1, split_.experts});
  }

  void add_all_reduces() {
    const Collective all{CollectiveKind::ring_allreduce, keys_.qps, traffic_.gradients, {}, 1, kGradientTurn};
    Collective same_experts = all;
    same_experts.bytes = traffic_.expert_gradients;
    const std::uint64_t copies = split_.data / split_.experts;
    for (std::uint64_t first = 0; first < groups_.size(); first += split_.data) {
      add(all, {first, 1, split_.data});
      for (std::uint64_t share = 0; share < split_.experts && split_.experts > 1 && copies > 1; ++share)
        add(same_experts, {first + share, split_.experts, copies});
    }
  }

  // One for each tensor rank.
  void add(const Collective& collective, const Members& members) {
    for (std::size_t rank = 0; rank < split_.tensor; ++rank) {
      std::vector<EndpointId>& ranks = collectives_.emplace_back(collective).ranks;
      for (std::uint64_t i = 0; i < members.size; ++i)
        ranks.push_back(groups_[members.first + i * members.stride][rank]);
      if (collective.kind == CollectiveKind::pipeline && collective.turn == kBackwardTurn) std::ranges::reverse(ranks);
    }
  }

  [[nodiscard]] std::uint32_t micro_batches() const { return static_cast<std::uint32_t>(split_.micro_batches); }

  const HybridKeys& keys_;
  const Parallelism& split_;
  std::span<const std::vector<EndpointId>> groups_;
  TrainingTraffic traffic_;
  std::vector<Collective> collectives_;
};

}  // namespace

Workload build_hybrid(const Fabric& fabric, util::SpecReader& spec) {
  const HybridKeys keys = read_keys(spec);
  const Parallelism& split = keys.split;
  const std::uint64_t groups_per_job = split.data * split.pipeline;
  TensorGroups groups = find_tensor_groups(fabric, split.tensor, groups_per_job, keys.shuffled, keys.seed);
  const std::uint64_t most_jobs = groups.list.size() / groups_per_job;
  const std::uint64_t jobs = keys.jobs.value_or(most_jobs);
  if (jobs == 0 || jobs > most_jobs)
    refuse(
        fmt::format("{} job(s) of dp {} x pp {} x tp {} = {} ranks; the fabric has room for {}: {} groups of {} "
                    "endpoints, and {} in a job",
                    std::max<std::uint64_t>(jobs, 1), split.data, split.pipeline, split.tensor, split.ranks(),
                    most_jobs, groups.list.size(), split.tensor, groups_per_job));

  Workload workload;
  workload.findings = std::move(groups.findings);
  for (std::uint64_t j = 0; j < jobs; ++j) {
    Job& job = workload.jobs.emplace_back();
    job.id = fmt::format("{}", j);
    job.model = keys.model->name;
    job.compute_ns = keys.compute_ns;
    job.collectives = HybridJob(keys, std::span(groups.list).subspan(j * groups_per_job, groups_per_job)).collectives();
  }
  return workload;
}

}  // namespace spineweave
