#include "workload/training_traffic.hpp"

#include "workload/specs.hpp"

namespace spineweave {
namespace {

constexpr std::uint64_t kBytesPerValue = 2;
constexpr std::uint64_t kExchangesPerLayer = 2;  // dispatch and combine

}  // namespace

TrainingTraffic traffic_of(const ModelPreset& model, const Parallelism& split) {
  const ExpertLayers& experts = model.experts;
  const bool splits_experts = split.experts > 1;
  const std::uint64_t slices = split.pipeline * split.tensor;
  const std::uint64_t micro_batch_bytes = kBytesPerValue * split.micro_batch * model.sequence * model.hidden;
  const std::uint64_t split_parameters =
      splits_experts ? std::uint64_t{experts.layers} * experts.experts * experts.parameters : 0;

  TrainingTraffic traffic;
  traffic.activations = divide_up(micro_batch_bytes, split.tensor);
  traffic.gradients = divide_up(kBytesPerValue * (model.parameters - split_parameters), slices * split.data);
  if (splits_experts) {
    traffic.tokens = divide_up(micro_batch_bytes * experts.top_k, split.tensor * split.experts);
    traffic.exchanges = kExchangesPerLayer * split.micro_batches * divide_up(experts.layers, split.pipeline);
    // A share of 1 / experts, on a ring of data / experts ranks.
    traffic.expert_gradients = divide_up(kBytesPerValue * split_parameters, slices * split.data);
  }
  return traffic;
}

}  // namespace spineweave
